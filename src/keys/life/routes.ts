import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import { described } from "../../http/describe.ts";
import { IdParams, RetryHeaders } from "../../http/schema.ts";
import { adminKeyView, exampleAdminKey, exampleResellerKey, resellerKeyView } from "../model.ts";
import { ChangedAdminKey, KeyHours } from "../schema.ts";
import type { Extensions } from "./extend.ts";
import type { LimitChanges } from "./limit.ts";
import {
  AdminDeviceLimit,
  AdminSelectionExtension,
  ExtendedSelection,
  KeyDuration,
  PaidKey,
  PaidSelection,
  ResellerDeviceLimit,
  SelectionExtension,
} from "./schema.ts";

type Services = { access: Access; extensions: Extensions; limitChanges: LimitChanges };

/** What resellers get: their calls always cost something, or 0. */
type OwnPaidKey = Omit<PaidKey, "message">;

const extended = "Key extended successfully";
const severalExtended = "Keys extended successfully";
const changed = "Device limit changed successfully";

const ofExtensions = {
  description:
    "The expiry moves by the hours: of an expired key from now on, of any other from its expiry. A key that has not started gets a longer duration.",
};
const ofSelections = {
  description:
    "`count` is the `toExtend` that the preview with the same duration returned. All keys are extended, or none. Revoked keys, and for resellers those that are not sold, are left out.",
};
const limits = "The limit cannot be lower than the number of connected devices.";

const whenExtending = ["CLOCK_AHEAD", "EXPIRY_TOO_FAR"] as const;
const whenPaying = ["CREDITS_SHORT", "NOT_SOLD", "CLOCK_AHEAD"] as const;

export function createTimeRoutes({ access, extensions, limitChanges }: Services) {
  return new Elysia({ name: "time-of-keys", prefix: "/api", tags: ["Keys"] })
    .use(access)
    .post(
      "/reseller/keys/:id/extend",
      async ({ params, body, caller, headers }) => ({
        message: extended,
        ...((await extensions.extend(caller, params.id, body, {
          idempotencyKey: headers["idempotency-key"],
          view: resellerKeyView,
        })) as OwnPaidKey),
      }),
      {
        only: ["reseller", "keys:order"],
        params: IdParams,
        headers: RetryHeaders,
        body: KeyDuration,
        response: { 200: PaidKey },
        detail: described({
          id: "extendOwnKey",
          summary: "Extend one of your keys and pay for it with credits",
          ...ofExtensions,
          example: { message: extended, key: exampleResellerKey, cost: 3, credits: 9.5 },
          refusals: ["KEY_ALREADY_REVOKED", "INVALID_DAY_TIER", ...whenPaying, ...whenExtending],
        }),
      },
    )
    .post(
      "/admin/keys/:id/extend",
      async ({ params, body, caller, headers }) => ({
        message: extended,
        ...(await extensions.extend(caller, params.id, body, {
          idempotencyKey: headers["idempotency-key"],
          view: adminKeyView,
        })),
      }),
      {
        only: ["admin", "keys:order"],
        params: IdParams,
        headers: RetryHeaders,
        body: KeyHours,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "extendKey",
          summary: "Extend any key, for free",
          ...ofExtensions,
          example: { message: extended, key: exampleAdminKey },
          refusals: ["KEY_ALREADY_REVOKED", ...whenExtending],
        }),
      },
    )
    .post(
      "/reseller/keys/selected/extend",
      async ({ body, caller, headers }) => {
        const { extendedCount, paid } = await extensions.extendSelected(caller, body, headers["idempotency-key"]);
        return { message: severalExtended, extendedCount, ...(paid as Pick<PaidKey, "cost" | "credits">) };
      },
      {
        only: ["reseller", "keys:order"],
        headers: RetryHeaders,
        body: SelectionExtension,
        response: { 200: PaidSelection },
        detail: described({
          id: "extendOwnKeys",
          summary: "Extend up to 2,000 of your keys and pay for them with credits",
          ...ofSelections,
          example: { message: severalExtended, extendedCount: 40, cost: 120, credits: 9.5 },
          refusals: ["COUNT_CHANGED", "INVALID_DAY_TIER", ...whenPaying, ...whenExtending],
        }),
      },
    )
    .post(
      "/admin/keys/selected/extend",
      async ({ body, caller, headers }) => {
        const { extendedCount } = await extensions.extendSelected(caller, body, headers["idempotency-key"]);
        return { message: severalExtended, extendedCount };
      },
      {
        only: ["admin", "keys:order"],
        headers: RetryHeaders,
        body: AdminSelectionExtension,
        response: { 200: ExtendedSelection },
        detail: described({
          id: "extendKeys",
          summary: "Extend up to 2,000 admin keys, or keys of a reseller, for free",
          ...ofSelections,
          example: { message: severalExtended, extendedCount: 40 },
          refusals: ["NOT_FOUND", "COUNT_CHANGED", ...whenExtending],
        }),
      },
    )
    .put(
      "/reseller/keys/:id/device-limit",
      async ({ params, body, caller }) => ({
        message: changed,
        ...((await limitChanges.changeLimit(caller, params.id, body.deviceLimit, resellerKeyView)) as OwnPaidKey),
      }),
      {
        only: ["reseller", "keys:order"],
        params: IdParams,
        body: ResellerDeviceLimit,
        response: { 200: PaidKey },
        detail: described({
          id: "limitOwnKey",
          summary: "Change the device limit of one of your keys",
          description: `${limits} Raising it costs the difference of the prices, for the shortest duration on sale that covers the time that is left. Lowering is free.`,
          example: { message: changed, key: exampleResellerKey, cost: 1.5, credits: 9.5 },
          refusals: ["KEY_ALREADY_REVOKED", "DEVICES_CONNECTED", ...whenPaying],
        }),
      },
    )
    .put(
      "/admin/keys/:id/device-limit",
      async ({ params, body, caller }) => ({
        message: changed,
        ...(await limitChanges.changeLimit(caller, params.id, body.deviceLimit, adminKeyView)),
      }),
      {
        only: ["admin", "keys:order"],
        params: IdParams,
        body: AdminDeviceLimit,
        response: { 200: ChangedAdminKey },
        detail: described({
          id: "limitKey",
          summary: "Change the device limit of any key, for free",
          description: limits,
          example: { message: changed, key: exampleAdminKey },
          refusals: ["KEY_ALREADY_REVOKED", "DEVICES_CONNECTED"],
        }),
      },
    );
}
