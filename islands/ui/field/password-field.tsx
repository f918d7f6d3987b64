import { Eye, EyeOff } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLazy } from "../../runtime/lazy.ts";
import { IconButton } from "../button.tsx";
import { asTyped, FieldFrame, type FieldOf, useField } from "./field.tsx";
import type { StrengthProps } from "./password-strength.tsx";

export type PasswordFieldProps = FieldOf<"input"> & { label: string };

/**
 * A password, with a button that shows it. It is hidden again before it is sent, because browsers remember the content
 * of text fields.
 */
export function PasswordField(props: PasswordFieldProps) {
  const { frame, control } = useField(props);
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const form = field.current?.form;
    const hide = () => setShown(false);
    form?.addEventListener("submit", hide);
    return () => form?.removeEventListener("submit", hide);
  }, []);
  return (
    <FieldFrame {...frame}>
      <span className="relative block">
        <input
          {...asTyped}
          {...control}
          ref={field}
          type={shown ? "text" : "password"}
          className="control pr-(--hit) pl-3"
        />
        <span className="absolute inset-y-0 right-0 [--tip-end:0px] [--tip-shift:0]">
          <IconButton
            label={`${shown ? "Hide" : "Show"} ${props.label.toLowerCase()}`}
            icon={shown ? <EyeOff size={16} /> : <Eye size={16} />}
            onClick={() => setShown(!shown)}
          />
        </span>
      </span>
    </FieldFrame>
  );
}

/** The account's own password. The hidden field tells a password manager which account it belongs to. */
export function OwnPasswordField({ username, ...field }: PasswordFieldProps & { username: string }) {
  return (
    <>
      <input type="text" autoComplete="username" value={username} readOnly hidden />
      <PasswordField {...field} autoComplete="current-password" />
    </>
  );
}

/**
 * Its 54 kB gzipped, mostly common passwords, are loaded with the first letter. If loading fails, only the estimate is
 * missing.
 */
const loadStrength = () => import("./password-strength.tsx");

/** For a new password. Its estimated strength never refuses it (rules.md: Passwords). */
export function NewPasswordField({ password, username, hint, ...field }: PasswordFieldProps & StrengthProps) {
  const { Part: Strength } = useLazy(loadStrength, password);
  return (
    <PasswordField
      autoComplete="new-password"
      {...field}
      // In the page before the estimate, because only then it is announced.
      hint={<span role="status">{Strength ? <Strength {...{ password, username, hint }} /> : hint}</span>}
    />
  );
}
