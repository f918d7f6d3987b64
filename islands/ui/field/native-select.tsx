import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  /** An addition to the label, such as the price. */
  detail?: string;
}

type NativeSelectProps = Omit<ComponentProps<"select">, "children"> & {
  choices: readonly Choice[];
  placeholder?: string;
};

/** The native select: no script, the picker of the platform on phones, and it works before hydration. */
export function NativeSelect({ choices, placeholder, className, ...select }: NativeSelectProps) {
  // Otherwise React would choose the first one instead of a choice that is gone.
  if (placeholder !== undefined && !choices.some(({ value }) => value === select.defaultValue))
    select.defaultValue = "";
  return (
    <span className={clsx("relative inline-flex w-full", className)}>
      <select
        {...select}
        className="control cursor-pointer appearance-none truncate pr-9 pl-3 max-[22.5rem]:pr-7 max-[22.5rem]:pl-2.5"
      >
        {placeholder !== undefined && (
          <option value="" disabled hidden>
            {placeholder}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} className="bg-overlay text-text">
            {choice.detail ? `${choice.label} (${choice.detail})` : choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={16}
        className="pointer-events-none absolute inset-y-0 right-3 my-auto max-[22.5rem]:right-2 text-muted"
      />
    </span>
  );
}
