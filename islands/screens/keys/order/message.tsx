import { useAtom } from "jotai";
import { type FormEvent, useId, useState } from "react";
import { messageAtom } from "../../../state/atoms.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { TextAreaField } from "../../../ui/field/field.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import { asMessage, type GeneratedKey, messageDefault, messagePlaces } from "./batch.ts";

interface MessageProps extends Openable {
  keys: readonly GeneratedKey[];
}

const messageCharactersMax = 1_000;

/** Edits the message that is sent with keys. It is kept in this browser. */
export default function Message({ keys, ...dialog }: MessageProps) {
  const formId = useId();
  return (
    <Dialog
      {...dialog}
      title="Message"
      description="The text that Share and Copy as message send with your keys. It is saved in this browser."
      footer={
        <>
          <Button onClick={() => dialog.onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary">
            Save Message
          </Button>
        </>
      }
    >
      <MessageForm id={formId} keys={keys} onDone={() => dialog.onOpenChange(false)} />
    </Dialog>
  );
}

function MessageForm({ id, keys, onDone }: Pick<MessageProps, "keys"> & { id: string; onDone: () => void }) {
  const [message, setMessage] = useAtom(messageAtom);
  const [typed, setTyped] = useState(message || messageDefault);
  function save(event: FormEvent) {
    event.preventDefault();
    setMessage(typed.trim() === messageDefault ? "" : typed.trim());
    onDone();
  }
  return (
    <form id={id} onSubmit={save} className="grid gap-4">
      <TextAreaField
        label="Text"
        rows={5}
        maxLength={messageCharactersMax}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        hint={
          <>
            Placeholders: <Verbatim>{messagePlaces.join(" ")}</Verbatim>
          </>
        }
      />
      <figure>
        <figcaption className="mb-1.5 font-medium">Preview</figcaption>
        <pre className="max-h-48 overflow-y-auto rounded-lg border border-line bg-card p-3 font-sans text-sm whitespace-pre-wrap wrap-anywhere text-muted">
          {asMessage(typed, keys.slice(0, previewKeysMax))}
        </pre>
      </figure>
    </form>
  );
}

const previewKeysMax = 3;
