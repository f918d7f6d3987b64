import type { Static } from "@sinclair/typebox";
import { PasswordProof } from "../../../src/accounts/account-schema.ts";
import { useForm } from "../../forms/use-form.ts";
import { PasswordField } from "../../ui/field/password-field.tsx";

interface PasswordProofFormProps {
  id: string;
  send: (proof: Static<typeof PasswordProof>) => Promise<unknown>;
}

/** A dialog's form that asks for the password once more. Its own component, so that what was typed is forgotten with the dialog. */
export function PasswordProofForm({ id, send }: PasswordProofFormProps) {
  const form = useForm({ schema: PasswordProof, send, fieldOf: { WRONG_CREDENTIALS: "password" } });
  return (
    <form {...form.props} id={id}>
      <PasswordField {...form.field("password")} label="Your Password" autoComplete="current-password" data-autofocus />
    </form>
  );
}
