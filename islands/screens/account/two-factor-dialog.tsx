import type { Static } from "@sinclair/typebox";
import { FileText } from "lucide-react";
import { useId, useState } from "react";
import {
  CodeForm,
  PasswordProof,
  type RecoveryCodes,
  type TwoFactorSetup as Secret,
} from "../../../src/accounts/account-schema.ts";
import { beginTwoFactor, confirmTwoFactor, turnTwoFactorOff, twoFactorQuery } from "../../api/calls/account.ts";
import { refresh, useWork } from "../../api/query.ts";
import { DialogForm, FormButtons, FormDialog } from "../../forms/form-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, KeptButton } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { saveAs } from "../../ui/download.ts";
import { type FieldOf, TextField } from "../../ui/field/field.tsx";
import { OwnPasswordField } from "../../ui/field/password-field.tsx";
import { focusOnArrival } from "../../ui/focus.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";

interface TwoFactorDialogProps extends Openable {
  action: "setUp" | "turnOff";
  username: string;
}

export default function TwoFactorDialog({ action, ...dialog }: TwoFactorDialogProps) {
  return action === "setUp" ? <SetUp {...dialog} /> : <TurnOff {...dialog} />;
}

type Step = { at: "password" } | ({ at: "authenticator" } & Secret) | ({ at: "codes" } & Static<typeof RecoveryCodes>);

const wordsOf = {
  password: {
    title: "Set Up Two-Factor",
    description: "Enter your password first. From then on, signing in also takes a code from your phone.",
    submit: "Continue",
    busy: "Checking...",
  },
  authenticator: {
    title: "Scan the QR Code",
    description: "Add this account to an authenticator app, then enter the code it shows.",
    submit: "Turn On",
    busy: "Turning on...",
  },
  codes: {
    title: "Save Your Recovery Codes",
    description:
      "Two-factor sign-in is on. If you lose your phone, each of these codes signs you in once. They won't be shown again.",
  },
} as const;

/** Asks for the password, shows the secret, has a code of it confirmed, and shows the recovery codes, once. */
function SetUp({ username, ...dialog }: Openable & { username: string }) {
  const formId = useId();
  const [step, setStep] = useState<Step>({ at: "password" });
  const begin = useWork({
    mutationFn: beginTwoFactor,
    onSuccess: (secret) => setStep({ at: "authenticator", ...secret }),
    failed: "Failed to set up two-factor sign-in",
    shownAtFields,
    onSettled: () => void refresh(twoFactorQuery),
  });
  const confirm = useWork({
    mutationFn: confirmTwoFactor,
    onSuccess: (codes) => setStep({ at: "codes", ...codes }),
    failed: "Failed to turn on two-factor sign-in",
    shownAtFields,
    // After a failure too: it may already be on, through another page or a lost response.
    onSettled: () => void refresh(twoFactorQuery),
  });
  const busy = begin.isPending || confirm.isPending;
  const close = () => dialog.onOpenChange(false);
  const words = wordsOf[step.at];
  return (
    <Dialog
      {...dialog}
      title={words.title}
      description={words.description}
      busy={busy}
      stays={step.at === "codes"}
      footer={
        "submit" in words ? (
          <FormButtons formId={formId} busy={busy} submit={words.submit} busyText={words.busy} onCancel={close} />
        ) : (
          <KeptButton label="I've saved them" onKept={close} />
        )
      }
    >
      {step.at === "password" && (
        <DialogForm {...passwordProof} id={formId} send={begin.mutateAsync}>
          {({ field }) => <YourPassword {...field("password")} username={username} />}
        </DialogForm>
      )}
      {step.at === "authenticator" && (
        <DialogForm
          schema={CodeForm}
          rule={sixDigits}
          fieldOf={{ WRONG_SECOND_FACTOR: "code" }}
          id={formId}
          send={confirm.mutateAsync}
        >
          {({ field }) => <Authenticator {...step} code={field("code")} />}
        </DialogForm>
      )}
      {step.at === "codes" && <RecoveryCodeList codes={step.recoveryCodes} username={username} />}
    </Dialog>
  );
}

