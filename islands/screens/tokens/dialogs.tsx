import { invitationTo } from "../../../src/tokens/invitation.ts";
import { problemsInTokenOrder, type Token, TokenOrder } from "../../../src/tokens/schema.ts";
import { closeAfter } from "../../api/api.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { issueToken, revokeToken, tokenList } from "../../api/calls/tokens.ts";
import { refresh, useWork } from "../../api/query.ts";
import { creditsWithUnit } from "../../format.ts";
import { type DialogForm, FormDialog } from "../../forms/form-dialog.tsx";
import { useForm } from "../../forms/use-form.ts";
import { CopyButton, copyText } from "../../ui/copy-button.tsx";
import { Confirm } from "../../ui/dialog/confirm.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NumberField } from "../../ui/field/field.tsx";
import { focusOnArrival } from "../../ui/focus.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { errorToastDurationMs, showToast } from "../../ui/toast/store.ts";

export interface TokenDialogProps extends Openable {
  action: "issue" | "invitation" | "revocation";
  /** Null while there is none yet. */
  token: Token | null;
}

/** The dialogs about tokens. One at a time: each is modal. */
export default function TokenDialog({ action, token, ...dialog }: TokenDialogProps) {
  if (!token) return <IssueToken {...dialog} />;
  return action === "invitation" ? (
    <Invitation {...dialog} token={token} />
  ) : (
    <TokenRevocation {...dialog} token={token} />
  );
}

function IssueToken(dialog: Openable) {
  return (
    <FormDialog
      {...dialog}
      title="Generate New Token"
      description="It opens one reseller account, and is copied as soon as it is made."
      width="narrow"
      work={useIssue()}
      submit="Generate Token"
      busyText="Generating..."
    >
      {(form) => <TokenForm {...form} />}
    </FormDialog>
  );
}

function TokenForm({ id, send }: DialogForm<TokenOrder>) {
  const form = useForm({ schema: TokenOrder, rule: problemsInTokenOrder, send });
  return (
    <form {...form.props} id={id}>
      <NumberField
        {...form.field("credits")}
        label="Credits (optional)"
        min={0}
        step={0.5}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        hint={startOf(form.values.credits)}
      />
    </form>
  );
}

/** What the token will bring, in words. */
function startOf(credits = 0): string {
  if (!(credits > 0)) return "What the new account starts with. Leave empty for none.";
  return `The new account starts with ${creditsWithUnit(credits)}.`;
}

/** The new token is copied to the clipboard and shown in the toast (rules.md: Referral tokens). */
function useIssue() {
  return useWork({
    mutationFn: issueToken,
    onSuccess: async ({ token: { token } }) => {
      void refresh(tokenList, statsQuery);
      showIssued(token, await copyText(token));
    },
    failed: "Failed to generate token",
  });
}

/**
 * A browser may allow copying only during a press, which the call has outlasted: then the toast offers another press.
 */
function showIssued(token: string, copied: boolean): void {
  if (copied) {
    showToast({ title: "Token Generated", description: `${token} copied to clipboard` });
    return;
  }
  showToast({
    title: "Token Generated",
    description: token,
    durationMs: errorToastDurationMs,
    action: { label: "Copy", onPress: () => void copyText(token) },
  });
}

/** An unused token as a link and as a QR code. */
function Invitation({ token, ...dialog }: Openable & { token: Token }) {
  const { credits } = token;
  const link = invitationTo(window.location.origin, token);
  const start = credits > 0 ? `, and begins with ${creditsWithUnit(credits)}` : "";
  return (
    <Dialog
      {...dialog}
      title="Invitation"
      description={`Whoever opens this link can register one reseller account${start}.`}
      width="narrow"
    >
      <section ref={focusOnArrival} tabIndex={-1} aria-label="Invitation link" className="grid gap-3 outline-none">
        <QrCode text={link} label="QR code of the link" />
        <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
          <p className="key-text min-w-0 grow break-all">{link}</p>
          <CopyButton
            label="Copy Link"
            text={link}
            onCopied={() => showToast({ title: "Copied", description: "Invitation copied to clipboard", brief: true })}
          />
        </div>
      </section>
    </Dialog>
  );
}

function TokenRevocation({ token: { id, token }, ...dialog }: Openable & { token: Token }) {
  const { mutateAsync } = useWork({
    mutationFn: () => revokeToken(id),
    done: ({ message }) => message,
    failed: "Failed to revoke token",
    // Awaited, so that the row is gone when the dialog is; after a refusal too, as it may be used by now.
    onSettled: () => refresh(tokenList, statsQuery),
  });
  return (
    <Confirm
      {...dialog}
      title="Revoke Token"
      text={
        <>
          <span className="block">
            Nobody can register with this token any more, and its invitation leads nowhere. This cannot be undone.
          </span>
          <span className="key-text mt-3 block rounded-md border border-line bg-card px-3 py-2 break-all text-text">
            {token}
          </span>
        </>
      }
      confirmLabel="Revoke Token"
      busyLabel="Revoking..."
      onConfirm={() => mutateAsync().catch(closeAfter("TOKEN_USED", "NOT_FOUND"))}
    />
  );
}
