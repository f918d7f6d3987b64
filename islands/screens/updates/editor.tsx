import { useRef, useState } from "react";
import { messageCharactersUnder, problemsInUpdate, type Update, UpdateForm } from "../../../src/updates/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { changeUpdate, createUpdate, updateList } from "../../api/calls/updates.ts";
import { putRow } from "../../api/paged-rows.ts";
import { refresh, useWork } from "../../api/query.ts";
import { type DialogForm, FormDialog } from "../../forms/form-dialog.tsx";
import { useForm } from "../../forms/use-form.ts";
import type { Values } from "../../forms/values.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { asTyped, SwitchField, TextAreaField, TextField } from "../../ui/field/field.tsx";

type Draft = Values<typeof UpdateForm>;

/** A dialog, and on small screens a drawer from the bottom. Without an update it creates one. */
export default function Editor({ update, ...dialog }: Openable & { update: Update | null }) {
  /** A press outside the dialog must not cost a long message: unless it was saved or cancelled, it is there again. */
  const draft = useRef<Draft | null>(null);
  const settled = useRef(false);
  const settle = () => {
    settled.current = true;
  };
  return (
    <FormDialog
      {...dialog}
      work={useSave(update, settle)}
      title={update ? "Edit Update" : "Create Update"}
      description={update ? undefined : "Apps show it as soon as it is active."}
      submit={update ? "Save Changes" : "Create Update"}
      busyText={update ? "Saving..." : "Creating..."}
      onCancel={() => {
        settle();
        dialog.onOpenChange(false);
      }}
    >
      {(form) => (
        <Fields
          {...form}
          saved={update ? valuesOf(update) : fresh}
          draft={draft.current}
          onLeave={(typed) => {
            draft.current = settled.current ? null : typed;
            settled.current = false;
          }}
        />
      )}
    </FormDialog>
  );
}

/** Changes the update, or creates one where there is none. */
function useSave(update: Update | null, onSaved: () => void) {
  return useWork({
    mutationFn: (form: UpdateForm) => (update ? changeUpdate(update.id, form) : createUpdate(form)),
    done: update ? "Update saved successfully!" : "Update created successfully!",
    onSuccess: (saved) => {
      putRow(updateList, saved);
      onSaved();
    },
    failed: update ? "Failed to update" : "Failed to create update",
    // After a refusal too: another admin may have deleted it meanwhile.
    onSettled: () => void refresh(updateList, statsQuery),
  });
}

interface FieldsProps extends DialogForm<UpdateForm> {
  saved: UpdateForm;
  /** What was typed before, when the form was left without saving it. */
  draft: Draft | null;
  /** Called with what was typed, or null where nothing was. */
  onLeave: (typed: Draft | null) => void;
}

function Fields({ id, saved: savedNow, draft, onLeave, send }: FieldsProps) {
  const [saved] = useState(savedNow);
  const form = useForm({
    schema: UpdateForm,
    rule: problemsInUpdate,
    initial: draft ?? saved,
    send,
    onLeave: (typed) => onLeave(isSame(typed, saved) ? null : typed),
  });
  return (
    <form {...form.props} id={id} className="grid gap-4">
      <TextField {...form.field("title")} label="Title" autoComplete="off" data-autofocus />
      <TextAreaField
        {...form.field("message")}
        label="Message"
        rows={5}
        length={form.values.message?.length}
        counterMax={messageCharactersUnder}
      />
      <div className="grid gap-4 md:grid-cols-[2fr_3fr]">
        <TextField
          {...form.field("buttonText")}
          label="Button Text (optional)"
          placeholder="Read more"
          autoComplete="off"
        />
        <TextField
          {...form.field("linkUrl")}
          label="Link URL (optional)"
          placeholder="https://example.com/news"
          inputMode="url"
          autoComplete="off"
          {...asTyped}
        />
      </div>
      <SwitchField {...form.field("isActive")} label="Active" hint="Apps fetch only active updates." />
    </form>
  );
}

/** A new update is active by default. */
const fresh: UpdateForm = { title: "", message: "", buttonText: "", linkUrl: "", isActive: true };

function valuesOf({ title, message, buttonText = "", linkUrl = "", isActive }: Update): UpdateForm {
  return { title, message, buttonText, linkUrl, isActive };
}

function isSame(typed: Draft, saved: UpdateForm): boolean {
  return (Object.keys(saved) as (keyof UpdateForm)[]).every((field) => typed[field] === saved[field]);
}
