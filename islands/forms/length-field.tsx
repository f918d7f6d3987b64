import type { ComponentProps } from "react";
import { FieldFrame, type FieldOf, NumberInput, useField } from "../ui/field/field.tsx";
import { NativeSelect } from "../ui/field/native-select.tsx";

const unitChoices = [
  { value: "days", label: "Days" },
  { value: "hours", label: "Hours" },
];

/** A number of days or, with `unit`, of days or hours. */
export function LengthField({ unit, ...props }: FieldOf<"input"> & { unit?: ComponentProps<"select"> }) {
  const { frame, control } = useField(props);
  return (
    <FieldFrame {...frame}>
      <div className="flex gap-2">
        <NumberInput {...control} min={1} />
        {unit && <NativeSelect {...unit} aria-label="Unit" choices={unitChoices} />}
      </div>
    </FieldFrame>
  );
}
