import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import * as Popover from "radix-ui/popover";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { searchCharactersMax } from "../../../src/http/limits.ts";
import { FieldFrame, type FieldProps, useField, useSelectedOnArrival } from "./field.tsx";
import type { Choice } from "./native-select.tsx";

interface ComboFieldProps extends FieldProps {
  /** The text of the field. */
  text: string;
  onType: (text: string) => void;
  choices: readonly Choice[];
  /** The chosen value, or `null`. */
  chosen: string | null;
  onChoose: (value: string) => void;
  /** Called when the list opens and closes: choices are needed only while it is open. */
  onOpenChange?: (open: boolean) => void;
  /** Shown below the choices and read out: that they are loading, that there are none, or more. */
  note?: ReactNode;
  onBlur?: () => void;
  placeholder?: string;
  /** The surrounding dialog focuses it when it opens. */
  "data-autofocus"?: boolean;
}

/**
 * A text field that suggests matches, after the WAI-ARIA pattern: the focus stays in the field, arrows move through the
 * choices, Enter takes one, Esc closes the list only. For lists too long for a select.
 */
export function ComboField(props: ComboFieldProps) {
  const { text, onType, choices, chosen, onChoose, onOpenChange, note, onBlur, placeholder, ...field } = props;
  const { frame, control } = useField(field);
  const { id } = frame;
  const anchor = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const arrival = useSelectedOnArrival();
  const [open, setOpen] = useState(false);
  const [highlighted, setHighlighted] = useState(0);
  const active = open ? choices[Math.min(highlighted, choices.length - 1)] : undefined;

  // Typing after a choice replaces it.
  useEffect(() => {
    if (chosen !== null && input.current === document.activeElement) input.current?.select();
  }, [chosen]);

  function toggle(next: boolean) {
    if (next === open) return;
    setOpen(next);
    setHighlighted(
      Math.max(
        0,
        choices.findIndex(({ value }) => value === chosen),
      ),
    );
    onOpenChange?.(next);
  }
  function choose(value: string) {
    onChoose(value);
    toggle(false);
  }
  function moveByKey(event: KeyboardEvent) {
    if (event.key === "Enter" && active) {
      event.preventDefault();
      return choose(active.value);
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    if (!open) return toggle(true);
    const last = choices.length - 1;
    setHighlighted((at) => (at + step > last ? 0 : at + step < 0 ? last : at + step));
  }

  return (
    <FieldFrame {...frame}>
      <Popover.Root open={open} onOpenChange={toggle}>
        <Popover.Anchor asChild>
          <span ref={anchor} className="relative block">
            <input
              {...control}
              // `false` would still be an attribute.
              data-autofocus={control["data-autofocus"] || undefined}
              {...arrival}
              ref={input}
              maxLength={searchCharactersMax}
              type="text"
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={open}
              aria-controls={open ? `${id}-choices` : undefined}
              aria-activedescendant={active && optionId(id, active)}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={placeholder}
              value={text}
              onChange={(event) => {
                toggle(true);
                setHighlighted(0);
                onType(event.target.value);
              }}
              onClick={(event) => {
                arrival.onClick(event);
                toggle(true);
              }}
              onKeyDown={moveByKey}
              onBlur={() => {
                toggle(false);
                onBlur?.();
              }}
              className="control pr-9 pl-3"
            />
            <ChevronDown size={16} className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted" />
          </span>
        </Popover.Anchor>
        <Popover.Content
          // Not a dialog, Radix's default: the list inside has the role.
          role="presentation"
          align="start"
          sideOffset={6}
          collisionPadding={12}
          onOpenAutoFocus={stay}
          onCloseAutoFocus={stay}
          onInteractOutside={(event) => anchor.current?.contains(event.target as Node) && event.preventDefault()}
          // The focus stays in the field while a choice is pressed.
          onMouseDown={stay}
          className="z-10 flex max-h-[min(17rem,var(--radix-popover-content-available-height))] w-(--radix-popover-trigger-width) flex-col overflow-hidden rounded-lg border border-line bg-overlay lifted data-[state=open]:animate-settle"
        >
          <Choices {...{ id, choices, active, chosen, choose }} label={frame.label} />
          {note && <p className="border-line px-3 py-2.5 text-sm text-muted not-first:border-t">{note}</p>}
        </Popover.Content>
      </Popover.Root>
      <span role="status" className="sr-only">
        {open && note}
      </span>
    </FieldFrame>
  );
}

function Choices(props: {
  id: string;
  label: ReactNode;
  choices: readonly Choice[];
  active: Choice | undefined;
  chosen: string | null;
  choose: (value: string) => void;
}) {
  const { id, label, choices, active, chosen, choose } = props;
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView?.({ block: "nearest" });
  }, [activeId]);
  return (
    <div
      role="listbox"
      id={`${id}-choices`}
      aria-label={typeof label === "string" ? label : undefined}
      // Never a tab stop, as a scrolling box would be.
      tabIndex={-1}
      className={clsx("min-h-0 overflow-y-auto overscroll-contain", choices.length > 0 && "p-1")}
    >
      {choices.map((choice) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus.
        <div
          key={choice.value}
          role="option"
          id={optionId(id, choice)}
          tabIndex={-1}
          aria-selected={choice.value === chosen}
          data-active={choice === active || undefined}
          onClick={() => choose(choice.value)}
          className={optionLook}
        >
          <span className="min-w-0 truncate">{choice.label}</span>
          {choice.detail && <span className="figures shrink-0 text-sm text-muted">{choice.detail}</span>}
        </div>
      ))}
    </div>
  );
}

const optionLook = clsx(
  "flex min-h-(--hit) cursor-pointer select-none items-center justify-between gap-3 rounded-md px-2.5",
  "hover:bg-hover data-active:bg-hover aria-selected:text-brass",
);

function optionId(id: string, { value }: Choice): string {
  return `${id}-choice-${value}`;
}

function stay(event: { preventDefault: () => void }): void {
  event.preventDefault();
}
