import { clsx } from "clsx";
import { type ComponentProps, useId, type WheelEvent } from "react";
import { controlAttributes, FieldFrame, type FieldFrameProps, FieldNote } from "./frame.tsx";
import { useSelectedOnArrival } from "./selected-on-arrival.ts";

type TextFieldProps = FieldFrameProps & Omit<ComponentProps<"input">, keyof FieldFrameProps>;

/** One line of text. `{...form.field("username")}` of useForm fits as it comes, and so does any input attribute. */
export function TextField({ label, labelHidden, hint, message, aside, className, id, ...input }: TextFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <FieldFrame {...{ label, labelHidden, hint, message, aside, className }} id={fieldId}>
      <input type="text" {...input} {...controlAttributes(fieldId, { hint, message })} className="control px-3" />
    </FieldFrame>
  );
}

/**
 * A number with the browser's own stepping. What is typed takes the place of what stands there: 25 behind the 1 that a field begins with
 * would be 125. Scrolling the page over it must not change it.
 */
export function NumberField({ label, labelHidden, hint, message, aside, className, id, ...input }: TextFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <FieldFrame {...{ label, labelHidden, hint, message, aside, className }} id={fieldId}>
      <NumberInput {...input} {...controlAttributes(fieldId, { hint, message })} />
    </FieldFrame>
  );
}

/** The control of a NumberField, for those that have more around it. */
export function NumberInput({ className, ...input }: ComponentProps<"input">) {
  const selectedOnArrival = useSelectedOnArrival();
  return (
    <input
      inputMode="numeric"
      {...input}
      {...selectedOnArrival}
      type="number"
      onWheel={leaveField}
      className={clsx("control figures px-3", className)}
    />
  );
}

function leaveField(event: WheelEvent<HTMLInputElement>) {
  event.currentTarget.blur();
}

type TextAreaFieldProps = FieldFrameProps &
  Omit<ComponentProps<"textarea">, keyof FieldFrameProps> & {
    /** How long the text is now, for the counter. */
    length?: number;
    /** The N of the counter 'n/N'. Nothing is cut: a message by the field says what is too long. */
    counterMax?: number;
  };

export function TextAreaField(props: TextAreaFieldProps) {
  const { label, labelHidden, hint, message, aside, className, id, length = 0, counterMax, ...textarea } = props;
  const ownId = useId();
  const fieldId = id ?? ownId;
  const counter = counterMax !== undefined && (
    <span className={clsx("figures text-sm", length >= counterMax ? "text-danger-text" : "text-muted")}>
      {length}/{counterMax}
    </span>
  );
  return (
    <FieldFrame {...{ label, labelHidden, hint, message, className }} aside={aside ?? counter} id={fieldId}>
      <textarea
        rows={4}
        {...textarea}
        {...controlAttributes(fieldId, { hint, message })}
        className="control block resize-y px-3 py-2"
      />
    </FieldFrame>
  );
}

type SwitchFieldProps = FieldFrameProps & Omit<ComponentProps<"input">, keyof FieldFrameProps | "type">;

/** Yes or no, as a switch: a native checkbox underneath, so that forms, labels and keyboards know it. */
export function SwitchField({ label, labelHidden, hint, message, aside, className, id, ...input }: SwitchFieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <div className={className}>
      <div className="flex min-h-(--hit) items-center justify-between gap-4">
        <div className={labelHidden ? "sr-only" : "grow"}>
          <label htmlFor={fieldId} className="font-medium">
            {label}
          </label>
          <FieldNote id={fieldId} hint={hint} message={message} />
        </div>
        {aside}
        <input
          {...input}
          {...controlAttributes(fieldId, { hint, message })}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says itself whether it is checked.
          role="switch"
          className={switchLook}
        />
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
