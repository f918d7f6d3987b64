import { turnTwoFactorOff, twoFactorQuery } from "../../api/calls/account.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { showToast } from "../../ui/toast/store.ts";
import { sayFailureOfForm } from "./failures.ts";
import { PasswordProofForm } from "./password-proof-form.tsx";

interface TwoFactorOffProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export default function TwoFactorOff({ open, onOpenChange }: TwoFactorOffProps) {
  const turnOff = useWork({
    mutationFn: turnTwoFactorOff,
    onSuccess: ({ message }) => showToast({ title: "Success", description: message }),
    onError: (error) => sayFailureOfForm(error, "Failed to turn two-factor sign-in off"),
    onSettled: () => void refresh(twoFactorQuery),
  });
  return (
    <FormDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Turn Two-Factor Off"
      description="Signing in will ask for the password alone, and the recovery codes will be good for nothing."
      width="narrow"
      busy={turnOff.isPending}
      submit="Turn Off"
      busyText="Turning off..."
      variant="danger"
    >
      {(formId) => (
        <PasswordProofForm
          id={formId}
          send={async (proof) => {
            await turnOff.mutateAsync(proof);
            onOpenChange(false);
          }}
        />
      )}
    </FormDialog>
  );
}
