import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { resellerDeviceLimits } from "../../../src/catalogue/limits.ts";
import type { Catalogue } from "../../../src/catalogue/schema.ts";
import { creditsOf, tenthsOf } from "../../../src/core/credits.ts";
import { nonBlank } from "../../../src/core/field.ts";
import { durationProblems } from "../../../src/keys/life/length-form.ts";
import { keysPerBatchMax } from "../../../src/keys/limits.ts";
import { Count, PurchaseFields } from "../../../src/orders/order-form.ts";
import type { BoughtKeys, KeyPurchase } from "../../../src/orders/schema.ts";
import { ApiFailure, hasCode } from "../../api/api.ts";
import { catalogueQuery, offerChoice, offersIn } from "../../api/calls/catalogue.ts";
import { buyKeys, ownKeyList } from "../../api/calls/keys.ts";
import { profileQuery, sessionQuery } from "../../api/calls/session.ts";
import { queryClient, refresh, useWork } from "../../api/query.ts";
import { useSubmission } from "../../api/submission.ts";
import { useForm } from "../../forms/use-form.ts";
import type { Values } from "../../forms/values.ts";
import { loseSession } from "../../state/signals.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";
import {
  CountField,
  CustomKeyField,
  forgetBatch,
  fromFirstUse,
  OrderFields,
  orderDefaults,
} from "../keys/order/order-fields.tsx";
import { CostBox } from "./cost-box.tsx";

/** The duration that a new form has selected, if it is sold. */
const hoursDefault = 720;

interface PurchaseFormProps {
  resellerId: number;
  /** The query string of the request. */
  search: string;
  onBought: (bought: BoughtKeys) => void;
}

export function PurchaseForm({ resellerId, search, onBought }: PurchaseFormProps) {
  const purchase = usePurchase(resellerId);
  const form = useForm({
    schema: PurchaseFields,
    rule: durationProblems,
    initial: orderIn(search),
    send: async (order) => {
      const cost = price === null ? undefined : creditsOf((tenthsOf(price) ?? 0) * order.count);
      const bought = await purchase.mutateAsync({ order: inDays(order, durations), cost });
      forgetBatch(form);
      onBought(bought);
    },
    fieldOf: { KEY_TAKEN: "keyString", INVALID_DAY_TIER: "durationId", NOT_SOLD: "durationId" },
  });
  const { game, deviceLimit = orderDefaults.deviceLimit, durationId, starts, count } = form.values;
  const catalogue = useQuery(catalogueQuery).data;
  const durations = offersIn(catalogue, { game, deviceLimit });
  const price = durations.find(({ id }) => id === durationId)?.price ?? null;
  const known = catalogue !== undefined;
  const preset = useEffectEvent(() => {
    const given = new URLSearchParams(search);
    const ordered = catalogue?.games.find(({ name }) => name === given.get("game"));
    if (ordered) form.fill("game", ordered.name);
    const hours = Number(given.get("hours"));
    const duration = [hours, hoursDefault].map((each) => durations.find((offer) => offer.hours === each)).find(Boolean);
    const chosen = duration ?? durations[0];
    if (chosen) form.fill("durationId", String(chosen.id));
  });
  useEffect(() => {
    if (known) preset();
  }, [known]);

  return (
    <form
      {...form.props}
      className="grid items-start gap-4 max-md:pb-24 md:grid-cols-[minmax(0,1fr)_18.5rem] xl:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <Card className="@container">
        <CardHeading title="Key Settings" />
        <CardBody className="grid gap-4 @md:grid-cols-2 @md:gap-5">
          <OrderFields
            form={form}
            catalogue={catalogue}
            deviceLimits={resellerDeviceLimits}
            duration={
              <NativeSelectField
                {...form.field("durationId")}
                label="Duration & Cost"
                placeholder="Select a duration"
                choices={durations.map(offerChoice)}
                hint={`Counts ${starts === "first_use" ? fromFirstUse : "from when the key is generated"}`}
              />
            }
          />
          <CountField form={form} problem={tooManyKeys(count)} />
          <CustomKeyField form={form} games={catalogue?.games} />
        </CardBody>
      </Card>
      <CostBox price={price} count={count} isFirstUse={starts === "first_use"} busy={form.busy} />
    </form>
  );
}

/**
 * The order that "Buy again" has put into the address, but for its game and duration, which the catalogue must have.
 * What the form does not offer becomes its default: people edit addresses.
 */
function orderIn(search: string): Values<typeof PurchaseFields> {
  const given = new URLSearchParams(search);
  const chosen = <Value,>(name: keyof PurchaseFields, offered: readonly Value[]) =>
    offered.find((value) => String(value) === given.get(name));
  return {
    deviceLimit: chosen("deviceLimit", resellerDeviceLimits) ?? orderDefaults.deviceLimit,
    starts: chosen("starts", ["first_use"] as const) ?? orderDefaults.starts,
    count: chosen("count", counts) ?? orderDefaults.count,
  };
}

const counts = Array.from({ length: keysPerBatchMax }, (_, index) => index + 1);

/** Buys keys, all of them or none. */
function usePurchase(resellerId: number) {
  const submission = useSubmission();
  return useWork({
    mutationFn: async ({ order, cost }: { order: PurchaseFields; cost?: number }) => {
      await refuseLostSession(resellerId);
      const starts = order.starts === orderDefaults.starts ? undefined : order.starts;
      const body: KeyPurchase = { ...order, starts, keyString: nonBlank(order.keyString), resellerId };
      return buyKeys({ ...body, cost }, submission.headersFor(body));
    },
    done: ({ keys }) => `Generated ${keys.length} key(s) successfully`,
    failed: (_, { order }) => (order.count === 1 ? "Failed to generate key" : "Failed to generate keys"),
    onSuccess: () => {
      submission.succeed();
      void refresh(ownKeyList, profileQuery);
    },
    onError: (error) => {
      // What the page shows was out of date.
      if (hasCode(error, "CREDITS_SHORT", "COST_CHANGED")) void refresh(profileQuery, catalogueQuery);
    },
  });
}

/** The session is fetched before keys are bought, because another account may have signed in since in this browser. */
async function refuseLostSession(resellerId: number): Promise<void> {
  const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  if (!session.isAuthenticated || session.user?.id !== resellerId) {
    // The call itself was not refused, so the page has not learned of it yet.
    loseSession("acting");
    throw new ApiFailure(401, "User session not found. Please log in again.");
  }
}

/**
 * Shown while typing: so many keys usually cost more than the balance, which disables the button that would report it.
 */
function tooManyKeys(count = 0): string | undefined {
  return count > keysPerBatchMax ? Count.says?.tooLarge : undefined;
}

const hoursPerDay = 24;

/** The order with its duration in days, if those are whole. */
function inDays({ durationId, ...order }: PurchaseFields, durations: Catalogue["durations"]): PurchaseFields {
  const { hours = 1 } = durations.find(({ id }) => id === durationId) ?? {};
  return hours % hoursPerDay === 0 ? { ...order, days: hours / hoursPerDay } : { ...order, durationId };
}
