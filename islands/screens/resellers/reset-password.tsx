import { useState } from "react";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { resetPassword } from "../../api/calls/resellers.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, KeptButton } from "../../ui/dialog/dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { StrongName, Verbatim } from "../../ui/table/card-text.tsx";

/** The confirmation and the new password, in one script: a password that could not be shown would be lost. */
export function ResetPassword({ reseller: { id, username }, ...dialog }: Openable & { reseller: Reseller }) {
  /** Shown once the confirmation has closed, and kept while its own dialog closes. */
  const [made, setMade] = useState<{ password: string; at: "waiting" | "shown" | "kept" } | null>(null);
  const goOn = (from: "waiting" | "shown", to: "shown" | "kept") =>
    setMade((now) => (now?.at === from ? { ...now, at: to } : now));
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
        onSuccess={({ password }) => setMade({ password, at: "waiting" })}
        failed="Failed to reset password"
        onClosed={() => goOn("waiting", "shown")}
      />
      <Dialog
        open={made?.at === "shown"}
        onOpenChange={() => {}}
        title="New Password"
        description={
          <>
            For <StrongName of={username} />. It won't be shown again.
          </>
        }
        width="narrow"
        stays
        footer={<KeptButton label="I've passed it on" onKept={() => goOn("shown", "kept")} />}
      >
        {made && <Password password={made.password} />}
      </Dialog>
    </>
  );
}

function Password({ password }: { password: string }) {
  return (
    // No button has the focus here: one Enter too many must not close what is shown only once.
    <section data-autofocus tabIndex={-1} aria-label="New password" className="grid gap-3 outline-none">
      <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
        <Verbatim className="block min-w-0 grow text-lg break-all">{password}</Verbatim>
        <CopyButton label="Copy" text={password} />
      </div>
      <p className="text-sm text-muted">The reseller can change it on the account page.</p>
    </section>
  );
}
