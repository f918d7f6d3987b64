import { withKeyRow } from "./credits.ts";
import { endOf, extended, mayPause, msPerHour, paused, resumed, takenOver } from "./life.ts";
import { changedKey, type Outcome, ownKey, type RefusedAs, type Rules, refused, refusedAs } from "./outcome.ts";
import { hoursOf, priceTenths, raiseTenths } from "./prices.ts";
import { type Retryable, remembering, retried } from "./remembered.ts";
import {
  adminId,
  balanceTenths,
  eventText,
  type Key,
  nameOf,
  put,
  type Reseller,
  type State,
  settled,
  statusOf,
  withEvents,
} from "./state.ts";
import { keyView } from "./views.ts";

const resellerLimits = [1, 2, 100];

/** Changes to the time of one key, and to its device limit. */
export const timeRules: Pick<Rules, "extend" | "setLimit" | "pause" | "resume"> = {
  extend: (state, { by, key: id, duration, idempotencyKey, cost }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const hours = hoursOf(duration);
    const key = ownKey(state, account, id);
    if (hours === null || key === null) {
      return refusedAs(
        state,
        ...refusalsOf([
          [key === null, 404, "NOT_FOUND"],
          [hours === null, 422, "INVALID_DAY_TIER"],
        ]),
      );
    }
    const retry: Retryable = { account, idempotencyKey, request: JSON.stringify(["extend", id, duration]) };
    const earlier = retried(state, retry, { at, status: 200 });
    if (earlier) return earlier;
    const costTenths = extensionTenths(state, account, key, hours);
    const reseller = state.resellers.get(account);
    const isRevoked = key.revokedBy !== null;
    const refusals = refusalsOf([
      [isRevoked, 409, "KEY_ALREADY_REVOKED"],
      [isRevoked, 409, "KEY_NOT_ACTIVE"],
      [costTenths === null, 422, "NOT_SOLD"],
      [isDearer(cost, costTenths), 409, "COST_CHANGED"],
      [isShort(reseller, costTenths), 402, "CREDITS_SHORT"],
    ]);
    if (refusals.length > 0) return refusedAs(state, ...refusals);
    const after = extendedKey(state, key, { account, hours, costTenths: costTenths ?? 0, at });
    return paidChange(after, id, { account, costTenths: costTenths ?? 0, at, retry });
  },

  setLimit: (state, { by, key: id, deviceLimit, cost }, { at }) => {
    const account = state.sessions.get(by);
    if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
    const key = ownKey(state, account, id);
    const isOption = account === adminId || resellerLimits.includes(deviceLimit);
    if (key === null || !isOption) {
      return refusedAs(
        state,
        ...refusalsOf([
          [key === null, 404, "NOT_FOUND"],
          [!isOption, 422, "INVALID"],
        ]),
      );
    }
    const isRaise = account !== adminId && deviceLimit > key.deviceLimit;
    const costTenths = isRaise ? limitTenths(state, key, deviceLimit, at) : 0;
    const isRevoked = key.revokedBy !== null;
    const refusals = refusalsOf([
      [isRevoked, 409, "KEY_ALREADY_REVOKED"],
      [isRevoked, 409, "KEY_NOT_ACTIVE"],
      [deviceLimit < key.devices.length, 409, "DEVICES_CONNECTED"],
      [costTenths === null, 422, "NOT_SOLD"],
      [isDearer(cost, costTenths), 409, "COST_CHANGED"],
      [isShort(state.resellers.get(account), costTenths), 402, "CREDITS_SHORT"],
    ]);
    if (refusals.length > 0) return refusedAs(state, ...refusals);
    const event = eventText("limit_changed", nameOf(state, account), null, deviceLimit);
    const changed = deviceLimit === key.deviceLimit ? key : withEvents({ ...key, deviceLimit }, event);
    const paid = withKeyRow(state, key, {
      reason: "device_limit_change",
      amountTenths: -(costTenths ?? 0),
      account,
    });
    const after = { ...paid, keys: put(paid.keys, id, changed) };
    return paidChange(after, id, { account, costTenths: costTenths ?? 0, at });
  },

  pause: (state, { by, key: id }, { at }) =>
    onOpenKey(state, { by, id, at }, (key, account) => {
      const who = account === adminId ? "admin" : "reseller";
      const event = eventText("paused", nameOf(state, account));
      const { pause } = key.life;
      if (pause === null) {
        if (who === "reseller" && !mayPause(key.life)) return "PAUSE_USED_UP";
        return withEvents({ ...key, life: paused(key.life, { from: at, by: who, intervention: null }) }, event);
      }
      if (who === "reseller" || pause.by === "admin") return key;
      return withEvents({ ...key, life: takenOver(key.life, at) }, event);
    }),

  resume: (state, { by, key: id }, { at }) =>
    onOpenKey(state, { by, id, at }, (key, account) => {
      const { pause } = key.life;
      if (pause === null) return key;
      if (account !== adminId && pause.by === "admin") return "PAUSED_BY_ADMIN";
      return withEvents({ ...key, life: resumed(key.life, at) }, eventText("resumed", nameOf(state, account)));
    }),
};

