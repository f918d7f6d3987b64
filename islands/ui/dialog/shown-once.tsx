import type { ReactNode } from "react";
import { CopyButton } from "../copy-button.tsx";
import { ShareButton, useCanShare } from "../share-button.tsx";
import { StrongName, Verbatim } from "../table/card-text.tsx";
import { Dialog, KeptButton } from "./dialog.tsx";
import type { Openable } from "./lazy-dialog.tsx";

interface ShownOnceProps extends Openable {
  title: string;
  description: ReactNode;
  /** What the text is, for screen readers. */
  label: string;
  text: string;
  keptLabel?: string;
  /** What is shared on a phone; without it nothing is. */
  message?: string;
}

/** A secret that the server shows only now. */
export function ShownOnce({ label, text, keptLabel = "I've saved it", message, ...dialog }: ShownOnceProps) {
  const shares = useCanShare() && message !== undefined;
  return (
    <Dialog {...dialog} stays footer={<KeptButton label={keptLabel} onKept={() => dialog.onOpenChange(false)} />}>
      <section data-autofocus tabIndex={-1} aria-label={label} className="grid gap-3 outline-none">
        <Verbatim className="block rounded-lg border border-line bg-card px-3 py-2 break-all">{text}</Verbatim>
        <CopyButton label="Copy" variant="secondary" text={text} />
        {shares && <ShareButton data={{ text: message }} failed="It could not be shared. Copy it instead." />}
      </section>
    </Dialog>
  );
}

/** The new password of another account. */
export function NewPassword({ username, password, ...dialog }: Openable & { username: string; password: string }) {
  return (
    <ShownOnce
      {...dialog}
      title="New Password"
      description={
        <>
          For <StrongName of={username} />. It won't be shown again, and can be changed on the account page.
        </>
      }
      label="New password"
      text={password}
      keptLabel="I've passed it on"
      message={`${window.location.origin}\nUsername: ${username}\nPassword: ${password}`}
    />
  );
}
