import type { ReactNode } from "react";
import type { AdminKeyForm } from "../../src/keys/admin-key-form.ts";
import { games } from "../../src/keys/games.ts";
import { deviceLimitUnlimited, type KeyPurchase, keysPerBatchMax } from "../../src/keys/schema.ts";
import type { Form } from "../form/use-form.ts";
import { pluralText } from "../format.ts";
import { NumberField } from "../ui/field/field.tsx";
import { NativeSelectField } from "../ui/field/native-select-field.tsx";
import { CustomKeyField } from "./custom-key-field.tsx";

/** Admins' and resellers' orders differ in their days and limits. */
export type KeyOrderForm = Form<typeof AdminKeyForm> | Form<typeof KeyPurchase>;

interface OrderFieldsProps {
  form: KeyOrderForm;
  deviceLimits: readonly number[];
  /** The field `days`: admins write a number, resellers choose a tier. */
  days: ReactNode;
  /** What is wrong with the count already while it is typed. */
  countMessage?: string;
}

/** Section 5: the game is chosen by whoever orders, for one device, and one key. */
export const orderDefaults = { deviceLimit: 1, count: 1 } as const;

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
