import { useState } from "react";
import {
  messageCharactersUnder,
  problemsInUpdate,
  UpdateForm as Schema,
  type Update,
} from "../../../src/updates/schema.ts";
import { useForm } from "../../forms/use-form.ts";
import type { Values } from "../../forms/values.ts";
import { SwitchField, TextAreaField, TextField } from "../../ui/field/field.tsx";

export type Draft = Values<typeof Schema>;

interface UpdateFormProps {
  id: string;
  update: Update | null;
  /** What was typed before, when the form was left without saving it. */
  draft: Draft | null;
  /** Told what was typed, if anything was. */
  onLeave: (typed: Draft | null) => void;
  save: (form: Schema) => Promise<unknown>;
  onDone: () => void;
}

/** An update is active unless told (rules.md: Update fields). */
const fresh: Schema = { title: "", message: "", buttonText: "", linkUrl: "", isActive: true };

export function UpdateForm({ id, update, draft, onLeave, save, onDone }: UpdateFormProps) {
  const [saved] = useState(() => (update ? valuesOf(update) : fresh));
  const form = useForm({
    schema: Schema,
    rule: problemsInUpdate,
    initial: draft ?? saved,
    send: async (typed) => {
      await save(typed);
      onDone();
    },
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
          autoCapitalize="none"
          spellCheck={false}
        />
      </div>
      <SwitchField {...form.field("isActive")} label="Active" hint="Apps fetch active updates only." />
    </form>
  );
}

function valuesOf({ title, message, buttonText = "", linkUrl = "", isActive }: Update): Schema {
  return { title, message, buttonText, linkUrl, isActive };
}

function isSame(typed: Draft, saved: Schema): boolean {
  return (Object.keys(saved) as (keyof Schema)[]).every((field) => typed[field] === saved[field]);
}
