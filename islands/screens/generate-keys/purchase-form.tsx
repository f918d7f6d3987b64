import { useState } from "react";
import { creditsOf } from "../../../src/credits.ts";
import { resellerDeviceLimits } from "../../../src/keys/limits.ts";
import { daysDefault, dayTiers } from "../../../src/keys/pricing.ts";
import { creditsWithUnit } from "../../format.ts";
import { OrderFields } from "../../key-order/order-fields.tsx";
import { orderDefaults, useOrderForm } from "../../key-order/order-form.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NativeSelectField } from "../../ui/field/native-select-field.tsx";
import { CostBox } from "./cost-box.tsx";
import { type Bought, problemsInOrder, tooManyKeys, usePurchase } from "./purchase.ts";

const dayChoices = dayTiers.map(({ days, priceTenths }) => ({
  value: String(days),
  label: `${days} days`,
  detail: creditsWithUnit(creditsOf(priceTenths)),
}));

export function PurchaseForm({ resellerId, onBought }: { resellerId: number; onBought: (keys: Bought) => void }) {
  const [texts, setTexts] = useState(orderDefaults(daysDefault));
  const { formProps, ...fields } = useOrderForm({
    texts,
    onTexts: setTexts,
    problemsIn: problemsInOrder,
    onOrder: (order) => buy(order),
  });
  const { buy, busy } = usePurchase(resellerId, {
    onBought: (keys) => {
      // It is taken now; the rest is likely to be wanted again.
      fields.fill("keyString", "");
      onBought(keys);
    },
    onRefused: fields.refuse,
  });

  return (
    <form
      {...formProps}
      className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_16rem] xl:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <Card className="@container">
        <CardHeading title="Key Settings" />
        <CardBody className="grid gap-5 @md:grid-cols-2">
          <OrderFields
            {...fields}
            messages={{ ...fields.messages, count: fields.messages.count ?? tooManyKeys(texts.count) }}
            texts={texts}
            deviceLimits={resellerDeviceLimits}
            days={
              <NativeSelectField
                name="days"
                defaultValue={fields.initialTexts.days}
                label="Duration & Cost"
                choices={dayChoices}
                hint="The clock starts when the key is made"
                message={fields.messages.days}
              />
            }
          />
        </CardBody>
      </Card>
      <CostBox texts={texts} busy={busy} />
    </form>
  );
}
