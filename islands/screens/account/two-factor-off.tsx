import { turnTwoFactorOff, twoFactorQuery } from "../../api/calls/account.ts";
import { refresh, useWork } from "../../api/query.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { PasswordProofForm, reportFormFailure } from "./password-proof-form.tsx";

export default function TwoFactorOff(dialog: Openable) {
  const turnOff = useWork({
    mutationFn: turnTwoFactorOff,
    done: ({ message }) => message,
    onError: (error) => reportFormFailure(error, "Failed to turn two-factor sign-in off"),
    onSettled: () => void refresh(twoFactorQuery),
  });
  return (
    <FormDialog
      {...dialog}
      title="Turn Two-Factor Off"
      description="Signing in will ask for the password alone, and the recovery codes will be good for nothing."
      width="narrow"
      work={turnOff}
      submit="Turn Off"
      busyText="Turning off..."
      variant="danger"
    >
      {(form) => <PasswordProofForm {...form} />}
    </FormDialog>
  );
}
