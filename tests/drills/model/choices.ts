import fc from "fast-check";
import type { Action, KeyOrder, View } from "./actions.ts";
import { blockOrUnblock } from "./block-choices.ts";
import {
  asAccount,
  asReseller,
  type Choice,
  device,
  keyIn,
  number,
  pick,
  registerNext,
  sessionOf,
  withReseller,
} from "./context.ts";
import { msPerDay, msPerHour } from "./life.ts";
import { addedDurationId, type Duration, games } from "./prices.ts";
import { changeSelected, noteText, select } from "./selection-choices.ts";
import { isOpen, type Key, statusOf } from "./state.ts";
import {
  cost,
  customText,
  extend,
  idempotencyKey,
  intervene,
  pauseOrResume,
  replace,
  retire,
  setLimit,
  undo,
} from "./time-choices.ts";

/** Late enough that a busy machine can still create the key, soon enough that it expires during a run. */
const soonMs = 1_500;

/** The id of a device row that does not exist. A small one could belong to a device that is connecting at the same time. */
const noDevice = 1_000_000;

const commonOrder = {
  game: fc.constantFrom(...games),
  count: fc.constantFrom(1, 1, 2, 3, 5),
  keyString: fc.option(customText, { nil: undefined, freq: 3 }),
};

const issueToken = fc.constantFrom(0, 0.5, 10, 33.3).map(
  (credits): Choice =>
    () => ({ type: "issueToken", credits }),
);

const takeBackToken = number.map(
  (n): Choice =>
    ({ state }) => ({ type: "takeBackToken", token: pick([...state.tokens.keys()], n) ?? 1 + n }),
);

const register = number.map(
  (n): Choice =>
    (context) =>
      registerNext(context, n),
);

const signIn = number.map(
  (n): Choice =>
    (context) =>
      withReseller(context, n, ({ username }) => ({ type: "signIn", username })),
);

const signOut = number.map(
  (n): Choice =>
    (context) =>
      asReseller(context, n, (by) => ({ type: "signOut", by })),
);

const grant = fc
  .record({ n: number, amount: fc.constantFrom(1, 7, 100), note: fc.option(noteText, { nil: undefined }) })
  .map(
    ({ n, amount, note }): Choice =>
      (context) =>
        withReseller(context, n, ({ id: reseller }) => ({ type: "grant", reseller, amount, note: note?.trim() })),
  );

const setActive = fc
  .record({
    n: number,
    isOpposite: fc.boolean(),
    reason: fc.constantFrom(undefined, "Sold outside", 'It\'s "his" choice'),
  })
  .map(
    ({ n, isOpposite, reason }): Choice =>
      (context) =>
        withReseller(context, n, ({ id, isActive }) => {
          return { type: "setActive", reseller: id, isActive: isOpposite ? !isActive : isActive, reason };
        }),
  );

const buy = fc
  .record({
    ...{ n: number, idempotencyKey, cost },
    order: fc.record({
      ...commonOrder,
      deviceLimit: fc.constantFrom(1, 1, 2, 100),
      duration: fc.constantFrom<Duration>(
        ...[{ days: 5 }, { days: 5 }, { days: 10 }, { days: 30 }, { days: 60 }, { days: 7 }],
        ...[{ durationId: addedDurationId }, { durationId: addedDurationId }, { durationId: 1, days: 5 }],
      ),
      starts: fc.constantFrom(undefined, undefined, "first_use" as const),
    }),
  })
  .map(
    ({ n, idempotencyKey, cost, order: { duration, ...order } }): Choice =>
      (context) =>
        asReseller(context, n, (by) => {
          return { type: "generate", by, order: tidy({ ...order, ...duration }), idempotencyKey, cost };
        }),
  );

const make = fc
  .record({
    idempotencyKey,
    order: fc.record({ ...commonOrder, deviceLimit: fc.constantFrom(1, 2, 5, 100) }),
    // An hour more than whole days, so that the number of days does not depend on the exact millisecond at which the server counts them.
    livesMs: fc.constantFrom(soonMs, soonMs, msPerDay + msPerHour, 365 * msPerDay + msPerHour),
    firstUseHours: fc.constantFrom(null, null, 1, 30, 8_760),
  })
  .map(
    ({ idempotencyKey, order, livesMs, firstUseHours }): Choice =>
      ({ adminCookie: by, now }) => {
        const time =
          firstUseHours === null
            ? { expiresAt: now + livesMs }
            : { starts: "first_use" as const, durationHours: firstUseHours };
        return { type: "generate", by, order: tidy({ ...order, ...time }), idempotencyKey };
      },
  );