const shownAtFields = ["WRONG_CREDENTIALS", "WRONG_SECOND_FACTOR"];

const passwordProof = { schema: PasswordProof, fieldOf: { WRONG_CREDENTIALS: "password" } } as const;

function YourPassword(field: Partial<FieldOf<"input">> & { username: string }) {
  return <OwnPasswordField {...field} label="Your Password" data-autofocus />;
}

/** The secret for an authenticator, in three ways, and the code that it shows then. */
function Authenticator({ secret, uri, code }: Secret & { code: object }) {
  return (
    <>
      {/* This section gets the focus: in the field below, a phone's keyboard would cover it. */}
      <section
        ref={focusOnArrival}
        tabIndex={-1}
        aria-label="Key for your authenticator app"
        className="grid gap-3 outline-none"
      >
        <QrCode text={uri} label="QR code for the key" />
        {/* A phone cannot scan its own screen. */}
        <a
          href={uri}
          className="min-h-(--hit) content-center justify-self-center rounded-sm px-2 font-medium text-brass-bright underline underline-offset-2 md:hidden"
        >
          Open in an authenticator app
        </a>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
          <div className="min-w-0 grow">
            <p className="text-xs text-muted">Or enter this key in the app</p>
            <Verbatim className="block">{secret.replace(/.{4}(?=.)/g, "$& ")}</Verbatim>
          </div>
          <CopyButton label="Copy" text={secret} />
        </div>
      </section>
      <TextField
        {...code}
        label="Code From the App"
        hint={`The ${codeDigits} digits it shows now.`}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
    </>
  );
}

/** rules.md: Two-factor. */
const codeDigits = 6;

/** An impossible code would count as a wrong password. Apps show the digits in two groups. */
function sixDigits({ code }: Static<typeof CodeForm>) {
  const isCode = new RegExp(`^[0-9]{${codeDigits}}$`).test(code.replace(/\s/g, ""));
  return isCode ? [] : [{ path: "code", message: `The code must have ${codeDigits} digits` }];
}

/** The file also says what the codes are for, which is forgotten a year later. */
function RecoveryCodeList({ codes, username }: { codes: readonly string[]; username: string }) {
  const asFile = () =>
    [`Recovery codes for ${username} at ${window.location.host}`, "Each works once.", "", ...codes, ""].join("\n");
  return (
    // No button has the focus here: one Enter too many must not close what is shown only once.
    <section ref={focusOnArrival} tabIndex={-1} aria-label="Recovery codes" className="outline-none">
      <ol className="grid gap-x-6 gap-y-1.5 rounded-lg border border-line bg-card p-3 md:grid-cols-2">
        {codes.map((code) => (
          <li key={code} translate="no" className="key-text text-center text-text">
            {code}
          </li>
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2 max-md:*:grow">
        <CopyButton label="Copy" variant="secondary" text={() => codes.join("\n")} />
        <Button
          size="small"
          icon={<FileText size={16} />}
          onClick={() => saveAs("latchkey-recovery-codes.txt", asFile())}
        >
          Download
        </Button>
      </div>
    </section>
  );
}

function TurnOff({ username, ...dialog }: Openable & { username: string }) {
  const turnOff = useWork({
    mutationFn: turnTwoFactorOff,
    done: ({ message }) => message,
    failed: "Failed to turn off two-factor sign-in",
    shownAtFields,
    onSettled: () => void refresh(twoFactorQuery),
  });
  return (
    <FormDialog
      {...dialog}
      title="Turn Off Two-Factor"
      description="Your password alone will sign you in, and your recovery codes will stop working."
      width="narrow"
      work={turnOff}
      submit="Turn Off"
      busyText="Turning off..."
      variant="danger"
      form={passwordProof}
    >
      {({ field }) => <YourPassword {...field("password")} username={username} />}
    </FormDialog>
  );
}
