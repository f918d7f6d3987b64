import fc from "fast-check";
import type { Action } from "./actions.ts";
import { asAccount, type Choice, type Context, keyIn, number, pick, sessionOf } from "./context.ts";
import { msPerDay } from "./life.ts";
import { addedDurationId, type Duration, games } from "./prices.ts";
import { adminId, type Intervention, type Key, type Scope, type State, statusOf } from "./state.ts";

export const idempotencyKey = fc.option(fc.constantFrom("once-1", "once-2"), { freq: 2 });

const soldDuration = fc.constantFrom<Duration>(
  { durationId: addedDurationId },
  { durationId: addedDurationId },
  { days: 5 },
  { days: 30 },
  { days: 60, durationId: 5 },
  { days: 7 },
);
const givenDuration = fc.constantFrom<Duration>({ hours: 1 }, { hours: 5 }, { hours: 100 });
/** A duration for both roles. */
export const durations = fc.record({ sold: soldDuration, given: givenDuration });

export const cost = fc.constantFrom(undefined, undefined, undefined, undefined, 0, 3, 1_000);

export const extend = fc.record({ n: number, key: number, isAdmin: fc.boolean(), durations, idempotencyKey, cost }).map(
  ({ durations, idempotencyKey, cost, ...whose }): Choice =>
    (context) =>
      onOwnKey(context, whose, (by, key) => {
        const duration = by === context.adminCookie ? durations.given : durations.sold;
        return { type: "extend", by, key, duration, idempotencyKey, cost };
      }),
);

export const setLimit = fc
  .record({ n: number, key: number, isAdmin: fc.boolean(), deviceLimit: fc.constantFrom(1, 2, 2, 100, 100, 5), cost })
  .map(
    ({ deviceLimit, cost, ...whose }): Choice =>
      (context) =>
        onOwnKey(context, whose, (by, key) => ({ type: "setLimit", by, key, deviceLimit, cost })),
  );

/** Few texts, in upper and lower case, so that they collide often. */
export const customText = fc.constantFrom("SUMMER-1", "summer-1", "SUMMER-2", "TEAM_3", "team_3");

export const replace = fc
  .record({
    ...{ n: number, key: number, isAdmin: fc.boolean(), idempotencyKey },
    keyString: fc.option(customText, { nil: undefined, freq: 3 }),
  })
  .map(
    ({ keyString, idempotencyKey, ...whose }): Choice =>
      (context) =>
        onOwnKey(context, whose, (by, key) => ({ type: "replace", by, key, keyString, idempotencyKey })),
  );

export const pauseOrResume = fc
  .record({ n: number, key: number, isAdmin: fc.constantFrom(false, false, true), isOpposite: fc.boolean() })
  .map(
    ({ isOpposite, ...whose }): Choice =>
      (context) =>
        onOwnKey(context, whose, (by, key) => {
          const isPaused = (context.state.keys.get(key)?.life.pause ?? null) !== null;
          return { type: isPaused === (isOpposite || whose.n % 4 > 0) ? "resume" : "pause", by, key };
        }),
  );

export const intervene = fc
  .record({
    of: number,
    kind: fc.constantFrom<Intervention["kind"]>("compensate", "compensate", "pause", "resume", "resume"),
    over: fc.constantFrom("all", "game", "reseller", "order"),
    hours: fc.constantFrom(1, 24, 100),
    sinceMs: fc.constantFrom(null, 0, 1_000, 2 * msPerDay),
    reason: fc.constantFrom("An outage", 'It\'s "planned" work'),
    isDryRun: fc.constantFrom(false, false, false, true),
    idempotencyKey,
  })
  .map(
    ({ of, kind, over, hours, sinceMs, reason, isDryRun, idempotencyKey }): Choice =>
      ({ state, now, adminCookie: by }) => {
        const isGift = kind === "compensate";
        const since = isGift && sinceMs !== null ? now - sinceMs : null;
        const what = { kind, scope: scopeOf(state, over, of), hours: isGift ? hours : null, since, reason };
        return isDryRun ? { type: "previewIntervention", what } : { type: "intervene", by, what, idempotencyKey };
      },
  );

export const compensateAll: Choice = ({ adminCookie: by }) => {
  const gift = { scope: { all: true }, hours: 24, since: null, reason: "An outage" } as const;
  return { type: "intervene", by, what: { kind: "compensate", ...gift }, idempotencyKey: null };
};

/** Mostly of the latest compensation that was not undone. */
export const undo =
  (n: number): Choice =>
  (context) => {
    const all = [...context.state.interventions.values()];
    const given = all.filter(({ kind, isUndone }) => kind === "compensate" && !isUndone);
    const intervention = n % 6 > 0 ? (n % 2 > 0 ? given.at(-1) : pick(given, n)) : pick(all, n);
    return intervention ? { type: "undo", intervention: intervention.id } : compensateAll(context);
  };

/** Takes a game off sale, mostly for a short time. */
export const retire = number.map(
  (n): Choice =>
    ({ state }) => {
      const [retired] = state.retired;
      if (retired !== undefined) return { type: "retire", game: retired, isRetired: false };
      return { type: "retire", game: pick(games, n) as string, isRetired: true };
    },
);

/** Mostly by the owner of the key or by an admin. */
function onOwnKey(
  context: Context,
  { n, key: of, isAdmin }: { n: number; key: number; isAdmin: boolean },
  action: (by: string, key: number) => Action,
): Action {
  const isWanted = (key: Key) => n % 6 === 0 || statusOf(key, context.now) !== "REVOKED";
  const key = keyIn(context, of, isWanted) ?? keyIn(context, of);
  const id = key?.id ?? 1;
  const owner = isAdmin || n % 10 === 0 ? undefined : sessionOf(context, key?.owner);
  return owner === undefined || context.state.sessions.get(owner) === adminId
    ? asAccount(context, isAdmin || key?.owner === null, n, (by) => action(by, id))
    : action(owner, id);
}

function scopeOf({ resellers, orders }: State, over: string, n: number): Scope {
  if (over === "game") return { gameId: 1 + (n % games.length) };
  if (over === "reseller") return { resellerId: pick([...resellers.keys()], n) ?? 99 };
  if (over === "order") return { orderId: pick([...orders.keys()].slice(-3), n) ?? 99 };
  return { all: true };
}
