import { useId } from "react";
import { invitationTo } from "../../../src/tokens/invitation.ts";
import { labelCharactersMax, problemsInTokenOrder, type Token, TokenOrder } from "../../../src/tokens/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { issueToken, revokeToken, tokenList } from "../../api/calls/resellers.ts";
import { refresh, useWork } from "../../api/query.ts";
import { creditsWithUnit } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import { DialogForm, FormButtons } from "../../forms/form-dialog.tsx";
import { CopyButton, copyText } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NumberField, TextField } from "../../ui/field/field.tsx";
import { focusOnArrival } from "../../ui/focus.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { ShareButton, useCanShare } from "../../ui/share-button.tsx";
import { Verbatim } from "../../ui/table/card-text.tsx";
import { showToast } from "../../ui/toast/store.ts";

export interface TokenDialogProps extends Openable {
  action: "issue" | "invitation" | "revocation";
  /** Null while there is none yet. */
  token: Token | null;
  onIssued: (token: Token) => void;
}

/** The dialogs about tokens. One at a time: each is modal. */
export default function TokenDialog({ action, token, onIssued, ...dialog }: TokenDialogProps) {
  if (action === "revocation" && token) return <TokenRevocation {...dialog} token={token} />;
  return <HandOver {...dialog} token={token} onIssued={onIssued} />;
}

/** One dialog: the form, and once the token is issued its invitation. */
function HandOver({ token, onIssued, ...dialog }: Openable & Pick<TokenDialogProps, "token" | "onIssued">) {
  const id = useId();
  const { mutateAsync, isPending } = useIssue(onIssued);
  if (token) {
    const link = invitationTo(window.location.origin, token);
    return (
      <Dialog
        {...dialog}
        title="Invitation"
        description={<Brought {...token} />}
        width="narrow"
        footer={<InvitationButtons link={link} />}
      >
        <InvitationLink link={link} />
      </Dialog>
    );
  }
  const buttons = { submit: "Generate Token", busyText: "Generating...", onCancel: () => dialog.onOpenChange(false) };
  return (
    <Dialog
      {...dialog}
      title="Generate New Token"
      description="It creates one reseller account and is copied to the clipboard."
      width="narrow"
      busy={isPending}
      footer={<FormButtons {...buttons} formId={id} busy={isPending} />}
    >
      <DialogForm schema={TokenOrder} rule={problemsInTokenOrder} id={id} send={mutateAsync}>
        {({ field, values }) => (
          <>
            <NumberField
              {...field("credits")}
              label="Credits (optional)"
              min={0}
              step={0.5}
              inputMode="decimal"
              data-autofocus
              hint={startOf(values.credits)}
            />
            <TextField
              {...field("label")}
              label="Label (optional)"
              maxLength={labelCharactersMax}
              hint="Who it's for. Only admins can see it."
            />
          </>
        )}
      </DialogForm>
    </Dialog>
  );
}

/** What the token will bring, in words. */
function startOf(credits = 0): string {
  if (!(credits > 0)) return "Credits for the new account. Leave empty for none.";
  return `The new account starts with ${creditsWithUnit(credits)}.`;
}

/** The new token is copied to the clipboard and shown in the toast (rules.md: Referral tokens). */
function useIssue(onIssued: (token: Token) => void) {
  return useWork({
    mutationFn: ({ credits, label }: TokenOrder) => issueToken({ credits, label: label || undefined }),
    onSuccess: async ({ token }) => {
      void refresh(tokenList, statsQuery);
      // A browser may allow copying only during a press, which the call has outlasted. The invitation can be copied.
      const copied = await copyText(token.token);
      showToast({ title: "Token Generated", description: copied ? `${token.token} copied to clipboard` : token.token });
      onIssued(token);
    },
    failed: "Failed to generate token",
  });
}

/** For whom the invitation is, and what it brings. */
function Brought({ label, credits }: Token) {
  return (
    <>
      {label !== null && <span className="block font-medium wrap-anywhere text-text">{label}</span>}
      <span className="block">
        {`This link creates one reseller account${credits > 0 ? ` with ${creditsWithUnit(credits)}` : ""}.`}
      </span>
    </>
  );
}

/** An unused token as a link and as a QR code. */
function InvitationLink({ link }: { link: string }) {
  return (
    <section ref={focusOnArrival} tabIndex={-1} aria-label="Invitation link" className="grid gap-3 outline-none">
      <QrCode text={link} label="QR code of the link" />
      <Verbatim className="block rounded-lg border border-line bg-card px-3 py-2 break-all">{link}</Verbatim>
    </section>
  );
}

function InvitationButtons({ link }: { link: string }) {
  const shares = useCanShare();
  return (
    <>
      <CopyButton
        label="Copy Link"
        variant={shares ? "secondary" : "primary"}
        text={link}
        onCopied={() => showToast({ title: "Copied", description: "Invitation copied to clipboard", brief: true })}
      />
      {shares && <ShareButton data={{ url: link }} failed="The link could not be shared. Copy it instead." />}
    </>
  );
}

function TokenRevocation({ token: { id, token }, ...dialog }: Openable & { token: Token }) {
  return (
    <Confirmation
      {...dialog}
      title="Revoke Token"
      text={
        <>
          <span className="block">This token and its invitation link stop working. This cannot be undone.</span>
          <Verbatim className="mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {token}
          </Verbatim>
        </>
      }
      busyLabel="Revoking..."
      mutationFn={() => revokeToken(id)}
      done={({ message }) => message}
      failed="Failed to revoke token"
      // Awaited, so that the row is gone when the dialog is; after a refusal too, as it may be used by now.
      onSettled={() => refresh(tokenList, statsQuery)}
      closesAfter={["TOKEN_USED", "NOT_FOUND"]}
      sentences={{ NOT_FOUND: "It was already revoked." }}
    />
  );
}
