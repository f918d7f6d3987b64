import { clsx } from "clsx";
import {
  type ComponentProps,
  type ElementType,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
} from "react";
import { NativeSelect } from "./native-select.tsx";

/** What every field has besides its control. `message` says what is wrong with it and replaces the hint. */
export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  message?: string;
  /** Shown to the right of the label: a counter, a Random button. */
  labelEnd?: ReactNode;
}

/** The props of a control together with those of its field. `{...form.field("username")}` of useForm fits in. */
export type FieldOf<Control extends ElementType> = FieldProps & Omit<ComponentProps<Control>, keyof FieldProps>;

/** For names, codes and addresses: no capitals and no corrections by the browser. */
export const asTyped = { autoCapitalize: "none", spellCheck: false } as const;

/** The browser suggests nothing that was typed before, unless `autoComplete` names what the field is for. */
export function TextField(props: FieldOf<"input">) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <input type="text" autoComplete="off" {...control} className="control px-3" />
    </FieldFrame>
  );
}

/** A number. Typing replaces the current one: 25 typed after the initial 1 would be 125. */
export function NumberField(props: FieldOf<"input">) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <NumberInput {...control} />
    </FieldFrame>
  );
}

/**
 * The control of a NumberField, for fields with more around it. Not `type="number"`: there browsers drop a decimal
 * comma, and 1,5 becomes 15.
 */
export function NumberInput({ className, ...input }: ComponentProps<"input">) {
  const selectedOnArrival = useSelectedOnArrival();
  return (
    <input
      inputMode="numeric"
      autoComplete="off"
      {...input}
      {...selectedOnArrival}
      type="text"
      onKeyDown={stepByArrow}
      className={clsx("control figures px-3", className)}
    />
  );
}

function stepByArrow(event: KeyboardEvent<HTMLInputElement>) {
  const { key, currentTarget: field } = event;
  const direction = key === "ArrowUp" ? 1 : key === "ArrowDown" ? -1 : 0;
  const now = field.value.trim() === "" ? 0 : readNumber(field.value);
  if (direction === 0 || Number.isNaN(now)) return;
  event.preventDefault();
  const next = now + direction * Number(field.step || 1);
  const { min, max } = field;
  const within = Math.max(min === "" ? next : Number(min), Math.min(max === "" ? next : Number(max), next));
  field.value = String(Math.round(within * 10) / 10);
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

/**
 * For a field whose text is replaced more often than edited: all of it is selected when the focus arrives, by key,
 * pointer or finger. A further press places the caret as usual, and the browser's stepper steps. Spread it on the
 * input.
 */
export function useSelectedOnArrival() {
  const arrives = useRef(false);
  return {
    onMouseDown: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
      arrives.current = currentTarget !== document.activeElement;
    },
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select(),
    // Releasing the press that brought the focus has placed the caret.
    onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
      if (arrives.current) currentTarget.select();
      arrives.current = false;
    },
  };
}

type TextAreaFieldProps = FieldOf<"textarea"> & {
  /** How long the text is now, for the counter. */
  length?: number;
  /** The N of the counter 'n/N'. Nothing is cut off: a message at the field says what is too long. */
  counterMax?: number;
};

export function TextAreaField({ length = 0, counterMax, ...props }: TextAreaFieldProps) {
  const { frame, control } = useField(props);
  const counter = counterMax !== undefined && (
    <span className={clsx("figures text-sm", length >= counterMax ? "text-danger-text" : "text-muted")}>
      {length}/{counterMax}
    </span>
  );
  return (
    <FieldFrame {...frame} labelEnd={counter}>
      <textarea rows={4} {...control} className="control block resize-y px-3 py-2" />
    </FieldFrame>
  );
}

export function NativeSelectField(props: FieldOf<typeof NativeSelect>) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <NativeSelect {...control} />
    </FieldFrame>
  );
}

/** Yes or no, as a switch: a native checkbox underneath, so that forms, labels and keyboards know it. */
export function SwitchField(props: FieldOf<"input">) {
  return <CheckField {...props} role="switch" look={switchLook} />;
}

