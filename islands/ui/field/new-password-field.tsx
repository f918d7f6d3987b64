import { useLazy } from "../../runtime/lazy.ts";
import { PasswordField, type PasswordFieldProps } from "./password-field.tsx";
import type { StrengthProps } from "./password-strength.tsx";

/**
 * Its 54 kB gzipped, mostly common passwords, are loaded with the first letter. If loading fails, only the estimate is
 * missing.
 */
const loadStrength = () => import("./password-strength.tsx");

/** For a new password. Its estimated strength never refuses it (rules.md: Passwords). */
export function NewPasswordField({ password, username, className, ...field }: PasswordFieldProps & StrengthProps) {
  const { Part: Strength } = useLazy(loadStrength, password);
  return (
    <div className={className}>
      <PasswordField autoComplete="new-password" {...field} />
      {/* As high as its text, and in the page before it, because only then the text is announced. */}
      <div role="status" className="mt-1.5 min-h-5 text-sm">
        {Strength && <Strength password={password} username={username} />}
      </div>
    </div>
  );
}
