import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { durationProblems, ExtensionForm, hoursIn, lengthProblems } from "../../../../../src/keys/life/length-form.ts";
import { extendedKeysMax } from "../../../../../src/keys/limits.ts";
import { keysTo } from "../../../../../src/resellers/cost.ts";
import { catalogueQuery, offersIn } from "../../../../api/calls/catalogue.ts";
import { countSelected, extendSelected, type SelectionCounts } from "../../../../api/calls/key-selection.ts";
import { refresh, useWork } from "../../../../api/query.ts";
import { useSubmission } from "../../../../api/submission.ts";
import { countText, durationText, pluralText } from "../../../../format.ts";
import { FormButtons } from "../../../../forms/form-dialog.tsx";
import { useForm } from "../../../../forms/use-form.ts";
import { Dialog } from "../../../../ui/dialog/dialog.tsx";
import { Effects } from "../../../../ui/effects.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { Time } from "../../../../ui/time.tsx";
import { ExtensionField, extendText, firstExtension, hoursOf } from "../extension-field.tsx";
import { PaidEffects } from "../paid-effects.tsx";
import type { SelectedProps } from "./selection.ts";

/** The time that was chosen, and the keys that the preview counted for it. */
type Chosen = { time: ReturnType<typeof timeIn>; toExtend: number; cost?: number };

/** Extends the selected keys by one duration, all of them or none. */
export default function ExtendSelected({ scope, selector, counts, onDone, onChanged, ...dialog }: SelectedProps) {
  const { area } = scope;
  const id = useId();
  const submission = useSubmission();
  const catalogue = useQuery({ ...catalogueQuery, enabled: dialog.open && area === "reseller" }).data;
  const offers = area === "admin" ? null : offersIn(catalogue, {});
  const work = useWork({
    mutationFn: ({ time, toExtend, cost }: Chosen) => {
      const body = { mark: counts.mark, count: toExtend, ...time };
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
  const [submit, setSubmit] = useState(extendText(1));
  const close = () => dialog.onOpenChange(false);
  const buttons = { formId: id, busy: work.isPending, submit, busyText: "Extending...", onCancel: close };
  return (
    <Dialog {...dialog} title="Extend Selected Keys" busy={work.isPending} footer={<FormButtons {...buttons} />}>
      {area === "admin" || catalogue ? (
        <Fields
          id={id}
          send={(chosen) => work.mutateAsync(chosen).then(close)}
          scope={scope}
          selector={selector}
          counts={counts}
          offers={offers}
          onPreview={setSubmit}
        />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Dialog>
  );
}

interface FieldsProps extends Pick<SelectedProps, "scope" | "selector" | "counts"> {
  id: string;
  send: (chosen: Chosen) => Promise<void>;
  offers: ReturnType<typeof offersIn> | null;
  /** Called with the label of the button that does what the preview says. */
  onPreview: (submit: string) => void;
}

function Fields({ id, send, scope, selector, counts, offers, onPreview }: FieldsProps) {
  const form = useForm({
    schema: ExtensionForm,
    rule: offers === null ? lengthProblems : durationProblems,
    initial: firstExtension(offers),
    send: async () => {
      if (canExtend) await send({ time, toExtend, cost: data?.cost });
    },
    fieldOf: { INVALID_DAY_TIER: "durationId", hours: "length" },
  });
  const time = timeIn(form.values);
  const { data } = useQuery({
    queryKey: [...previews.queryKey, selector, counts.mark, time],
    queryFn: () => countSelected(scope, { ...selector, mark: counts.mark, ...time }),
    enabled: Object.values(time).some((value) => value !== undefined),
    staleTime: 0,
  });
  const { toExtend = 0, cost = 0, expiry = null } = data ?? {};
  useEffect(() => onPreview(extendText(toExtend, cost)), [onPreview, toExtend, cost]);
  const isTooMany = toExtend > extendedKeysMax;
  /** Not before the preview: the server extends as many keys as it counted, or none. */
  const canExtend = toExtend > 0 && !isTooMany;
  const leftOut = data && counts.selected - toExtend;
  const lines = {
    Extended: data ? pluralText(toExtend, "key") : "Counting...",
    "Left out": leftOut ? `${countText(leftOut)} revoked${offers ? " or not sold" : ""}` : undefined,
    ...expiryLines(expiry, toExtend > 0 ? hoursOf(form.values, offers) : null),
  };
  return (
    <form {...form.props} id={id} className="grid gap-4">
      <ExtensionField form={form} offers={offers} />
      {isTooMany ? (
        <Effects lines={lines} warning={`At most ${countText(extendedKeysMax)} keys can be extended at once.`} />
      ) : (
        <PaidEffects cost={data || offers === null ? cost : null} purpose={keysTo("extend", toExtend)} lines={lines} />
      )}
    </form>
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
