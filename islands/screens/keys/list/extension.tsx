import { useQuery } from "@tanstack/react-query";
import { pricedLimit } from "../../../../src/catalogue/limits.ts";
import { msPerHour } from "../../../../src/core/clock.ts";
import { durationProblems, ExtensionForm, hoursIn, lengthProblems } from "../../../../src/keys/life/length-form.ts";
import { keysTo } from "../../../../src/resellers/cost.ts";
import { hasCode } from "../../../api/api.ts";
import { catalogueQuery, type Offer, offersIn } from "../../../api/calls/catalogue.ts";
import type { KeyScope } from "../../../api/calls/key-selection.ts";
import { extendAnyKey, extendOwnKey } from "../../../api/calls/key-time.ts";
import type { KeyDetail } from "../../../api/calls/keys.ts";
import { refresh, useWork } from "../../../api/query.ts";
import { useSubmission } from "../../../api/submission.ts";
import { durationText } from "../../../format.ts";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import type { Form } from "../../../forms/use-form.ts";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Key } from "./columns.tsx";
import { ExtensionField, extendText, firstExtension, hoursOf } from "./extension-field.tsx";
import { PaidEffects } from "./paid-effects.tsx";

export interface KeyChangeProps extends Openable {
  scope: KeyScope;
  of: Key | KeyDetail;
  /** Also after a refusal: something else may have changed the key. */
  onChanged: () => void;
}

/** More time for a key: resellers buy a duration, admins give any. */
export default function Extension({ scope: { area }, of: key, onChanged, ...dialog }: KeyChangeProps) {
  const submission = useSubmission();
  const catalogue = useQuery({ ...catalogueQuery, enabled: dialog.open && area === "reseller" }).data;
  const offers =
    area === "admin" ? null : offersIn(catalogue, { game: key.game, deviceLimit: pricedLimit(key.deviceLimit) });
  const costOf = (id: number | undefined) => offers?.find((offer) => offer.id === id)?.price ?? undefined;
  const work = useWork({
    mutationFn: async ({ durationId, ...length }: ExtensionForm) => {
      const headers = submission.headersFor({ extend: key.id, durationId, ...length });
      const cost = costOf(durationId);
      if (area === "reseller") await extendOwnKey(key.id, { durationId, cost }, headers);
      else await extendAnyKey(key.id, { hours: hoursIn(length) ?? 0 }, headers);
    },
    done: "Key extended successfully",
    failed: "Failed to extend key",
    onSuccess: () => submission.succeed(),
    onError: (error) => {
      if (hasCode(error, "COST_CHANGED")) void refresh(catalogueQuery);
    },
    onSettled: onChanged,
  });
  return (
    <FormDialog
      {...dialog}
      title="Extend Key"
      work={work}
      submit={({ durationId }) => extendText(1, costOf(durationId))}
      busyText="Extending..."
      form={
        area === "reseller" && !catalogue
          ? null
          : {
              schema: ExtensionForm,
              rule: offers === null ? lengthProblems : durationProblems,
              initial: firstExtension(offers),
              fieldOf: { INVALID_DAY_TIER: "durationId", NOT_SOLD: "durationId", hours: "length" },
            }
      }
    >
      {(form) => <ExtensionFields form={form} of={key} offers={offers} />}
    </FormDialog>
  );
}

interface ExtensionFieldsProps {
  form: Form<typeof ExtensionForm>;
  of: Key | KeyDetail;
  /** Null for admins. */
  offers: Offer[] | null;
}

function ExtensionFields({ form, of: key, offers }: ExtensionFieldsProps) {
  if (offers?.length === 0) {
    return <p className="text-muted">Keys like this are not sold any more, so it cannot be extended.</p>;
  }
  const hours = hoursOf(form.values, offers);
  return (
    <>
      <ExtensionField form={form} offers={offers} />
      <PaidEffects
        cost={offers === null ? 0 : (offers.find((offer) => offer.id === form.values.durationId)?.price ?? null)}
        purpose={keysTo("extend", 1)}
        lines={expiryLines(key, hours)}
      />
    </>
  );
}

/** What an extension by these hours changes, in words. */
function expiryLines({ expiryDate, durationHours, status, pausedAt }: Key | KeyDetail, hours: number | null) {
  if (hours === null) return { Expires: "–" };
  if (expiryDate === null) return { Lasts: `${durationText((durationHours ?? 0) + hours)} from first use` };
  const from = pausedAt === null ? Math.max(Date.now(), Date.parse(expiryDate)) : Date.parse(expiryDate);
  return {
    "Current expiry": status === "EXPIRED" ? "Has expired" : <Time value={expiryDate} format="instant" />,
    "New expiry": <Time value={new Date(from + hours * msPerHour).toISOString()} format="instant" />,
    ...(pausedAt !== null && { "While paused": "The expiry moves on" }),
  };
}
