import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { type Guarded, useRights } from "../runtime/rights.ts";

export interface Tab extends Guarded {
  id: string;
  label: ReactNode;
  panel: ReactNode;
}

interface TabsProps {
  /** The name of the tab list, for screen readers. */
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
  /** Tabs share the whole width, which may be just enough for them. */
  wide?: boolean;
  /** While the selected panel is busy, the others cannot be opened. */
  disabled?: boolean;
}

/**
 * Tabs after the WAI-ARIA pattern: one tab stop, arrows, Home and End between them. Only the selected panel is
 * rendered, so it loads its data when it is opened. Not Radix, whose tabs would cost the sign-in page 9 kB of its 95.
 */
export function Tabs({ label, tabs: all, selected, onSelect, wide = false, disabled = false }: TabsProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { may } = useRights();
  const tabs = all.filter(({ need }) => may(need));
  const chosen = tabs.find((tab) => tab.id === selected) ?? tabs[0];

  function moveByKey(event: KeyboardEvent) {
    const next = tabs[indexAfterKey(event.key, tabs.indexOf(chosen as Tab), tabs.length)];
    if (!next || disabled) return;
    event.preventDefault();
    onSelect(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  }

  if (!chosen) return null;
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={moveByKey}
        className={clsx(
          "gap-1 rounded-lg border border-line bg-page p-1",
          wide ? "flex" : "flex md:inline-flex md:max-w-full",
        )}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab === chosen}
            aria-controls={tab === chosen ? `${id}-panel` : undefined}
            tabIndex={tab === chosen ? 0 : -1}
            disabled={disabled && tab !== chosen}
            onClick={() => onSelect(tab.id)}
            className={clsx(tabLook, !wide && "md:px-3")}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={chosen.id}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${chosen.id}`}
        className="mt-3 md:mt-4"
      >
        {chosen.panel}
      </div>
    </div>
  );
}

const tabLook = clsx(
  "min-h-(--hit-small) grow rounded-md px-1.5 text-sm font-medium whitespace-nowrap text-muted transition-colors max-[22.5rem]:px-0.5 max-[22.5rem]:text-xs max-[22.5rem]:tracking-tight md:text-base",
  "hover:not-disabled:text-text disabled:cursor-not-allowed disabled:opacity-50 aria-selected:bg-raised aria-selected:text-text aria-selected:[box-shadow:inset_0_0_0_1px_var(--color-line)]",
);

function indexAfterKey(key: string, index: number, count: number): number {
  if (key === "ArrowRight") return (index + 1) % count;
  if (key === "ArrowLeft") return (index - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return -1;
}
