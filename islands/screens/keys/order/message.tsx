import { Type } from "@sinclair/typebox";
import { useAtom } from "jotai";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import { messageAtom } from "../../../state/atoms.ts";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { TextAreaField } from "../../../ui/field/field.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import { asMessage, type GeneratedKey, messageDefault, messagePlaces } from "./batch.ts";

interface MessageProps extends Openable {
  keys: readonly GeneratedKey[];
}

const messageCharactersMax = 1_000;

const MessageForm = Type.Object({ message: Type.String() });

/** Edits the message that is sent with keys. It is kept in this browser. */
export default function Message({ keys, ...dialog }: MessageProps) {
  const [message, setMessage] = useAtom(messageAtom);
  const save = async (typed: string) => setMessage(typed === messageDefault ? "" : typed);
  return (
    <FormDialog
      {...dialog}
      title="Message"
      description="The text that Share and Copy as message send with your keys. It is saved in this browser."
      work={{ isPending: false, mutateAsync: (form) => save(form.message) }}
      submit="Save Message"
      busyText="Saving..."
      form={{ schema: MessageForm, initial: { message: message || messageDefault } }}
    >
      {({ field, values }) => (
        <>
          <TextAreaField
            {...field("message")}
            label="Text"
            rows={5}
            maxLength={messageCharactersMax}
            hint={
              <>
                Placeholders: <Verbatim>{messagePlaces.join(" ")}</Verbatim>
              </>
            }
          />
          <figure>
            <figcaption className="mb-1.5 font-medium">Preview</figcaption>
            <pre className="max-h-48 overflow-y-auto rounded-lg border border-line bg-card p-3 font-sans text-sm whitespace-pre-wrap wrap-anywhere text-muted">
              {asMessage(values.message ?? "", keys.slice(0, previewKeysMax))}
            </pre>
          </figure>
        </>
      )}
    </FormDialog>
  );
}

const previewKeysMax = 3;
