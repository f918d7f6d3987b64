import { daysDefault, dayTiers, priceTenthsPerKey } from "../../../src/catalogue/catalogue.ts";
import { creditsOf } from "../../../src/core/credits.ts";
import { resellerDeviceLimits } from "../../../src/keys/limits.ts";
import { type BoughtKeys, KeyPurchase } from "../../../src/orders/schema.ts";
import { creditsWithUnit } from "../../format.ts";
import { useForm } from "../../forms/use-form.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";
import { forgetBatch, orderDefaults } from "../keys/order/key-order-form.ts";
import { OrderFields } from "../keys/order/order-fields.tsx";
import { CostBox } from "./cost-box.tsx";
import { problemsInPurchase, tooManyKeys, usePurchase } from "./purchase.ts";

const dayChoices = dayTiers.map(({ days, priceTenths }) => ({
  value: String(days),
  label: `${days} days`,
  detail: creditsWithUnit(creditsOf(priceTenths)),
}));

interface PurchaseFormProps {
  resellerId: number;
  onBought: (bought: Bought) => void;
}

export interface Bought extends BoughtKeys {
  cost: number;
}

export function PurchaseForm({ resellerId, onBought }: PurchaseFormProps) {
  const purchase = usePurchase(resellerId);
  const form = useForm({
    schema: KeyPurchase,
    rule: problemsInPurchase,
    initial: { ...orderDefaults, days: daysDefault },
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
      className="grid items-start gap-4 max-md:pb-18 md:grid-cols-[minmax(0,1fr)_16rem] xl:grid-cols-[minmax(0,1fr)_22rem]"
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
                hint="The clock starts when the key is made"
              />
            }
          />
        </CardBody>
      </Card>
      <CostBox days={days} count={count} busy={form.busy} />
    </form>
  );
}
