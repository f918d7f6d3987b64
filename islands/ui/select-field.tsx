import { clsx } from "clsx";
import { getNonce } from "get-nonce";
import { Check, ChevronDown } from "lucide-react";
import * as Select from "radix-ui/select";
import { type Ref, useId } from "react";
import { controlAttributes, FieldFrame, type FieldFrameProps } from "./field-frame.tsx";
import type { Choice } from "./native-select.tsx";

export interface SelectFieldProps extends FieldFrameProps {
  choices: readonly Choice[];
  /** `""` while nothing is chosen, which shows the placeholder. */
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** The button, so that a form can focus the first wrong field. `<Controller render={({ field }) => <SelectField {...field} />}>` fits. */
  ref?: Ref<HTMLButtonElement>;
  name?: string;
  placeholder?: string;
  disabled?: boolean;
  id?: string;
  className?: string;
}

export function SelectField(props: SelectFieldProps) {
  const { choices, value, onChange, onBlur, ref, name, placeholder, disabled, id, ...frame } = props;
  const ownId = useId();
  const fieldId = id ?? ownId;
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <FieldFrame {...frame} id={fieldId}>
      <Select.Root value={value} onValueChange={onChange} name={name} disabled={disabled}>
        <Select.Trigger
          {...controlAttributes(fieldId, frame)}
          ref={ref}
          onBlur={onBlur}
          className="control flex items-center justify-between gap-2 px-3 text-left data-placeholder:text-faint"
        >
          {/* Given as children, the chosen label is in the server's answer too; Radix alone would fill it in after hydration. */}
          <span className="truncate">
            <Select.Value placeholder={placeholder}>{chosen && <ChoiceText choice={chosen} />}</Select.Value>
          </span>
          <Select.Icon asChild>
            <ChevronDown aria-hidden size={16} className="shrink-0 text-muted" />
          </Select.Icon>
        </Select.Trigger>
        <Choices choices={choices} />
      </Select.Root>
    </FieldFrame>
  );
}

function Choices({ choices }: Pick<SelectFieldProps, "choices">) {
  return (
    <Select.Portal>
      <Select.Content
        position="popper"
        sideOffset={6}
        collisionPadding={12}
        className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) max-w-[calc(100vw-24px)] overflow-hidden rounded-lg border border-line bg-overlay shadow-overlay data-[state=open]:animate-settle"
      >
        {/* Radix hides the scrollbar with a style tag, which the content security policy lets in by this nonce alone. */}
        <Select.Viewport nonce={getNonce()} className="p-1">
          {choices.map((choice) => (
            <Select.Item key={choice.value} value={choice.value} disabled={choice.disabled} className={choiceLook}>
              <Select.ItemText>
                <ChoiceText choice={choice} />
              </Select.ItemText>
              <Select.ItemIndicator className="ml-auto text-brass">
                <Check aria-hidden size={16} />
              </Select.ItemIndicator>
            </Select.Item>
          ))}
        </Select.Viewport>
      </Select.Content>
    </Select.Portal>
  );
}

const choiceLook = clsx(
  "flex min-h-(--hit) cursor-pointer select-none items-center gap-3 rounded-md px-2.5 outline-none",
  "data-highlighted:bg-hover data-disabled:cursor-not-allowed data-disabled:opacity-50",
);

function ChoiceText({ choice }: { choice: Choice }) {
  return (
    <>
      {choice.label}
      {choice.detail && <span className="text-muted"> · {choice.detail}</span>}
    </>
  );
}
