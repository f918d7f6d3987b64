import { type Static, Type } from "@sinclair/typebox";
import { OrderedGame } from "../catalogue/game-name.ts";
import { adminDeviceLimits, resellerDeviceLimits } from "../catalogue/limits.ts";
import { deviceLimitOneOf, durationFields } from "../catalogue/order-fields.ts";
import { keyCharacters, oneOf } from "../core/field.ts";
import { sentCharactersMax } from "../core/key-text.ts";
import { customKeyCharactersMax, customKeyCharactersMin, keyStarts, keysPerBatchMax } from "../keys/limits.ts";

/* The fields of the forms that order keys. They are separate from the other schemas, so that pages stay small. */

const customKeySentence = `Custom key must be ${customKeyCharactersMin} to ${customKeyCharactersMax} letters, digits, hyphens or underscores`;

const letter = `[${keyCharacters}]`;
const ignored = "\\p{Default_Ignorable_Code_Point}";
const letters = `${letter}(?:${ignored}*${letter}){${customKeyCharactersMin - 1},${customKeyCharactersMax - 1}}`;

/** `""` means no custom key. Invisible characters do not count. */
export const CustomKey = Type.Optional(
  Type.RegExp(new RegExp(`^[\\s${ignored}]*(?:${letters}[\\s${ignored}]*)?$`, "u"), {
    maxLength: sentCharactersMax,
    // What the document of the API says, in which the whole pattern cannot stand.
    pattern: `^\\s*(${letter}{${customKeyCharactersMin},${customKeyCharactersMax}}\\s*)?$`,
    examples: ["SUMMER-2025"],
    description: "Used for the first key of the batch; the others are generated.",
    says: { wrong: customKeySentence },
  }),
);

export const Count = Type.Integer({
  minimum: 1,
  maximum: keysPerBatchMax,
  examples: [1],
  says: {
    required: "Must generate at least 1 key",
    tooSmall: "Must generate at least 1 key",
    tooLarge: `Must generate at most ${keysPerBatchMax} keys`,
    wrong: "Number of keys must be a whole number",
  },
});

export const Starts = Type.Optional(
  oneOf(keyStarts, {
    description:
      "When the time of the keys begins: with their creation (the default), or when their first device connects",
    says: { wrong: `starts must be one of ${keyStarts.join(", ")}` },
  }),
);

export const AdminDeviceLimit = deviceLimitOneOf(adminDeviceLimits);

/** The reseller's form. */
export const PurchaseFields = Type.Object({
  game: OrderedGame,
  deviceLimit: deviceLimitOneOf(resellerDeviceLimits),
  ...durationFields,
  starts: Starts,
  keyString: CustomKey,
  count: Count,
});
export type PurchaseFields = Static<typeof PurchaseFields>;
