import type { Static } from "@sinclair/typebox";
import { PasswordProof } from "../../../src/accounts/account-schema.ts";
import { hasCode } from "../../api/api.ts";
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

/** A wrong password or code is shown at its field, and needs no toast. */
export function reportFormFailure(error: unknown, fallback: string): void {
  if (!hasCode(error, "WRONG_CREDENTIALS", "WRONG_SECOND_FACTOR")) showFailure(error, fallback);
}
