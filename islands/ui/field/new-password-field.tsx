import { useLazy } from "../../runtime/lazy.ts";
import { PasswordField, type PasswordFieldProps } from "./password-field.tsx";
import type { StrengthProps } from "./password-strength.tsx";

/** Its 54 kB gzipped, most of them common passwords, come with the first letter. Where they do not come there is no estimate, and nothing else. */
const loadStrength = () => import("./password-strength.tsx");

/** Where a password is set. What is said of its strength refuses nothing (rules.md: Passwords). */
export function NewPasswordField({ password, username, className, ...field }: PasswordFieldProps & StrengthProps) {
  const { Part: Strength } = useLazy(loadStrength, password);
  return (
    <div className={className}>
      <PasswordField autoComplete="new-password" {...field} />
      {/* As high as what will stand there, and in the page before it is said: only then is it announced. */}
      <div role="status" className="mt-1.5 min-h-5 text-sm">
        {Strength && <Strength password={password} username={username} />}
      </div>
    </div>
  );
}