/** The same as one of several, as the checkbox that it is. */
export function CheckField({ look = "mr-1 size-4 shrink-0", ...props }: FieldOf<"input"> & { look?: string }) {
  const { frame, control } = useField(props);
  return (
    <div className={frame.className}>
      <div className="flex min-h-(--hit) items-center justify-between gap-4">
        <div className="grow">
          <label htmlFor={frame.id} className="font-medium">
            {frame.label}
          </label>
          <FieldNote {...frame} />
        </div>
        <input {...control} type="checkbox" className={look} />
      </div>
    </div>
  );
}

const switchLook = clsx(
  "relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-field bg-raised transition-colors",
  "before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-muted before:transition-transform",
  "checked:border-transparent checked:bg-brass checked:before:translate-x-4 checked:before:bg-on-brass",
  "disabled:cursor-not-allowed disabled:opacity-50 forced-colors:appearance-auto",
);

type Aria = ComponentProps<"input">["aria-invalid"];

/** Divides a field's props between its frame and its control, and ties the control to its label, hint and message. */
export function useField<Props extends FieldProps & { id?: string; className?: string; "aria-invalid"?: Aria }>(
  props: Props,
) {
  const ownId = useId();
  const { label, hint, message, labelEnd, className, id = ownId, ...control } = props;
  return {
    frame: { id, label, hint, message, labelEnd, className },
    control: {
      ...control,
      id,
      "aria-invalid": message ? true : props["aria-invalid"],
      "aria-describedby": message || hint ? noteId(id) : undefined,
    },
  };
}

export function FieldFrame(props: FieldProps & { id: string; className?: string; children: ReactNode }) {
  const { id, label, hint, message, labelEnd, className, children } = props;
  return (
    <div className={className}>
      <div className="mb-1.5 flex items-center justify-between gap-3 pointer-coarse:has-[button]:mb-3">
        <label htmlFor={id} className="font-medium text-text">
          {label}
        </label>
        {/* A button here is as high as a finger needs, and must not push its field down. Its focus ring is over it. */}
        {labelEnd && <span className="-my-3 flex items-center has-focus-visible:relative">{labelEnd}</span>}
      </div>
      {children}
      <FieldNote id={id} hint={hint} message={message} />
    </div>
  );
}

function FieldNote({ id, hint, message }: { id: string } & Pick<FieldProps, "hint" | "message">) {
  if (message) {
    return (
      <p id={noteId(id)} role="alert" className="mt-1 text-sm text-danger-text">
        {message}
      </p>
    );
  }
  if (!hint) return null;
  return (
    <p id={noteId(id)} className="mt-1 text-sm text-muted">
      {hint}
    </p>
  );
}

function noteId(id: string) {
  return `${id}-note`;
}

/** A whole part with its thousands apart by one kind of separator, or without; then perhaps one or two decimals. */
const numberPattern = /^(-?)(\d{1,3}(?:([.,' ])\d{3})(?:\3\d{3})*|\d+|(?=[.,]))(?:([.,])(\d{1,2}))?$/;

/**
 * Reads a number as people type it, with a comma or a point before its decimals: 12.5, 12,5, 1.200,5, 1 200. Anything
 * else is NaN, and so is a number that could mean two: one point or comma before three digits, such as 1.000, which is
 * a thousand to some and one to others.
 */
export function readNumber(text: string): number {
  const [match, sign, whole = "", separator, mark, decimals] = numberPattern.exec(plain(text)) ?? [];
  const isAmbiguous = /^\d+[.,]\d+$/.test(whole) && mark === undefined;
  if (match === undefined || isAmbiguous || (mark && mark === separator)) return Number.NaN;
  return Number(`${sign}${whole.replace(/\D/g, "") || "0"}.${decimals ?? "0"}`);
}

/** Spaces of any width, apostrophes and Arabic digits as their ASCII forms. */
function plain(text: string): string {
  return text
    .trim()
    .replace(/\s/g, " ")
    .replace(/\u2019/g, "'")
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15));
}
