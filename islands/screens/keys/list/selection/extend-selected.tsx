import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { durationProblems, ExtensionForm, hoursIn, lengthProblems } from "../../../../../src/keys/life/length-form.ts";
import { extendedKeysMax } from "../../../../../src/keys/limits.ts";
import { keysTo } from "../../../../../src/resellers/cost.ts";
import { catalogueQuery, offersIn } from "../../../../api/calls/catalogue.ts";
import { countSelected, extendSelected, type SelectionCounts } from "../../../../api/calls/key-selection.ts";
import { refresh, useWork } from "../../../../api/query.ts";
import { useSubmission } from "../../../../api/submission.ts";
import { countText, durationText, pluralText } from "../../../../format.ts";
import { FormDialog } from "../../../../forms/form-dialog.tsx";
import type { Form } from "../../../../forms/use-form.ts";
import { Effects } from "../../../../ui/effects.tsx";
import { Time } from "../../../../ui/time.tsx";
import { ExtensionField, extendText, firstExtension, hoursOf } from "../extension-field.tsx";
import { PaidEffects } from "../paid-effects.tsx";
import type { SelectedProps } from "./selection.ts";

/** Extends the selected keys by one duration, all of them or none. */
export default function ExtendSelected({ scope, selector, counts, onDone, onChanged, ...dialog }: SelectedProps) {
  const { area } = scope;
  const submission = useSubmission();
  const catalogue = useQuery({ ...catalogueQuery, enabled: dialog.open && area === "reseller" }).data;
  const offers = area === "admin" ? null : offersIn(catalogue, {});
  const [{ toExtend, cost }, setPreview] = useState({ toExtend: 0, cost: 0 });
  const work = useWork({
    mutationFn: (form: ExtensionForm) => {
      const body = { mark: counts.mark, count: toExtend, ...timeIn(form) };
      return extendSelected(scope, selector, { ...body, cost }, submission.headersFor({ ...selector, ...body }));
    },
    done: ({ extendedCount }) => `Extended ${pluralText(extendedCount, "key")} successfully`,
    failed: "Failed to extend keys",
    onSuccess: () => {
      submission.succeed();
      onDone();
    },
    onError: () => {
      onChanged();
      void refresh(previews);
    },
  });
  /** Not before the preview: the server extends as many keys as it counted, or none. */
  const canExtend = toExtend > 0 && toExtend <= extendedKeysMax;
  const form = {
    schema: ExtensionForm,
    rule: offers === null ? lengthProblems : durationProblems,
    initial: firstExtension(offers),
    fieldOf: { INVALID_DAY_TIER: "durationId", hours: "length" },
  } as const;
  return (
    <FormDialog
      {...dialog}
      title="Extend Selected Keys"
      work={canExtend ? work : { ...work, mutateAsync: () => Promise.reject() }}
      submit={extendText(toExtend, cost)}
      busyText="Extending..."
      form={area === "admin" || catalogue ? form : null}
    >
      {(form) => <Fields {...{ form, scope, selector, counts, offers }} onPreview={setPreview} />}
    </FormDialog>
  );
}

interface FieldsProps extends Pick<SelectedProps, "scope" | "selector" | "counts"> {
  form: Form<typeof ExtensionForm>;
  offers: ReturnType<typeof offersIn> | null;
  /** Called with what the button does. */
  onPreview: (preview: { toExtend: number; cost: number }) => void;
}

function Fields({ form, scope, selector, counts, offers, onPreview }: FieldsProps) {
  const time = timeIn(form.values);
  const { data } = useQuery({
    queryKey: [...previews.queryKey, selector, counts.mark, time],
    queryFn: () => countSelected(scope, { ...selector, mark: counts.mark, ...time }),
    enabled: Object.values(time).some((value) => value !== undefined),
    staleTime: 0,
  });
  const { toExtend = 0, cost = 0, expiry = null } = data ?? {};
  useEffect(() => onPreview({ toExtend, cost }), [onPreview, toExtend, cost]);
  const leftOut = data && counts.selected - toExtend;
  const lines = {
    Extended: data ? pluralText(toExtend, "key") : "Counting...",
    "Left out": leftOut ? `${countText(leftOut)} revoked${offers ? " or not sold" : ""}` : undefined,
    ...expiryLines(expiry, toExtend > 0 ? hoursOf(form.values, offers) : null),
  };
  return (
    <>
      <ExtensionField form={form} offers={offers} />
      {toExtend > extendedKeysMax ? (
        <Effects lines={lines} warning={`At most ${countText(extendedKeysMax)} keys can be extended at once.`} />
      ) : (
        <PaidEffects cost={data || offers === null ? cost : null} purpose={keysTo("extend", toExtend)} lines={lines} />
      )}
    </>
  );
}

/** What the extension changes. Keys that have not started have no expiry. */
function expiryLines(expiry: SelectionCounts["expiry"] | null, hours: number | null): Record<string, ReactNode> {
  if (hours === null) return {};
  if (!expiry) return { Lasts: `${durationText(hours)} longer` };
  return {
    "Current expiry": <Span from={expiry.first} to={expiry.last} />,
    "New expiry": <Span from={expiry.newFirst} to={expiry.newLast} />,
  };
}

function Span({ from, to }: { from: string; to: string }) {
  if (from === to) return <Time value={from} format="instant" />;
  return (
    <>
      <Time value={from} format="dateAndTime" /> – <Time value={to} format="instant" />
    </>
  );
}

const previews = { queryKey: ["previews of extensions"] };

function timeIn({ durationId, ...length }: Partial<ExtensionForm>): { durationId?: number; hours?: number } {
  return durationId === undefined ? { hours: hoursIn(length) ?? undefined } : { durationId };
}
