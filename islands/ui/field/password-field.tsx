import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "../button.tsx";
import { controlAttributes, FieldFrame, type FieldFrameProps } from "./frame.tsx";

export interface PasswordFieldProps
  extends Omit<FieldFrameProps, "label">,
    Omit<ComponentProps<"input">, keyof FieldFrameProps | "type" | "id"> {
  label: string;
}

/** A password, with a button that shows what was typed. It is hidden again before it is sent: browsers keep what stood in a text field. */
export function PasswordField({ label, labelHidden, hint, message, aside, className, ...input }: PasswordFieldProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const form = field.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <FieldFrame {...{ label, labelHidden, hint, message, aside, className }} id={id}>
      <span className="relative block">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          {...controlAttributes(id, { hint, message })}
          ref={field}
          type={shown ? "text" : "password"}
          className="control pr-(--hit) pl-3"
        />
        <span className="absolute inset-y-0 right-0 [--tip-end:0px] [--tip-shift:0]">
          <IconButton
            label={`${shown ? "Hide" : "Show"} ${label.toLowerCase()}`}
            icon={shown ? <EyeOff aria-hidden size={16} /> : <Eye aria-hidden size={16} />}
            onClick={() => setShown(!shown)}
          />
        </span>
      </span>
    </FieldFrame>
  );
}
