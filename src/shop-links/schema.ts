import { type Static, Type } from "@sinclair/typebox";
import { Proof } from "../accounts/account-schema.ts";
import { CreditsPerDay, Name } from "../accounts/api-keys/api-key-form.ts";
import { OrderedGame } from "../catalogue/game-name.ts";
import { resellerDeviceLimits } from "../catalogue/limits.ts";
import { deviceLimitOneOf } from "../catalogue/order-fields.ts";
import { Credits } from "../core/credits.ts";
import { invisible, oneOf, orNull, positiveInteger } from "../core/field.ts";
import { Instant, InstantOrNull } from "../http/schema.ts";
import { keysPerBatchMax } from "../keys/limits.ts";
import { KeyStart } from "../keys/schema.ts";
import { AdminDeviceLimit } from "../orders/order-form.ts";

const pathSentence = "A path is 1 to 5 names of letters, digits, _ and -, joined by dots";
const saleIdSentence = `Sale ID must be 1 to 3 paths. ${pathSentence}`;
const secretSentence = "Secret must be 16 to 256 visible characters";
const exampleSecret = "shs_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd";

const Path = Type.String({
  ...{ pattern: "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+){0,4}$", maxLength: 200, examples: ["item.id"] },
  says: { wrong: pathSentence },
});
const Secret = Type.RegExp(new RegExp(`^[^\\p{Z}${invisible}]{16,256}$`, "u"), {
  ...{ pattern: "^\\S{16,256}$", examples: [exampleSecret], says: { required: secretSentence, wrong: secretSentence } },
});

export const Signature = Type.Object({
  header: Type.String({
    ...{ pattern: "^[A-Za-z0-9-]{1,64}$", examples: ["X-Signature"] },
    says: { wrong: "The header must be 1 to 64 letters, digits and hyphens" },
  }),
  algorithm: oneOf(["sha256", "sha512"], { says: { wrong: "The algorithm must be sha256 or sha512" } }),
});
export const SignatureForm = Type.Partial(Signature);

/** What is sold, besides the game, and where a shop's body has the parts of a sale. */
const terms = {
  durationId: positiveInteger("Day selection is required", { examples: [4] }),
  deviceLimit: Type.Integer({ examples: [1] }),
  starts: KeyStart,
  signature: Signature,
  saleId: Type.Array(Path, {
    ...{ minItems: 1, maxItems: 3, examples: [["unique_id", "item.id"]] },
    says: { required: saleIdSentence, tooSmall: saleIdSentence, wrong: saleIdSentence },
  }),
  quantity: Type.Union([Type.Null(), Path], { description: "Null: always 1", says: { wrong: pathSentence } }),
  maxQuantity: Type.Integer({
    ...{ minimum: 1, maximum: keysPerBatchMax, examples: [10], description: "The most keys of one sale" },
    says: { wrong: `Keys per sale must be a whole number from 1 to ${keysPerBatchMax}` },
  }),
  creditsPerDay: orNull(Credits, "Null: no limit"),
};
export type Terms = Pick<Static<typeof ShopLink>, keyof typeof terms>;

export const SecretForm = Type.Object({ secret: Type.Optional(Secret), ...Proof.properties });
export type SecretForm = Static<typeof SecretForm>;

/** What is left out of `change` stays. Admins' links have no `creditsPerDay`, so `shop-links.ts` refuses it. */
function formsWith(deviceLimit: typeof AdminDeviceLimit) {
  const { durationId, saleId, starts, quantity, maxQuantity } = terms;
  const isActive = Type.Boolean({ says: { wrong: "isActive must be true or false" } });
  const optional = { starts, signature: SignatureForm, quantity, maxQuantity, isActive };
  const fields = Type.Object({ name: Name, game: OrderedGame, durationId, deviceLimit, saleId });
  const others = { ...Type.Partial(Type.Object(optional)).properties, creditsPerDay: CreditsPerDay };
  return {
    form: Type.Object({ ...fields.properties, ...others, ...SecretForm.properties }),
    change: Type.Object({ ...Type.Partial(fields).properties, ...others }),
  };
}

const ResellerDeviceLimit = deviceLimitOneOf(resellerDeviceLimits) as unknown as typeof AdminDeviceLimit;
export const formsOf = { admin: formsWith(AdminDeviceLimit), reseller: formsWith(ResellerDeviceLimit) };
export type ShopLinkForm = Static<typeof formsOf.admin.form>;
export type ShopLinkChange = Static<typeof formsOf.admin.change>;

/** Through it a shop that was paid asks for keys (rules.md: Shop links). */
export const ShopLink = Type.Object({
  ...{ id: Type.Integer({ examples: [3] }), name: Type.String({ examples: ["SellAuth"] }), url: Type.String() },
  ...{ game: Type.String({ examples: ["PUBG MOBILE"] }), ...terms, isActive: Type.Boolean(), createdAt: Instant },
  lastSaleAt: { ...InstantOrNull, description: "Null until it made keys" },
});
export type ShopLink = Static<typeof ShopLink>;

const secret = Type.String({ examples: [exampleSecret], description: "The shop signs with it. Shown only this once" });
export const NewShopLink = Type.Object({ ...ShopLink.properties, secret });
export type NewShopLink = Static<typeof NewShopLink>;
export const NewShopSecret = Type.Object({ secret });

const [text, number] = [orNull(Type.String()), orNull(Type.Integer())];

/** A call of a shop: keys that were delivered, or a refusal. What was not read is null. */
export const Sale = Type.Object({
  ...{ id: Type.Integer(), at: Instant, saleId: text, quantity: number, status: Type.Integer() },
  ...{ code: { ...text, description: "Null for a delivery, as is `message`" }, message: text },
  orderId: { ...number, description: "Null for a refusal" },
  count: Type.Integer({ description: "How many equal refusals there were in that minute" }),
});
export type Sale = Static<typeof Sale>;
