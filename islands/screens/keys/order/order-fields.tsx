import { clsx } from "clsx";
import { Dices, Minus, Plus } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { deviceLimitUnlimited } from "../../../../src/catalogue/limits.ts";
import type { Catalogue } from "../../../../src/catalogue/schema.ts";
import { isGuessable, randomKeyString } from "../../../../src/core/key-text.ts";
import { keysPerBatchMax } from "../../../../src/keys/limits.ts";
import type { KeyStart } from "../../../../src/keys/schema.ts";
import type { AdminKeyForm } from "../../../../src/orders/admin-key-form.ts";
import type { PurchaseFields } from "../../../../src/orders/order-form.ts";
import type { ShopLinkPageForm } from "../../../../src/shop-links/shop-link-form.ts";
import { pluralText } from "../../../format.ts";
import type { Form } from "../../../forms/use-form.ts";
import { Button, IconButton, type IconButtonProps } from "../../../ui/button.tsx";
import { FieldFrame, NativeSelectField, NumberInput, TextField, useField } from "../../../ui/field/field.tsx";
import type { Choice } from "../../../ui/field/native-select.tsx";

interface OrderFieldsProps {
  form: KeyOrderForm | Form<typeof ShopLinkPageForm>;
  /** Undefined until it is loaded. */
  catalogue: Catalogue | undefined;
  deviceLimits: readonly number[];
  /** How long the keys last: admins type it, resellers choose a duration. */
  duration: ReactNode;
}

/** What the keys are: the fields that admins, resellers and shop links share. */
export function OrderFields({ form, catalogue, deviceLimits, duration }: OrderFieldsProps) {
  return (
    <>
      <NativeSelectField
        {...form.field("game")}
        label="Game"
        placeholder="Select a game"
        choices={(catalogue?.games ?? []).map(({ name }) => ({ value: name, label: name }))}
        hint="Generated keys start with the game's letters"
      />
      <NativeSelectField
        {...form.field("deviceLimit")}
        label="Device Limit"
        choices={deviceLimits.map(deviceLimitChoice)}
        hint="How many devices can use one key"
      />
      {duration}
      <NativeSelectField
        {...form.field("starts")}
        label="Starts"
        choices={startChoices}
        hint="When the key's time starts"
      />
    </>
  );
}

const startChoices: Choice<KeyStart>[] = [
  { value: "creation", label: "Now" },
  { value: "first_use", label: "At first use" },
];

function deviceLimitChoice(limit: number) {
  return { value: String(limit), label: limit === deviceLimitUnlimited ? "Unlimited" : pluralText(limit, "device") };
}

/** The batches that resellers buy most, each one press away. */
const countPresets = [5, 10, 25, 50];

/**
 * A number that a thumb can set, with buttons for one less, one more and the most common ones. With a keyboard they are
 * hidden, so that they are not six more tab stops.
 */
export function CountField({ form, problem }: { form: KeyOrderForm; problem?: string }) {
  const { message = problem, ...field } = form.field("count");
  const { frame, control } = useField({ ...field, message, label: "Number of Keys", hint: `1 to ${keysPerBatchMax}` });
  const { count } = form.values;
  // NaN while a text is no number.
  const from = count || 0;
  const take = (next: number) => form.fill("count", String(next));
  return (
    <FieldFrame {...frame}>
      <div className="flex gap-2">
        <Step to={Math.ceil(from) - 1} take={take} label="One less" icon={<Minus size={16} />} />
        <NumberInput
          {...control}
          min={1}
          max={keysPerBatchMax}
          className="max-md:text-center pointer-coarse:text-center"
        />
        <Step to={Math.floor(from) + 1} take={take} label="One more" icon={<Plus size={16} />} />
      </div>
      <div className="mt-2 grid auto-cols-fr grid-flow-col gap-2 md:pointer-fine:hidden">
        {countPresets.map((preset) => (
          <button
            key={preset}
            type="button"
            aria-label={`${preset} keys`}
            aria-pressed={preset === count}
            onClick={() => take(preset)}
            className={presetLook}
          >
            {preset}
          </button>
        ))}
      </div>
    </FieldFrame>
  );
}

type StepProps = Pick<IconButtonProps, "label" | "icon"> & { to: number; take: (count: number) => void };

function Step({ to, take, ...button }: StepProps) {
  const within = to >= 1 && to <= keysPerBatchMax;
  return (
    <IconButton
      {...button}
      variant="secondary"
      className="after:hidden! md:pointer-fine:hidden"
      // Not disabled, which would drop the focus at the last step.
      aria-disabled={!within || undefined}
      onClick={() => within && take(to)}
    />
  );
}

const presetLook = clsx(
  "figures min-h-(--hit-small) rounded-md border border-line text-sm font-medium text-muted transition-colors",
  "hover:border-edge hover:bg-hover hover:text-text aria-pressed:border-brass/40 aria-pressed:bg-brass-soft aria-pressed:text-brass-bright",
);

/** Random needs to know the game, because a key begins with the game's letters (rules.md: Key text). */
export function CustomKeyField({ form, games = [] }: { form: KeyOrderForm; games?: Catalogue["games"] }) {
  function fillRandom() {
    const { game } = form.values;
    if (!game) return form.refuse({ game: "Please select a game first" });
    const prefix = games.find(({ name }) => name === game)?.prefix ?? "";
    form.fill(
      "keyString",
      randomKeyString(prefix, (bytes) => crypto.getRandomValues(bytes)),
    );
  }

  const { keyString } = form.values;
  return (
    <CustomKeyInput
      {...form.field("keyString")}
      label="Custom Key (optional)"
      typed={keyString}
      hint="Used for the first key only; the others are generated."
      labelEnd={
        <Button size="small" variant="ghost" icon={<Dices size={16} />} onClick={fillRandom}>
          Random
        </Button>
      }
    />
  );
}

/** A text for a key, or none. */
export function CustomKeyInput({ typed, hint, ...field }: ComponentProps<typeof TextField> & { typed?: string }) {
  return (
    <TextField
      {...field}
      placeholder="Leave empty for a random key"
      autoCapitalize="characters"
      spellCheck={false}
      hint={typed && isGuessable(typed) ? <GuessableWarning /> : hint}
    />
  );
}

function GuessableWarning() {
  return (
    <span role="status" className="text-danger-text">
      Easy to guess: strangers could use it. Random fills in a safe key.
    </span>
  );
}

/** An admin's or a reseller's form: they differ in their durations and limits. */
type KeyOrderForm = Form<typeof AdminKeyForm> | Form<typeof PurchaseFields>;

/** One key for one device, whose time begins at once. The game has no default. */
export const orderDefaults = { deviceLimit: 1, starts: "creation", count: 1 } as const;

/** Below the length of keys that start at first use. */
export const fromFirstUse = "from when the first device connects";

/**
 * After keys are generated: a custom key is taken then, and a kept count would offer the whole batch again. The rest is
 * likely to be reused.
 */
export function forgetBatch(form: KeyOrderForm): void {
  form.fill("keyString", "");
  form.fill("count", String(orderDefaults.count));
}
