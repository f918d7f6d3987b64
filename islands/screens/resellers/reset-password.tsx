import { useState } from "react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { resetPassword } from "../../api/calls/resellers.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NewPassword } from "../../ui/dialog/shown-once.tsx";
import { StrongName } from "../../ui/table/card-text.tsx";

/** The confirmation and the new password, in one script: a password that could not be shown would be lost. */
export function ResetPassword({ reseller: { id, username }, ...dialog }: Openable & { reseller: Reseller }) {
  const [password, setPassword] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Confirmation
        {...dialog}
        title="Reset Password"
        text={
          <>
            <StrongName of={username} /> gets a random password, shown to you only once. The account is signed out
            everywhere, and two-factor sign-in is turned off.
          </>
        }
        busyLabel="Resetting..."
        mutationFn={() => resetPassword(id)}
        onSuccess={(made) => setPassword(made.password)}
        failed="Failed to reset password"
        onClosed={() => setShown(password !== null)}
      />
      {password !== null && <NewPassword open={isShown} onOpenChange={setShown} {...{ username, password }} />}
    </>
  );
}
