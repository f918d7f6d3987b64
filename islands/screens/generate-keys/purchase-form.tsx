import { useState } from "react";
import { creditsOf } from "../../../src/credits.ts";
import { games } from "../../../src/keys/games.ts";
import { dayTiers } from "../../../src/keys/pricing.ts";
import { deviceLimitUnlimited, keysPerBatchMax, resellerDeviceLimits } from "../../../src/keys/schema.ts";
import { pluralText } from "../../format.ts";
import { CustomKeyField } from "../../key-order/custom-key-field.tsx";
import { useOrderForm } from "../../key-order/order-form.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NumberField } from "../../ui/field.tsx";
import { NativeSelectField } from "../../ui/native-select-field.tsx";
import { CostBox } from "./cost-box.tsx";
import { creditsWithUnit } from "./credits-with-unit.ts";
import { orderDefaults, orderIn, problemsInOrder, tooManyKeys } from "./order-form.ts";
import { type Bought, usePurchase } from "./purchase.ts";

const gameChoices = games.map((game) => ({ value: game, label: game }));
const deviceLimitChoices = resellerDeviceLimits.map((limit) => ({
  value: String(limit),
  label: limit === deviceLimitUnlimited ? "Unlimited" : pluralText(limit, "device"),
}));
const dayChoices = dayTiers.map(({ days, priceTenths }) => ({
  value: String(days),
  label: `${days} days`,
  detail: creditsWithUnit(creditsOf(priceTenths)),
}));

export function PurchaseForm({ resellerId, onBought }: { resellerId: number; onBought: (keys: Bought) => void }) {
  const [texts, setTexts] = useState(orderDefaults);
  const { initialTexts, messages, refuse, fill, formProps } = useOrderForm({
    texts,
    onTexts: setTexts,
    orderIn,
    problemsIn: problemsInOrder,
    onOrder: (order) => buy(order),
  });
  const { buy, busy } = usePurchase(resellerId, {
    onBought: (keys) => {
      // It is taken now; the rest is likely to be wanted again.
      fill("keyString", "");
      onBought(keys);
    },
    onRefused: refuse,
  });

  return (
    <form
      {...formProps}
      className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_16rem] xl:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <Card className="@container">
        <CardHeading title="Key Settings" />
        <CardBody className="grid gap-5 @md:grid-cols-2">
          <NativeSelectField
            name="game"
            defaultValue={initialTexts.game}
            label="Game"
            placeholder="Select a game"
            choices={gameChoices}
            hint="A generated key begins with its game's letters"
            message={messages.game}
          />
          <NativeSelectField
            name="deviceLimit"
            defaultValue={initialTexts.deviceLimit}
            label="Device Limit"
            choices={deviceLimitChoices}
            hint="How many devices may use one key"
            message={messages.deviceLimit}
          />
          <NativeSelectField
            name="days"
            defaultValue={initialTexts.days}
            label="Duration & Cost"
            choices={dayChoices}
            hint="The clock starts when the key is made"
            message={messages.days}
          />
          <NumberField
            name="count"
            defaultValue={initialTexts.count}
            label="Number of Keys"
            min={1}
            max={keysPerBatchMax}
            hint={`1 to ${keysPerBatchMax}`}
            message={messages.count ?? tooManyKeys(texts)}
          />
          <CustomKeyField
            game={texts.game}
            initialText={initialTexts.keyString}
            message={messages.keyString}
            fill={fill}
            refuse={refuse}
          />
        </CardBody>
      </Card>
      <CostBox texts={texts} busy={busy} />
    </form>
  );
}
