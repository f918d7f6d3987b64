import { clsx } from "clsx";
import { Minus, Plus } from "lucide-react";
import type { ComponentProps } from "react";
import { IconButton } from "../button.tsx";
import { FieldFrame, type FieldOf, NumberInput, useField } from "./field.tsx";

interface StepperFieldProps extends FieldOf<"input"> {
  /** The current number. */
  count: number | undefined;
  min: number;
  max: number;
  /** The most common numbers, each one press away. */
  presets: readonly number[];
  /** The unit of the presets, for screen readers: "keys". */
  unit: string;
  onStep: (count: number) => void;
}

/**
 * A number that a thumb can set, with buttons for one less, one more and the most common ones. With a keyboard they are
 * hidden, so that they are not six more tab stops.
 */
export function StepperField({ count, min, max, presets, unit, onStep, ...props }: StepperFieldProps) {
  // NaN while a text is no number.
  const from = count || 0;
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <div className="flex gap-2">
        <Step to={Math.ceil(from) - 1} {...{ min, max, onStep }} label="One less" icon={<Minus size={16} />} />
        <NumberInput {...control} min={min} max={max} className="max-md:text-center pointer-coarse:text-center" />
        <Step to={Math.floor(from) + 1} {...{ min, max, onStep }} label="One more" icon={<Plus size={16} />} />
      </div>
      <div className="mt-2 grid auto-cols-fr grid-flow-col gap-2 md:pointer-fine:hidden">
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-label={`${preset} ${unit}`}
            aria-pressed={preset === count}
            onClick={() => onStep(preset)}
            className={presetLook}
          >
            {preset}
          </button>
        ))}
      </div>
    </FieldFrame>
  );
}

function Step(
  props: Pick<StepperFieldProps, "min" | "max" | "onStep"> & ComponentProps<typeof IconButton> & { to: number },
) {
  const { to, min, max, onStep, ...button } = props;
  const within = to >= min && to <= max;
  return (
    <IconButton
      {...button}
      variant="secondary"
      className="after:hidden! md:pointer-fine:hidden"
      // Not disabled, which would drop the focus at the last step.
      aria-disabled={!within || undefined}
      onClick={() => within && onStep(to)}
    />
  );
}

const presetLook = clsx(
  "figures min-h-(--hit-small) rounded-md border border-line text-sm font-medium text-muted transition-colors",
  "hover:border-edge hover:bg-hover hover:text-text aria-pressed:border-brass/40 aria-pressed:bg-brass-soft aria-pressed:text-brass-bright",
);
