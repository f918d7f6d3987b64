import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Game } from "../../../src/catalogue/schema.ts";
import { noteCharactersMax } from "../../../src/core/field.ts";
import {
  interventionOf,
  interventionProblems,
  PanelIntervention,
} from "../../../src/interventions/intervention-form.ts";
import type { InterventionKind } from "../../../src/interventions/schema.ts";
import { hoursIn } from "../../../src/keys/life/length-form.ts";
import { adminDaysMax, hoursAtOnceMax } from "../../../src/keys/limits.ts";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { allGamesQuery } from "../../api/calls/catalogue.ts";
import { countAffected, intervene } from "../../api/calls/interventions.ts";
import { useWork } from "../../api/query.ts";
import { useSubmission } from "../../api/submission.ts";
import { countText, durationText, pluralText } from "../../format.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { LengthField } from "../../forms/length-field.tsx";
import type { Form } from "../../forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { type Openable, useDialog } from "../../ui/dialog/lazy-dialog.tsx";
import { Effects } from "../../ui/effects.tsx";
import { NativeSelectField, NumberField, TextField } from "../../ui/field/field.tsx";
import type { Choice } from "../../ui/field/native-select.tsx";
import Maintenance from "../keys/life/maintenance.tsx";
import { FormResellerField } from "../resellers/reseller-field.tsx";
import { verbs } from "./columns.tsx";

interface NewInterventionProps extends Openable {
  onChanged: () => void;
}

/** Counts the keys first. The same button then starts the intervention, until a field is changed. */
export default function NewIntervention({ onChanged, ...dialog }: NewInterventionProps) {
  const submission = useSubmission();
  const [counted, setCounted] = useState<{ kind: InterventionKind; count: number } | null>(null);
  const counting = useWork({
    mutationFn: async (form: PanelIntervention) => {
      const { count } = await countAffected(interventionOf(form));
      setCounted({ kind: form.kind, count });
    },
    failed: "The keys could not be counted",
  });
  const starting = useWork({
    mutationFn: (form: PanelIntervention) => {
      const order = interventionOf(form);
      return intervene(order, submission.headersFor(order));
    },
    done: ({ count }) => `Started for ${pluralText(count, "key")}`,
    failed: "Failed to start the intervention",
    onSuccess: () => submission.succeed(),
    onSettled: onChanged,
  });
  const { dialog: instead, show: showInstead } = useDialog<{ game: Game }>();
  /** The game whose maintenance is opened as soon as this dialog has given back the focus. */
  const wanted = useRef<Game>(null);
  const canStart = counted !== null && counted.count > 0;
  return (
    <>
      <FormDialog
        {...dialog}
        title="New Intervention"
        description="Nothing is changed yet."
        onClosed={() => {
          if (wanted.current) showInstead({ game: wanted.current });
          wanted.current = null;
        }}
        work={{
          isPending: counting.isPending || starting.isPending,
          mutateAsync: (form): Promise<unknown> => (canStart ? starting : counting).mutateAsync(form),
        }}
        submit={canStart ? `${verbs[counted.kind]} ${pluralText(counted.count, "key")}` : "Count Keys"}
        busyText={counting.isPending ? "Counting..." : "Starting..."}
        form={{
          schema: PanelIntervention,
          rule: interventionProblems,
          initial: { kind: "compensate", scope: "all", length: 24, unit: "hours" },
          fieldOf: { hours: "length" },
        }}
        onSent={() => dialog.onOpenChange(!canStart)}
      >
        {(form) => (
          <Fields
            form={form}
            counted={counted?.count ?? null}
            forget={() => setCounted(null)}
            onMaintenance={(game) => {
              wanted.current = game;
              dialog.onOpenChange(false);
            }}
          />
        )}
      </FormDialog>
      {instead && <Maintenance {...instead} />}
    </>
  );
}

interface FieldsProps extends Filled {
  /** The number of keys that these values are about, once it is known. */
  counted: number | null;
  /** The number is not that of other values. */
  forget: () => void;
  /** Opens the dialog of a game's maintenance. */
  onMaintenance: (game: Game) => void;
}

