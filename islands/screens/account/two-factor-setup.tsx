import type { Static } from "@sinclair/typebox";
import { useId, useState } from "react";
import type { RecoveryCodes, TwoFactorSetup as Secret } from "../../../src/accounts/account-schema.ts";
import { beginTwoFactor, confirmTwoFactor, twoFactorQuery } from "../../api/calls/account.ts";
import { refresh } from "../../api/query.ts";
import { useWork } from "../../api/work.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { KeptButton } from "../../ui/dialog/kept-button.tsx";
import { AuthenticatorForm } from "./authenticator-form.tsx";
import { sayFailureOfForm } from "./failures.ts";
import { PasswordProofForm } from "./password-proof-form.tsx";
import { RecoveryCodeList } from "./recovery-code-list.tsx";

interface TwoFactorSetupProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  username: string;
}

type Step = { at: "password" } | ({ at: "authenticator" } & Secret) | ({ at: "codes" } & Static<typeof RecoveryCodes>);

const wordsOf = {
  password: {
    title: "Set Up Two-Factor",
    description: "Your password first, because from then on nobody gets in without your phone.",
    submit: "Continue",
    busy: "Checking...",
  },
  authenticator: {
    title: "Scan the QR Code",
    description: "Add Latchkey to an authenticator app, then type the code that it shows.",
    submit: "Turn On",
    busy: "Turning on...",
  },
  codes: {
    title: "Keep Your Recovery Codes",
    description:
      "Two-factor sign-in is on. Each of these gets you in once if you lose your phone. They are not shown again.",
  },
} as const;

/** Asks for the password, shows the secret, has a code of it confirmed, and shows the recovery codes, once. */
export default function TwoFactorSetup({ open, onOpenChange, username }: TwoFactorSetupProps) {
  const formId = useId();
  const [step, setStep] = useState<Step>({ at: "password" });
  const begin = useWork({
    mutationFn: beginTwoFactor,
    onSuccess: (secret) => setStep({ at: "authenticator", ...secret }),
    onError: (error) => sayFailureOfForm(error, "Failed to set two-factor sign-in up"),
    onSettled: () => void refresh(twoFactorQuery),
  });
  const confirm = useWork({
    mutationFn: confirmTwoFactor,
    onSuccess: (codes) => setStep({ at: "codes", ...codes }),
    onError: (error) => sayFailureOfForm(error, "Failed to turn two-factor sign-in on"),
    // After a failure too: it may be on already, by another page or by an answer that was lost.
    onSettled: () => void refresh(twoFactorQuery),
  });
  const busy = begin.isPending || confirm.isPending;
  const close = () => onOpenChange(false);
  const words = wordsOf[step.at];
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={words.description}
      busy={busy}
      stays={step.at === "codes"}
      footer={
        "submit" in words ? (
          <>
            <Button disabled={busy} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" form={formId} variant="primary" busy={busy} busyText={words.busy}>
              {words.submit}
            </Button>
          </>
        ) : (
          <KeptButton label="I have kept them" onKept={close} />
        )
      }
    >
      {step.at === "password" && <PasswordProofForm id={formId} send={begin.mutateAsync} />}
      {step.at === "authenticator" && <AuthenticatorForm id={formId} {...step} send={confirm.mutateAsync} />}
      {step.at === "codes" && <RecoveryCodeList codes={step.recoveryCodes} username={username} />}
    </Dialog>
  );
}