const retry = fc.record({ n: number, other: buy }).map(
  ({ n, other }): Choice =>
    (context) => {
      const earlier = pick(context.retryable, n);
      if (!earlier) return other(context);
      // Its session may have ended since; another session of the same account will do.
      const account = context.state.sessions.get(earlier.by);
      const [by = earlier.by] = [...context.state.sessions].find(([, one]) => one === account) ?? [];
      return { ...earlier, by };
    },
);

const revoke = fc.record({ n: number, key: number, isAdmin: fc.boolean() }).map(
  ({ n, key, isAdmin }): Choice =>
    (context) => {
      // Mostly a key with cached devices, revoked by an account that may do so.
      const isInUse = ({ devices, revokedBy }: Key) => devices.length > 0 && revokedBy === null;
      const used = n % 4 > 0 ? keyIn(context, key, isInUse) : undefined;
      const revoke = (by: string): Action => ({ type: "revoke", by, key: (used ?? keyIn(context, key))?.id ?? 1 });
      const owner = isAdmin ? undefined : sessionOf(context, used?.owner);
      return owner === undefined ? asAccount(context, isAdmin, n, revoke) : revoke(owner);
    },
);

const revokeUnused = fc
  .record({ n: number, order: number, isAdmin: fc.boolean(), more: fc.constantFrom(0, 0, 0, 1) })
  .map(
    ({ n, order, isAdmin, more }): Choice =>
      (context) =>
        asAccount(context, isAdmin, n, (by) => {
          const id = pick([...context.state.orders.keys()], order) ?? 1;
          const isUnused = (key: Key) => {
            return key.orderId === id && key.devices.length === 0 && isOpen(key, context.now);
          };
          const count = [...context.state.keys.values()].filter(isUnused).length + more;
          return { type: "revokeUnused", by, order: id, count: Math.max(1, count) };
        }),
  );

const note = fc
  .record({
    n: number,
    id: number,
    on: fc.constantFrom("keys" as const, "orders"),
    note: noteText,
    isAdmin: fc.boolean(),
  })
  .map(
    ({ n, id, on, note, isAdmin }): Choice =>
      (context) =>
        asAccount(context, isAdmin, n, (by) => ({
          type: "note",
          by,
          on,
          id: pick([...context.state[on].keys()], id) ?? 1,
          note,
        })),
  );

const removeDevice = fc.record({ n: number, key: number, device: number, isAdmin: fc.boolean() }).map(
  ({ n, key, device, isAdmin }): Choice =>
    (context) => {
      const isOpen = (one: Key) => n % 8 === 0 || statusOf(one, context.now) === "ACTIVE";
      const used = keyIn(context, key, (one) => one.devices.length > 0 && isOpen(one));
      const isAll = device % 4 === 0;
      const connected = used && pick([...used.devices], device);
      // The model learns a row's id by reading the key first.
      if (used && connected?.id === null && !isAll) {
        return { type: "read", by: context.adminCookie, view: { list: "key", of: used.id } };
      }
      const owner = isAdmin ? undefined : sessionOf(context, used?.owner);
      const remove = (by: string): Action => {
        return { type: "removeDevice", by, key: used?.id ?? 1, device: isAll ? "all" : (connected?.id ?? noDevice) };
      };
      return owner === undefined ? asAccount(context, isAdmin, n, remove) : remove(owner);
    },
);

const resetDevices = fc.constant<Choice>(() => ({ type: "resetDevices" }));

const verify = fc
  .record({
    ...{ key: number, n: number, deviceId: device, isPreview: fc.constantFrom(false, false, false, true) },
    spelled: fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toLowerCase(),
      (text: string) => ` ${text} `,
      (text: string) => `\u200f${text.replaceAll("-", "\u2013")}`,
    ),
    game: fc.option(fc.constantFrom(...games), { freq: 10 }),
  })
  .map(
    ({ key, n, deviceId, isPreview, spelled, game }): Choice =>
      (context) => {
        const known = keyIn(context, key);
        const connected = n % 2 === 0 ? pick([...(known?.devices ?? [])], n)?.deviceId : undefined;
        const asked = { key: spelled(known?.text ?? "SUMMER-1"), game: game ?? known?.game ?? "FREE FIRE" };
        return { type: "verify", isPreview, ...asked, deviceId: connected ?? deviceId };
      },
  );

