import { useId } from "react";
import { controlAttributes, FieldFrame, type FieldFrameProps } from "./frame.tsx";
import { NativeSelect, type NativeSelectProps } from "./native-select.tsx";

/** A native select with a label, hint and message. Fits `{...form.field("game")}`. */
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
