import { KeyRound, Infinity as Unlimited } from "lucide-react";
import { expiryDateAfter } from "../../../src/keys/admin-key-form.ts";
import { games } from "../../../src/keys/games.ts";
import { adminDaysMax, adminDeviceLimits, deviceLimitUnlimited, keysPerBatchMax } from "../../../src/keys/schema.ts";
import { dateText, pluralText } from "../../format.ts";
import { useHydrated } from "../../hydrated.ts";
import { CustomKeyField } from "../../key-order/custom-key-field.tsx";
import { useOrderForm } from "../../key-order/order-form.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardBody, CardHeading } from "../../ui/card.tsx";
import { NumberField } from "../../ui/field.tsx";
import { NativeSelectField } from "../../ui/native-select-field.tsx";
import type { GenerateProps } from "./key-management.tsx";
import { orderDefaults, orderIn, problemsInOrder, useMake } from "./make-keys.ts";

const gameChoices = games.map((game) => ({ value: game, label: game }));
const deviceLimitChoices = adminDeviceLimits.map((limit) => ({
  value: String(limit),
  label: limit === deviceLimitUnlimited ? "Unlimited" : pluralText(limit, "device"),
}));

export function OrderForm({
  texts = orderDefaults,
  onTexts,
  onMade,
}: Pick<GenerateProps, "texts" | "onTexts" | "onMade">) {
  const hydrated = useHydrated();
  const { initialTexts, messages, refuse, fill, formProps } = useOrderForm({
    texts,
    onTexts,
    orderIn,
    problemsIn: problemsInOrder,
    onOrder: (order) => make(order),
  });
  const { make, busy } = useMake({
    onMade: (keys) => {
      // It is taken now; the rest is likely to be wanted again.
      fill("keyString", "");
      onMade(keys);
    },
    onRefused: refuse,
  });

  return (
    <Card className="@container">
      <CardHeading title="Admin Key Generation" description={<UnlimitedNote />} />
      <CardBody>
        <form {...formProps} method="post" className="grid gap-5 @md:grid-cols-2">
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
          <NumberField
            name="days"
            defaultValue={initialTexts.days}
            label="Days Valid"
            min={1}
            max={adminDaysMax}
            hint={<Expiry days={texts.days} />}
            message={messages.days}
          />
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
          {/* Before the page is awake a press would send the form past its script. */}
          <Button
            type="submit"
            variant="primary"
            size="large"
            className="disabled:cursor-default disabled:opacity-100 @md:col-span-2 @md:justify-self-start @md:px-8"
            icon={<KeyRound aria-hidden size={16} />}
            disabled={!hydrated}
            busy={busy}
            busyText="Generating..."
          >
            {Number(texts.count) > 1 ? "Generate Keys" : "Generate Key"}
          </Button>
        </form>
      </CardBody>
    </Card>
  );
}

function UnlimitedNote() {
  return (
    <span className="flex items-center gap-2">
      <Unlimited aria-hidden size={16} className="shrink-0 text-brass" />
      As an admin, you can generate unlimited keys.
    </span>
  );
}

/** Which day that is. The server has another clock than the reader, so it is told once the page is awake. */
function Expiry({ days: text }: { days: string }) {
  const hydrated = useHydrated();
  const days = Number(text);
  const range = `1 to ${adminDaysMax}`;
  if (!hydrated || !Number.isInteger(days) || days < 1 || days > adminDaysMax) return range;
  return `${range}; until the end of ${dateText(expiryDateAfter(days, Date.now()), "dateInWords", "UTC")} (UTC)`;
}
