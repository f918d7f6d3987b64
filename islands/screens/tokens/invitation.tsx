import { invitationTo } from "../../../src/tokens/invitation.ts";
import type { Token } from "../../../src/tokens/schema.ts";
import { creditsWithUnit } from "../../format.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { focusOnArrival } from "../../ui/focus.ts";
import { QrCode } from "../../ui/qr-code.tsx";
import { showToast } from "../../ui/toast/store.ts";

/** An unused token as a link, to be sent, and as a QR code, to be held out. */
export default function Invitation({ token: { token, credits }, ...dialog }: Openable & { token: Token }) {
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