/** What an extension costs the account, or `null` if it is not sold. */
export function extensionTenths({ retired }: State, account: number, key: Key, hours: number): number | null {
  if (account === adminId) return 0;
  return retired.includes(key.game) ? null : priceTenths(key.game, hours, key.deviceLimit);
}

/** The state after an extension of a key that is not revoked. */
export function extendedKey(
  state: State,
  given: Key,
  { account, hours, costTenths, at }: { account: number; hours: number; costTenths: number; at: number },
): State {
  const key = settled(given, at);
  const hasStarted = endOf(key.life) !== null;
  const longer = hasStarted
    ? { life: extended(key.life, hours * msPerHour, at) }
    : { durationHours: (key.durationHours as number) + hours };
  const event = eventText("extended", nameOf(state, account), null, hours);
  const paid = withKeyRow(state, key, { reason: "key_extension", amountTenths: -costTenths, account });
  return { ...paid, keys: put(paid.keys, key.id, withEvents({ ...key, ...longer }, event)) };
}

/** Whether it costs more than the caller expects, in credits. */
export function isDearer(cost: number | undefined, costTenths: number | null): boolean {
  return cost !== undefined && costTenths !== null && costTenths > cost * 10;
}

export function isShort(reseller: Reseller | undefined, costTenths: number | null): boolean {
  return reseller !== undefined && costTenths !== null && balanceTenths(reseller) < costTenths;
}

/** The refusals whose condition holds. */
export function refusalsOf(possible: [isRefused: boolean, status: number, code: string][]): RefusedAs[] {
  return possible.filter(([isRefused]) => isRefused).map(([, ...refusal]) => refusal);
}

function limitTenths({ retired }: State, given: Key, deviceLimit: number, at: number): number | null {
  if (retired.includes(given.game)) return null;
  const { game, deviceLimit: limit, durationHours, life } = settled(given, at);
  const end = endOf(life);
  const leftMs = end === null ? (durationHours as number) * msPerHour : end - (life.pause?.from ?? at);
  return raiseTenths(game, leftMs, [limit, deviceLimit]);
}

/** Pausing and resuming: of an ACTIVE or PAUSED key. `change` returns the code of a refusal or the key afterwards. */
function onOpenKey(
  state: State,
  { by, id, at }: { by: string; id: number; at: number },
  change: (key: Key, account: number) => Key | string,
): Outcome {
  const account = state.sessions.get(by);
  if (account === undefined) return refused(state, 401, "NOT_SIGNED_IN");
  const key = ownKey(state, account, id);
  if (key === null) return refused(state, 404, "NOT_FOUND");
  if (["EXPIRED", "REVOKED"].includes(statusOf(key, at))) {
    return refused(state, 409, "KEY_NOT_ACTIVE", "KEY_ALREADY_REVOKED");
  }
  const changed = change(settled(key, at), account);
  return typeof changed === "string" ? refused(state, 409, changed) : changedKey(state, changed, account, at);
}

function paidChange(
  state: State,
  id: number,
  { account, costTenths, at, retry }: { account: number; costTenths: number; at: number; retry?: Retryable },
): Outcome {
  const reseller = state.resellers.get(account);
  const key = keyView(state.keys.get(id) as Key, account, at);
  const body = { key, cost: costTenths / 10, ...(reseller && { credits: balanceTenths(reseller) / 10 }) };
  return { status: 200, body, next: () => (retry ? remembering(state, retry, { body, at }) : state) };
}
