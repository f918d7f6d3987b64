import { daysDefault, dayTiers, games, priceTenthsPerKey } from "../../../src/catalogue/catalogue.ts";
import { creditsOf } from "../../../src/core/credits.ts";
import { nonBlank } from "../../../src/core/field.ts";
import type { FieldProblem } from "../../../src/core/refusal.ts";
import { keysPerBatchMax, resellerDeviceLimits } from "../../../src/keys/limits.ts";
import { type BoughtKeys, Count, KeyPurchase } from "../../../src/orders/schema.ts";
import { ApiFailure, hasCode } from "../../api/api.ts";
import { buyKeys, ownKeyList } from "../../api/calls/keys.ts";
import { profileQuery, sessionQuery } from "../../api/calls/session.ts";
import { queryClient, refresh, useWork } from "../../api/query.ts";
import { creditsWithUnit } from "../../format.ts";
import { useForm } from "../../forms/use-form.ts";
import type { Values } from "../../forms/values.ts";
import { loseSession } from "../../state/signals.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";
import { forgetBatch, OrderFields, orderDefaults } from "../keys/order/order-fields.tsx";
import { useSubmission } from "../keys/order/submission.ts";
import { CostBox } from "./cost-box.tsx";

const dayChoices = dayTiers.map(({ days, priceTenths }) => ({
  value: String(days),
  label: `${days} days`,
  detail: creditsWithUnit(creditsOf(priceTenths)),
}));

interface PurchaseFormProps {
  resellerId: number;
  /** The query string of the request. */
  search: string;
  onBought: (bought: Bought) => void;
}

export interface Bought extends BoughtKeys {
  cost: number;
}

export function PurchaseForm({ resellerId, search, onBought }: PurchaseFormProps) {
  const purchase = usePurchase(resellerId);
  const form = useForm({
    schema: KeyPurchase,
    rule: problemsInPurchase,
    initial: orderIn(search),
    send: async (order) => {
      const bought = await purchase.mutateAsync(order);
      forgetBatch(form);
      onBought({ ...bought, cost: creditsOf((priceTenthsPerKey(order.days) ?? 0) * order.count) });
    },
    fieldOf: { KEY_TAKEN: "keyString" },
  });
  const { days, count } = form.values;

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
            countMessage={tooManyKeys(count)}
            deviceLimits={resellerDeviceLimits}
            days={
              <NativeSelectField
                {...form.field("days")}
                label="Duration & Cost"
                choices={dayChoices}
                hint="Counts from when the key is generated"
              />
            }
          />
        </CardBody>
      </Card>
      <CostBox days={days} count={count} busy={form.busy} />
    </form>
  );
}

/**
 * The order that "Buy again" has put into the address. What the form does not offer becomes its default: people edit
 * addresses.
 */
function orderIn(search: string): Values<typeof KeyPurchase> {
  const given = new URLSearchParams(search);
  const chosen = <Value,>(name: keyof KeyPurchase, offered: readonly Value[]) =>
    offered.find((value) => String(value) === given.get(name));
  return {
    game: chosen("game", games),
    deviceLimit: chosen("deviceLimit", resellerDeviceLimits) ?? orderDefaults.deviceLimit,
    days: chosen("days", tiers) ?? daysDefault,
    count: chosen("count", counts) ?? orderDefaults.count,
  };
}

const tiers = dayTiers.map(({ days }) => days);
const counts = Array.from({ length: keysPerBatchMax }, (_, index) => index + 1);

/** Buys keys, all of them or none. */
function usePurchase(resellerId: number) {
  const submission = useSubmission();
  return useWork({
    mutationFn: async (order: KeyPurchase) => {
      await refuseLostSession(resellerId);
      const body: KeyPurchase = { ...order, keyString: nonBlank(order.keyString), resellerId };
      return buyKeys(body, submission.headersFor(body));
    },
    done: ({ keys }) => `Generated ${keys.length} key(s) successfully`,
    failed: (_, { count }) => (count === 1 ? "Failed to generate key" : "Failed to generate keys"),
    onSuccess: () => {
      submission.succeed();
      void refresh(ownKeyList, profileQuery);
    },
    onError: (error) => {
      // The balance on the page was out of date.
      if (hasCode(error, "CREDITS_SHORT")) void refresh(profileQuery);
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

/** The schema accepts any whole number of days, because the server refuses an unknown tier with a separate code. */
function problemsInPurchase({ days }: KeyPurchase): FieldProblem[] {
  const known = days === undefined || priceTenthsPerKey(days) !== null;
  return known ? [] : [{ path: "days", message: "Invalid day tier selected" }];
}
