import { useForm } from "react-hook-form";
import { creditsOf } from "../../../src/credits.ts";
import { games } from "../../../src/keys/games.ts";
import { daysDefault, dayTiers, priceTenthsPerKey } from "../../../src/keys/pricing.ts";
import { deviceLimitUnlimited, KeyPurchase, keysPerBatchMax, resellerDeviceLimits } from "../../../src/keys/schema.ts";
import type { FieldProblem } from "../../../src/refusal.ts";
import { numberOrNothing, schemaResolver } from "../../form.ts";
import { pluralText } from "../../format.ts";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NumberField } from "../../ui/field.tsx";
import { NativeSelectField } from "../../ui/native-select.tsx";
import { CostBox } from "./cost-box.tsx";
import { creditsWithUnit } from "./credits-with-unit.ts";
import { CustomKeyField } from "./custom-key-field.tsx";
import { type Bought, usePurchase } from "./purchase.ts";

/** What a person fills in. While no game is chosen it is `""`, and an emptied number is nothing. */
export interface PurchaseValues {
  game: string;
  deviceLimit: number;
  days: number;
  count: number | undefined;
  keyString: string;
}

const defaults: PurchaseValues = { game: "", deviceLimit: 1, days: daysDefault, count: 1, keyString: "" };

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

/** The schema takes any whole number of days, because the server refuses an unknown tier by a code of its own. */
function unknownTier({ days }: PurchaseValues): FieldProblem[] {
  const known = days === undefined || priceTenthsPerKey(days) !== null;
  return known ? [] : [{ path: "days", message: "Invalid day tier selected" }];
}

export function PurchaseForm({ resellerId, onBought }: { resellerId: number; onBought: (keys: Bought) => void }) {
  const form = useForm<PurchaseValues, unknown, KeyPurchase>({
    defaultValues: defaults,
    resolver: schemaResolver<typeof KeyPurchase, PurchaseValues>(KeyPurchase, unknownTier),
  });
  const { buy, busy } = usePurchase(resellerId, form, onBought);
  const { register, formState, clearErrors } = form;
  const messageOf = (field: keyof PurchaseValues) => formState.errors[field]?.message;

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit(buy)}
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <Card>
        <CardHeading title="Key Settings" />
        <CardBody className="grid gap-5 md:grid-cols-2">
          <NativeSelectField
            {...register("game", { onChange: () => clearErrors("game") })}
            defaultValue={defaults.game}
            label="Game"
            placeholder="Select a game"
            choices={gameChoices}
            message={messageOf("game")}
          />
          <NativeSelectField
            {...register("deviceLimit", { setValueAs: numberOrNothing })}
            defaultValue={defaults.deviceLimit}
            label="Device Limit"
            choices={deviceLimitChoices}
            hint="How many devices may use one key"
            message={messageOf("deviceLimit")}
          />
          <NativeSelectField
            {...register("days", { setValueAs: numberOrNothing })}
            defaultValue={defaults.days}
            label="Duration & Cost"
            choices={dayChoices}
            hint="The clock starts when the key is made"
            message={messageOf("days")}
          />
          <NumberField
            {...register("count", { setValueAs: numberOrNothing })}
            defaultValue={defaults.count}
            label="Number of Keys"
            min={1}
            max={keysPerBatchMax}
            hint={`1 to ${keysPerBatchMax}`}
            message={messageOf("count")}
          />
          <CustomKeyField form={form} message={messageOf("keyString")} />
        </CardBody>
      </Card>
      <CostBox control={form.control} busy={busy} />
    </form>
  );
}
