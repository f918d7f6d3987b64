import { CopyButton } from "../copy-button.tsx";
import { focusOnArrival } from "../focus.ts";
import { Verbatim } from "../table/card-text.tsx";
import { Dialog, KeptButton } from "./dialog.tsx";
import type { Openable } from "./lazy-dialog.tsx";

interface ShownOnceProps extends Openable {
  title: string;
  description: string;
  /** What the text is, for screen readers. */
  label: string;
  text: string;
}

/** A secret that the server shows only now. */
export function ShownOnce({ title, description, label, text, ...dialog }: ShownOnceProps) {
  return (
    <Dialog
      {...dialog}
      title={title}
      description={description}
      stays
      footer={<KeptButton label="I've saved it" onKept={() => dialog.onOpenChange(false)} />}
    >
      <section ref={focusOnArrival} tabIndex={-1} aria-label={label} className="grid gap-3 outline-none">
        <Verbatim className="block rounded-lg border border-line bg-card px-3 py-2 break-all">{text}</Verbatim>
        <CopyButton label="Copy" variant="secondary" text={text} />
      </section>
    </Dialog>
  );
}
