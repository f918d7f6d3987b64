import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { durationProblems, ExtensionForm, hoursIn, lengthProblems } from "../../../../../src/keys/life/length-form.ts";
import { extendedKeysMax } from "../../../../../src/keys/limits.ts";
import { keysTo } from "../../../../../src/resellers/cost.ts";
import { catalogueQuery, offersIn } from "../../../../api/calls/catalogue.ts";
import { countSelected, extendSelected } from "../../../../api/calls/key-selection.ts";
import { refresh, useWork } from "../../../../api/query.ts";
import { useSubmission } from "../../../../api/submission.ts";
import { countText, pluralText } from "../../../../format.ts";
import { FormButtons } from "../../../../forms/form-dialog.tsx";
import { useForm } from "../../../../forms/use-form.ts";
import { Dialog } from "../../../../ui/dialog/dialog.tsx";
import { Effects } from "../../../../ui/effects.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { ExtensionField, firstExtension } from "../extension-field.tsx";
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
  const close = () => dialog.onOpenChange(false);
  const buttons = { formId: id, busy: work.isPending, submit: "Extend", busyText: "Extending...", onCancel: close };
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
}

function Fields({ id, send, scope, selector, counts, offers }: FieldsProps) {
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
  const { toExtend = 0, cost = 0 } = data ?? {};
  const isTooMany = toExtend > extendedKeysMax;
  /** Not before the preview: the server extends as many keys as it counted, or none. */
  const canExtend = toExtend > 0 && !isTooMany;
  const leftOut = data && counts.selected - toExtend;
  const lines = {
    "To extend": data ? pluralText(toExtend, "key") : "Counting...",
    "Left out": leftOut ? `${countText(leftOut)} revoked${offers ? " or not sold" : ""}` : undefined,
  };
  return (
    <form {...form.props} id={id} className="grid gap-4">
      <ExtensionField form={form} offers={offers} />
      {isTooMany ? (
        <Effects lines={lines} warning={`At most ${countText(extendedKeysMax)} keys can be extended at once.`} />
      ) : offers === null ? (
        <Effects lines={{ ...lines, Cost: "Free" }} />
      ) : (
        <PaidEffects cost={data ? cost : null} purpose={keysTo("extend", toExtend)} lines={lines} />
      )}
    </form>
  );
}

const previews = { queryKey: ["previews of extensions"] };

function timeIn({ durationId, ...length }: Partial<ExtensionForm>): { durationId?: number; hours?: number } {
  return durationId === undefined ? { hours: hoursIn(length) ?? undefined } : { durationId };
}
