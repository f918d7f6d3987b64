import type { ReactNode } from "react";
import { CopyButton } from "../copy-button.tsx";
import { Verbatim } from "../table/card-text.tsx";
import { Dialog, KeptButton } from "./dialog.tsx";
import type { Openable } from "./lazy-dialog.tsx";

interface ShownOnceProps extends Openable {
  title: string;
  description: ReactNode;
  /** What the text is, for screen readers. */
  label: string;
  text: string;
  keptLabel?: string;
}

/** A secret that the server shows only now. */
export function ShownOnce({ label, text, keptLabel = "I've saved it", ...dialog }: ShownOnceProps) {
  return (
    <Dialog {...dialog} stays footer={<KeptButton label={keptLabel} onKept={() => dialog.onOpenChange(false)} />}>
      <section data-autofocus tabIndex={-1} aria-label={label} className="grid gap-3 outline-none">
        <Verbatim className="block rounded-lg border border-line bg-card px-3 py-2 break-all">{text}</Verbatim>
        <CopyButton label="Copy" variant="secondary" text={text} />
      </section>
    </Dialog>
  );
}