function Fields({ form, counted, forget, onMaintenance }: FieldsProps) {
  const { kind = "compensate" } = form.values;
  const order = JSON.stringify(form.values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change of the values.
  useEffect(() => forget(), [order]);
  const result = useRef<HTMLDivElement>(null);
  // On a phone it is below the fields.
  useEffect(() => {
    if (counted !== null) result.current?.scrollIntoView?.({ block: "nearest" });
  }, [counted]);
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <NativeSelectField {...form.field("kind")} label="What to Do" choices={kindChoices} data-autofocus />
      <NativeSelectField {...form.field("scope")} label="Keys" choices={scopeChoices} />
      <ScopeField form={form} onMaintenance={onMaintenance} />
      {kind === "compensate" && <CompensationFields form={form} />}
      <TextField
        {...form.field("reason")}
        className="md:col-span-2"
        label="Reason"
        placeholder="What happened"
        maxLength={noteCharactersMax}
        hint="Only admins see it."
      />
      {kind === "pause" && (
        <TextField
          {...form.field("resellerNote")}
          className="md:col-span-2"
          label="What resellers read (optional)"
          maxLength={noteCharactersMax}
          hint="On their dashboard and on the pages of their keys."
        />
      )}
      {counted !== null && (
        <div ref={result} className="md:col-span-2">
          <Effects
            lines={{
              "Keys affected": countText(counted),
              [effects[kind].name]:
                kind === "compensate" ? durationText(hoursIn(form.values) ?? 0) : effects[kind].value,
            }}
            warning={counted === 0 && "There is nothing to do."}
          />
        </div>
      )}
    </div>
  );
}

const kindChoices = Object.entries(verbs).map(([value, label]) => ({ value, label }));

const effects: Record<InterventionKind, { name: string; value?: string }> = {
  compensate: { name: "Each gets" },
  pause: { name: "Players", value: "Refused until it is resumed" },
  resume: { name: "Each gets", value: "The time it was paused" },
};

const scopeChoices: Choice<PanelIntervention["scope"]>[] = [
  { value: "all", label: "All keys" },
  { value: "game", label: "Of a game" },
  { value: "reseller", label: "Of a reseller" },
  { value: "order", label: "Of an order" },
];

type Filled = { form: Form<typeof PanelIntervention> };

/** Names the game, the reseller or the order. */
function ScopeField({ form, onMaintenance }: Filled & Pick<FieldsProps, "onMaintenance">) {
  const { data: games = [] } = useQuery(allGamesQuery);
  const [reseller, setReseller] = useState<Reseller | null>(null);
  const { kind, scope, gameId } = form.values;
  if (scope === "game") {
    const game = kind === "pause" ? games.find(({ id }) => id === gameId) : undefined;
    const choices = games.map(({ id, name }) => ({ value: String(id), label: name }));
    return (
      <div className="grid justify-items-start gap-2 *:first:w-full md:col-span-2">
        <NativeSelectField {...form.field("gameId")} label="Game" placeholder="Select a game" choices={choices} />
        {game && <Button onClick={() => onMaintenance(game)}>Maintenance sentence instead…</Button>}
      </div>
    );
  }
  if (scope === "reseller") {
    return (
      <div className="md:col-span-2">
        <FormResellerField form={form} chosen={reseller} onChoose={setReseller} />
      </div>
    );
  }
  if (scope !== "order") return null;
  return <NumberField {...form.field("orderId")} className="md:col-span-2" label="Order Number" min={1} />;
}

function CompensationFields({ form }: Filled) {
  const { unit } = form.values;
  return (
    <>
      <LengthField
        {...form.field("length")}
        label="Time to Add"
        unit={form.field("unit")}
        hint={`1 to ${countText(unit === "hours" ? hoursAtOnceMax : adminDaysMax)}`}
      />
      <TextField
        {...form.field("since")}
        type="datetime-local"
        label="Also Expired Since (optional)"
        hint="Keys that expired after this, in your time zone"
      />
    </>
  );
}
