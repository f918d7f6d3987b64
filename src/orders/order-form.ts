import { type Static, Type } from "@sinclair/typebox";
import { OrderedGame } from "../catalogue/game-name.ts";
import { adminDeviceLimits, resellerDeviceLimits } from "../catalogue/limits.ts";
import { deviceLimitOneOf, durationFields } from "../catalogue/order-fields.ts";
import { oneOf } from "../core/field.ts";
import { CustomKey } from "../keys/custom-key.ts";
import { keyStarts, keysPerBatchMax } from "../keys/limits.ts";

/* The fields of the forms that order keys. They are separate from the other schemas, so that pages stay small. */

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