const read = fc
  .record({
    ...{ n: number, of: number, isAdmin: fc.boolean() },
    list: fc.constantFrom<View["list"]>(
      "keys",
      "orders",
      "ledger",
      "key",
      "answer",
      "timeline",
      "search",
      "order",
      "profile",
      "resellers",
      "tokens",
      "stats",
      "blocks",
    ),
  })
  .map(
    ({ n, of, isAdmin, list }): Choice =>
      (context) => {
        const { state, adminCookie } = context;
        if (list === "order") {
          const id = pick([...state.orders.keys()], of) ?? 1;
          return asAccount(context, isAdmin, n, (by) => ({ type: "read", by, view: { list, of: id } }));
        }
        if (["key", "answer", "timeline", "search"].includes(list)) {
          const { id, text } = keyIn(context, of) ?? { id: 1, text: "SUMMER-1" };
          const view = { list, of: id, ...(list === "search" && { text: of % 2 ? text : text.toLowerCase() }) };
          return asAccount(context, isAdmin, n, (by) => ({ type: "read", by, view }));
        }
        if (list === "blocks") return asAccount(context, isAdmin, n, (by) => ({ type: "read", by, view: { list } }));
        if (["resellers", "tokens", "stats"].includes(list))
          return { type: "read", by: adminCookie, view: { list, isPage: list !== "stats" } };
        if (!isAdmin || list === "profile")
          return asReseller(context, n, (by) => ({ type: "read", by, view: { list, isPage: list !== "profile" } }));
        const owner = list === "ledger" || of % 3 > 0 ? (pick([...state.resellers.keys()], n) ?? 99) : undefined;
        return { type: "read", by: adminCookie, view: { list, of: owner, isPage: true } };
      },
  );

export const choice: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 14, arbitrary: verify },
  { weight: 6, arbitrary: buy },
  { weight: 3, arbitrary: make },
  { weight: 3, arbitrary: retry },
  { weight: 6, arbitrary: read },
  { weight: 5, arbitrary: removeDevice },
  { weight: 2, arbitrary: grant },
  { weight: 3, arbitrary: revoke },
  { weight: 2, arbitrary: revokeUnused },
  { weight: 2, arbitrary: note },
  { weight: 2, arbitrary: select },
  { weight: 4, arbitrary: changeSelected },
  { weight: 2, arbitrary: fc.oneof(issueToken, takeBackToken, register) },
  { weight: 2, arbitrary: fc.oneof(signIn, signOut, setActive) },
  { weight: 1, arbitrary: resetDevices },
  { weight: 4, arbitrary: fc.oneof(extend, setLimit) },
  { weight: 4, arbitrary: pauseOrResume },
  { weight: 3, arbitrary: replace },
  { weight: 3, arbitrary: blockOrUnblock },
  { weight: 2, arbitrary: intervene },
  { weight: 2, arbitrary: number.map(undo) },
  { weight: 1, arbitrary: retire },
);

/** Changes that can change the verdict for a key's devices. */
export const keyChange: fc.Arbitrary<Choice> = fc.oneof(
  { weight: 4, arbitrary: verify },
  { weight: 5, arbitrary: removeDevice },
  { weight: 4, arbitrary: revoke },
  { weight: 2, arbitrary: changeSelected },
  { weight: 1, arbitrary: revokeUnused },
  { weight: 1, arbitrary: resetDevices },
  { weight: 2, arbitrary: pauseOrResume },
  { weight: 2, arbitrary: extend },
  { weight: 3, arbitrary: replace },
  { weight: 3, arbitrary: blockOrUnblock },
);

/** Drops undefined fields and fixes the order, so that a retry has the same JSON. */
function tidy(order: KeyOrder): KeyOrder {
  const { game, deviceLimit, days, durationId, expiresAt, durationHours, starts, count, keyString } = order;
  return {
    ...{ game, deviceLimit, count },
    ...(days !== undefined && { days }),
    ...(durationId !== undefined && { durationId }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(durationHours !== undefined && { durationHours }),
    ...(starts !== undefined && { starts }),
    ...(keyString !== undefined && { keyString }),
  };
}
