import type { Static } from "@sinclair/typebox";
import { PasswordProof } from "../../../src/accounts/account-schema.ts";
import { ApiFailure } from "../../api/api.ts";
import { showFailure } from "../../api/query.ts";
import type { DialogForm } from "../../forms/form-dialog.tsx";
import { useForm } from "../../forms/use-form.ts";
import { PasswordField } from "../../ui/field/password-field.tsx";

/**
 * A form in a dialog that asks for the password again. A separate component, so that typed text is dropped with the
 * dialog.
 */
export function PasswordProofForm({ id, send }: DialogForm<Static<typeof PasswordProof>>) {
  const form = useForm({ schema: PasswordProof, send, fieldOf: { WRONG_CREDENTIALS: "password" } });
  return (
    <form {...form.props} id={id}>
      <PasswordField {...form.field("password")} label="Your Password" autoComplete="current-password" data-autofocus />
    </form>
  );
}

/** Shown at its field, so that no toast is needed. */
const codesByField = new Set<string | null>(["WRONG_CREDENTIALS", "WRONG_SECOND_FACTOR"]);

export function reportFormFailure(error: unknown, fallback: string): void {
  if (!(error instanceof ApiFailure && codesByField.has(error.code))) showFailure(error, fallback);
}
