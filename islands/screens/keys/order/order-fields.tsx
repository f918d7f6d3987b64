import type { ReactNode } from "react";
import { games } from "../../../../src/catalogue/catalogue.ts";
import { deviceLimitUnlimited, keysPerBatchMax } from "../../../../src/keys/limits.ts";
import { pluralText } from "../../../format.ts";
import { NativeSelectField } from "../../../ui/field/field.tsx";
import { StepperField } from "../../../ui/field/stepper-field.tsx";
import { CustomKeyField } from "./custom-key-field.tsx";
import type { KeyOrderForm } from "./key-order-form.ts";

interface OrderFieldsProps {
  form: KeyOrderForm;
  deviceLimits: readonly number[];
  /** The field `days`: admins write a number, resellers choose a tier. */
  days: ReactNode;
  /** What is wrong with the count already while it is typed. */
  countMessage?: string;
}

/** The batches that resellers buy most. */
const countPresets = [5, 10, 25, 50];

const gameChoices = games.map((game) => ({ value: game, label: game }));

/** What everybody who orders keys fills in. */
export function OrderFields({ form, deviceLimits, days, countMessage }: OrderFieldsProps) {
  const count = form.field("count");
  return (
    <>
      <NativeSelectField
        {...form.field("game")}
        label="Game"
        placeholder="Select a game"
        choices={gameChoices}
        hint="A generated key begins with its game's letters"
      />
      <NativeSelectField
        {...form.field("deviceLimit")}
        label="Device Limit"
        choices={deviceLimits.map(deviceLimitChoice)}
        hint="How many devices may use one key"
      />
      {days}
      <StepperField
        {...count}
        message={count.message ?? countMessage}
        label="Number of Keys"
        count={form.values.count}
        onStep={(next) => form.fill("count", String(next))}
        min={1}
        max={keysPerBatchMax}
        presets={countPresets}
        unit="keys"
        hint={`1 to ${keysPerBatchMax}`}
      />
      <CustomKeyField form={form} />
    </>
  );
}

function deviceLimitChoice(limit: number) {
  return { value: String(limit), label: limit === deviceLimitUnlimited ? "Unlimited" : pluralText(limit, "device") };
}
