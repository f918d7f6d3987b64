import { useRef } from "react";
import { messageCharactersUnder, problemsInUpdate, type Update, UpdateForm } from "../../../src/updates/schema.ts";
import { statsQuery } from "../../api/calls/overview.ts";
import { changeUpdate, createUpdate, updateList } from "../../api/calls/updates.ts";
import { putRow } from "../../api/paged-rows.ts";
import { refresh, useWork } from "../../api/query.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Values } from "../../forms/values.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { asTyped, SwitchField, TextAreaField, TextField } from "../../ui/field/field.tsx";

type Draft = Values<typeof UpdateForm>;

/** A dialog, and on small screens a drawer from the bottom. Without an update it creates one. */
export default function Editor({ update, ...dialog }: Openable & { update: Update | null }) {
  /** A press outside the dialog must not cost a long message: unless it was saved or cancelled, it is there again. */
  const draft = useRef<Draft | null>(null);
  const settled = useRef(false);
  const saved = update ? valuesOf(update) : fresh;
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
      form={{
        schema: UpdateForm,
        rule: problemsInUpdate,
        initial: draft.current ?? saved,
        onLeave: (typed) => {
          draft.current = settled.current || isSame(typed, saved) ? null : typed;
          settled.current = false;
        },
      }}
    >
      {({ field, values }) => (
        <>
          <TextField {...field("title")} label="Title" data-autofocus />
          <TextAreaField
            {...field("message")}
            label="Message"
            rows={5}
            length={values.message?.length}
            counterMax={messageCharactersUnder}
          />
          <div className="grid gap-4 md:grid-cols-[2fr_3fr]">
            <TextField {...field("buttonText")} label="Button Text (optional)" placeholder="Read more" />
            <TextField
              {...field("linkUrl")}
              label="Link URL (optional)"
              placeholder="https://example.com/news"
              inputMode="url"
              {...asTyped}
            />
          </div>
          <SwitchField {...field("isActive")} label="Active" hint="Apps fetch only active updates." />
        </>
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

/** A new update is active by default. */
const fresh: UpdateForm = { title: "", message: "", buttonText: "", linkUrl: "", isActive: true };

function valuesOf({ title, message, buttonText = "", linkUrl = "", isActive }: Update): UpdateForm {
  return { title, message, buttonText, linkUrl, isActive };
}

function isSame(typed: Draft, saved: UpdateForm): boolean {
  return (Object.keys(saved) as (keyof UpdateForm)[]).every((field) => typed[field] === saved[field]);
}
