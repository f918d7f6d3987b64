import { useState } from "react";
import { ReplacementForm } from "../../../../src/keys/custom-key.ts";
import { replacementDays, replacementsMax } from "../../../../src/keys/limits.ts";
import { en } from "../../../../src/languages/texts/en.ts";
import { replaceKey } from "../../../api/calls/keys.ts";
import { useWork } from "../../../api/query.ts";
import { useSubmission } from "../../../api/submission.ts";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { useCanShare } from "../../../ui/share-button.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import type { GeneratedKey } from "../order/batch.ts";
import { Share } from "../order/export-keys.tsx";
import { CustomKeyInput } from "../order/order-fields.tsx";
import type { KeyChangeProps } from "./extension.tsx";
import { showKeyCopied } from "./key-text.tsx";
import { OfflineNote } from "./revocation-notes.tsx";

/** Gives a key a new text, chosen or made, and ends with that text, to be passed on. */
export default function Replacement({ scope: { area }, of: key, onChanged, ...dialog }: KeyChangeProps) {
  const [made, setMade] = useState<GeneratedKey | null>(null);
  const submission = useSubmission();
  const work = useWork({
    mutationFn: async (form: ReplacementForm) => {
      const headers = submission.headersFor({ replace: key.id, ...form });
      return (await replaceKey(area, key.id, form, headers)).key;
    },
    failed: "Failed to replace key",
    shownAtFields: ["KEY_TAKEN"],
    onSuccess: () => submission.succeed(),
    onSettled: onChanged,
  });
  if (made) return <NewText {...dialog} of={made} onClosed={() => setMade(null)} />;
  return (
    <FormDialog
      {...dialog}
      title="Replace Key"
      work={work}
      submit="Replace Key"
      busyText="Replacing..."
      form={{ schema: ReplacementForm, initial: {}, fieldOf: { KEY_TAKEN: "keyString" } }}
      onSent={setMade}
    >
      {(form) => (
        <>
          <div>
            <p>
              For a key that leaked. It gets a new text and keeps its time, limit and order. The old text stops working
              at once, and every device is removed. Players with the old text read:
            </p>
            <p className="mt-2 rounded-md border border-line bg-card px-3 py-2 text-text">{en.page.replaced}</p>
            <OfflineNote game={key.game} />
            {area === "reseller" && (
              <p className="mt-2 text-muted">
                A key can be replaced {replacementsMax} times in {replacementDays} days.
              </p>
            )}
          </div>
          <CustomKeyInput
            {...form.field("keyString")}
            label="New Key (optional)"
            typed={form.values.keyString}
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  );
}

function NewText({ of: key, ...dialog }: Openable & { of: GeneratedKey; onClosed: () => void }) {
  const shares = useCanShare();
  return (
    <Dialog
      {...dialog}
      title="Key Replaced"
      description="Send the new key to your customer."
      footer={<Button onClick={() => dialog.onOpenChange(false)}>Done</Button>}
    >
      <Verbatim className="block rounded-lg border border-line bg-card px-3 py-2 break-all">{key.keyString}</Verbatim>
      <div className="mt-3 flex gap-2">
        {shares && <Share keys={[key]} />}
        <CopyButton label="Copy Key" variant="secondary" text={key.keyString} onCopied={showKeyCopied} />
      </div>
    </Dialog>
  );
}
