import type { ReactNode } from "react";
import { games } from "../../src/keys/games.ts";
import { deviceLimitUnlimited, keysPerBatchMax } from "../../src/keys/limits.ts";
import { pluralText } from "../format.ts";
import { NumberField } from "../ui/field/field.tsx";
import { NativeSelectField } from "../ui/field/native-select-field.tsx";
import { CustomKeyField } from "./custom-key-field.tsx";
import type { OrderForm, OrderTexts } from "./order-form.ts";

interface OrderFieldsProps extends Pick<OrderForm, "initialTexts" | "messages" | "fill" | "refuse"> {
  texts: OrderTexts;
  deviceLimits: readonly number[];
  /** The field `days`: admins write a number, resellers choose a tier. */
  days: ReactNode;
}

const gameChoices = games.map((game) => ({ value: game, label: game }));

/** What everybody who orders keys fills in. */
export function OrderFields({ texts, initialTexts, messages, fill, refuse, deviceLimits, days }: OrderFieldsProps) {
  return (
    <>
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
        choices={deviceLimits.map(deviceLimitChoice)}
        hint="How many devices may use one key"
        message={messages.deviceLimit}
      />
      {days}
      <NumberField
        name="count"
        defaultValue={initialTexts.count}
        label="Number of Keys"
        min={1}
        max={keysPerBatchMax}
        hint={`1 to ${keysPerBatchMax}`}
        message={messages.count}
      />
      <CustomKeyField
        game={texts.game}
        initialText={initialTexts.keyString}
        message={messages.keyString}
        fill={fill}
        refuse={refuse}
      />
    </>
  );
}

function deviceLimitChoice(limit: number) {
  return { value: String(limit), label: limit === deviceLimitUnlimited ? "Unlimited" : pluralText(limit, "device") };
}
