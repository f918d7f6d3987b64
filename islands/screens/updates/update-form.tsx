import { useEffect, useState } from "react";
import { type Control, useForm, useWatch } from "react-hook-form";
import {
  messageCharactersUnder,
  problemsInUpdate,
  UpdateForm as Schema,
  type Update,
} from "../../../src/updates/schema.ts";
import { schemaResolver } from "../../form.ts";
import { ApiFailure } from "../../server/api.ts";
import { SwitchField, TextAreaField, TextField } from "../../ui/field/field.tsx";

interface UpdateFormProps {
  id: string;
  update: Update | null;
  /** What was typed before, when the form was left without saving it. */
  draft: Schema | null;
  /** Told what was typed, if anything was. */
  onLeave: (typed: Schema | null) => void;
  save: (form: Schema) => Promise<unknown>;
  onDone: () => void;
}

/** Section 5: an update is active unless told. */
const fresh: Schema = { title: "", message: "", buttonText: "", linkUrl: "", isActive: true };

export function UpdateForm({ id, update, draft, onLeave, save, onDone }: UpdateFormProps) {
  const [saved] = useState(() => (update ? valuesOf(update) : fresh));
  const { control, register, handleSubmit, setError, getValues, formState } = useForm<Schema>({
    resolver: schemaResolver(Schema, problemsInUpdate),
    defaultValues: draft ?? saved,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, on leaving.
  useEffect(() => () => onLeave(isSame(getValues(), saved) ? null : getValues()), []);
  const messageOf = (field: keyof Schema) => formState.errors[field]?.message;

  async function submit(form: Schema) {
    try {
      await save(form);
      onDone();
    } catch (error) {
      const problems = error instanceof ApiFailure ? error.errors : [];
      for (const { path, message } of problems) setError(path as keyof Schema, { message });
    }
  }

  return (
    <form id={id} noValidate onSubmit={handleSubmit(submit)} className="grid gap-4">
      <TextField {...register("title")} label="Title" autoComplete="off" data-autofocus message={messageOf("title")} />
      <TextAreaField
        {...register("message")}
        label="Message"
        rows={5}
        length={useMessageLength(control)}
        counterMax={messageCharactersUnder}
        message={messageOf("message")}
      />
      <div className="grid gap-4 md:grid-cols-[2fr_3fr]">
        <TextField
          {...register("buttonText")}
          label="Button Text (optional)"
          placeholder="Read more"
          autoComplete="off"
          message={messageOf("buttonText")}
        />
        <TextField
          {...register("linkUrl")}
          label="Link URL (optional)"
          placeholder="https://example.com/news"
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          message={messageOf("linkUrl")}
        />
      </div>
      <SwitchField
        {...register("isActive")}
        label="Active"
        hint="Apps fetch active updates only."
        message={messageOf("isActive")}
      />
    </form>
  );
}

function useMessageLength(control: Control<Schema, unknown, Schema>): number {
  return useWatch({ control, name: "message" }).length;
}

function valuesOf({ title, message, buttonText = "", linkUrl = "", isActive }: Update): Schema {
  return { title, message, buttonText, linkUrl, isActive };
}

function isSame(typed: Schema, saved: Schema): boolean {
  return (Object.keys(saved) as (keyof Schema)[]).every((field) => typed[field] === saved[field]);
}
