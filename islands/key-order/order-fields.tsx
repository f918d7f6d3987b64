import type { ReactNode } from "react";
import { games } from "../../src/keys/games.ts";
import { deviceLimitUnlimited, keysPerBatchMax } from "../../src/keys/limits.ts";
import { pluralText } from "../format.ts";
import { NumberField } from "../ui/field/field.tsx";
import { NativeSelectField } from "../ui/field/native-select-field.tsx";
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
      <NumberField
        {...count}
        message={count.message ?? countMessage}
        label="Number of Keys"
        min={1}
        max={keysPerBatchMax}
        hint={`1 to ${keysPerBatchMax}`}
      />
      <CustomKeyField form={form} />
    </>
  );
}

function deviceLimitChoice(limit: number) {
  return { value: String(limit), label: limit === deviceLimitUnlimited ? "Unlimited" : pluralText(limit, "device") };
}
