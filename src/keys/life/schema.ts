import { type Static, Type } from "@sinclair/typebox";
import { adminDeviceLimits, resellerDeviceLimits } from "../../catalogue/limits.ts";
import { deviceLimitOneOf, durationFields } from "../../catalogue/order-fields.ts";
import { Credits } from "../../core/credits.ts";
import { numberInText } from "../../core/field.ts";
import { expectedCost } from "../../resellers/cost-schema.ts";
import { ExternalId } from "../external-id-schema.ts";
import { extendedKeysMax } from "../limits.ts";
import { ChangedAdminKey, ChangedResellerKey, KeyHours } from "../schema.ts";
import { marked, ofReseller } from "../selection/selection-schema.ts";

/* Changes to the time and the device limit of keys (rules.md: The time of a key). */

export const KeyDuration = Type.Object({ ...durationFields, externalId: ExternalId, ...expectedCost });
export const AdminExtension = Type.Object({ ...KeyHours.properties, ...expectedCost });

export const ResellerDeviceLimit = Type.Object({ deviceLimit: deviceLimitOneOf(resellerDeviceLimits) });
export const AdminDeviceLimit = Type.Object({ deviceLimit: deviceLimitOneOf(adminDeviceLimits) });
export const ResellerLimitChange = Type.Object({ ...ResellerDeviceLimit.properties, ...expectedCost });
export const AdminLimitChange = Type.Object({ ...AdminDeviceLimit.properties, ...expectedCost });

const cost = { ...Credits, description: "What it cost" };
const paid = { cost, credits: { ...Credits, description: "The balance that is left" } };

export const FreeKey = Type.Object({ ...ChangedAdminKey.properties, cost });
export const PaidKey = Type.Object({ ...ChangedResellerKey.properties, ...paid });
export type PaidKey = Static<typeof PaidKey>;

export const ResellerLimitQuery = Type.Object({
  deviceLimit: numberInText(`^(${resellerDeviceLimits.join("|")})$`, {
    minimum: Math.min(...resellerDeviceLimits),
    maximum: Math.max(...resellerDeviceLimits),
    examples: ["2"],
    says: ResellerDeviceLimit.properties.deviceLimit.says,
  }),
});
export const LimitPrice = Type.Object(paid);

const count = Type.Integer({
  minimum: 1,
  maximum: extendedKeysMax,
  examples: [40],
  description: "The `toExtend` of the preview with this duration; if it differs, nothing is extended",
  says: {
    required: "count is required",
    tooLarge: `At most ${extendedKeysMax} keys can be extended at once`,
    wrong: "count must be a whole number of keys",
  },
});

export const SelectionExtension = Type.Object({ ...marked, count, ...durationFields, ...expectedCost });
export type SelectionExtension = Static<typeof SelectionExtension>;
export const AdminSelectionExtension = Type.Object({ ...marked, count, ...AdminExtension.properties, ...ofReseller });
export type AdminSelectionExtension = Static<typeof AdminSelectionExtension>;

export const ExtendedSelection = Type.Object({
  message: Type.String(),
  extendedCount: Type.Integer({ examples: [40] }),
  cost,
});
export type ExtendedSelection = Static<typeof ExtendedSelection>;
export const PaidSelection = Type.Object({ ...ExtendedSelection.properties, ...paid });
export type PaidSelection = Static<typeof PaidSelection>;
