import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { type ComponentProps, useId } from "react";
import { controlAttributes, FieldFrame, type FieldFrameProps } from "./field-frame.tsx";

export interface Choice {
  value: string;
  label: string;
  /** A second, quieter line of the choice, such as its price. */
  detail?: string;
  disabled?: boolean;
}

type NativeSelectProps = Omit<ComponentProps<"select">, "children"> & {
  choices: readonly Choice[];
  placeholder?: string;
};

/** The platform's own select: no script, its own picker on phones, and it works before the page is hydrated. */
export function NativeSelect({ choices, placeholder, className, ...select }: NativeSelectProps) {
  return (
    <span className={clsx("relative inline-flex w-full", className)}>
      <select {...select} className="control cursor-pointer appearance-none truncate pr-9 pl-3">
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled} className="bg-overlay text-text">
            {choice.detail ? `${choice.label} (${choice.detail})` : choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        size={16}
        className="pointer-events-none absolute inset-y-0 right-3 my-auto text-muted"
      />
    </span>
  );
}

/** A native select with a label, hint and message. Fits `{...register("game")}`. */
export function NativeSelectField(props: FieldFrameProps & Omit<NativeSelectProps, keyof FieldFrameProps>) {
  const { label, labelHidden, hint, message, aside, className, id, ...select } = props;
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <FieldFrame {...{ label, labelHidden, hint, message, aside, className }} id={fieldId}>
      <NativeSelect {...select} {...controlAttributes(fieldId, { hint, message })} />
    </FieldFrame>
  );
}
