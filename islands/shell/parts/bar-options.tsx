import { clsx } from "clsx";
import { type MouseEvent, type ReactNode, useEffect } from "react";

/** One line of the command bar. */
export interface BarOption {
  id: string;
  label: ReactNode;
  icon: ReactNode;
  /** Stands at the right: a status, a balance. */
  detail?: ReactNode;
  /** A link, so that it can be opened in a new tab; without one it is `choose` that does it. */
  href?: string;
  choose: (event: MouseEvent) => void;
}

export interface BarGroup {
  heading: string;
  options: BarOption[];
}

interface BarOptionsProps {
  id: string;
  label: string;
  groups: BarGroup[];
  active: BarOption | undefined;
}

/** The list of the combobox: the focus stays in the field, whose keys go through it. */
export function BarOptions({ id, label, groups, active }: BarOptionsProps) {
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: "nearest" });
  }, [activeId]);
  return (
    <div role="listbox" id={id} aria-label={label} tabIndex={-1} className="min-h-0 overflow-y-auto overscroll-contain">
      {groups.map(({ heading, options }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox.
        <div key={heading} role="group" aria-labelledby={`${id}-${index}`} className="p-1">
          <p id={`${id}-${index}`} className="px-2.5 pt-2 pb-1 text-xs font-medium text-muted">
            {heading}
          </p>
          {options.map((option) => (
            <Option key={option.id} id={optionId(id, option)} option={option} isActive={option === active} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Option({ id, option, isActive }: { id: string; option: BarOption; isActive: boolean }) {
  const { label, icon, detail, href, choose } = option;
  return (
    <a
      role="option"
      id={id}
      href={href}
      tabIndex={-1}
      aria-selected={isActive}
      data-active={isActive || undefined}
      onClick={choose}
      className={optionLook}
    >
      <span aria-hidden className="shrink-0 text-muted">
        {icon}
      </span>
      <span className="min-w-0 grow truncate">{label}</span>
      {detail && <span className="flex shrink-0 items-center gap-2 text-sm text-muted">{detail}</span>}
    </a>
  );
}

const optionLook = clsx(
  "flex min-h-(--hit) cursor-pointer select-none items-center gap-3 rounded-md px-2.5",
  "hover:bg-hover data-active:bg-hover",
);

export function optionId(listId: string, { id }: BarOption): string {
  return `${listId}-${encodeURIComponent(id)}`;
}
