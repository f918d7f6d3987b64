import fc from "fast-check";
import type { Action, Selection } from "./actions.ts";
import type { Key, Reseller, State } from "./state.ts";

/** What the choice of the next action may depend on. */
export interface Context {
  state: State;
  /** The time of the server. */
  now: number;
  adminCookie: string;
  /** Keys of recent actions, the latest last. Repeated changes to the same key find the most faults. */
  recentKeys: number[];
  /** Calls with an Idempotency-Key, with or without a response. */
  retryable: Extract<Action, { idempotencyKey: string | null }>[];
  /** Selections made while nothing else happened, so that the keys behind the mark are known. */
  selections: Selection[];
}

/** Chooses an action. If something is missing for it (a token, a reseller, a session), it chooses an action that creates it. */
export type Choice = (context: Context) => Action;

/** Picks one of the existing things. */
export const number = fc.nat({ max: 1_000 });

export const device = fc.constantFrom("phone-a", "phone-b", "phone-c", "phone-d", "tablet-é");

const resellersMax = 3;

/** Mostly one of the recently used keys. */
export function keyIn({ state, recentKeys }: Context, n: number, matches = (_: Key) => true): Key | undefined {
  const all = [...state.keys.values()].filter(matches);
  const recent = all.filter(({ id }) => recentKeys.includes(id));
  return pick(n % 8 > 0 && recent.length > 0 ? recent : all, n);
}

export function registerNext({ state }: Context, n: number): Action {
  const tokens = [...state.tokens.values()];
  const free = tokens.filter(({ usedBy }) => usedBy === null);
  const isFull = state.resellers.size >= resellersMax;
  const token = pick(isFull ? tokens.filter(({ usedBy }) => usedBy !== null) : free, n);
  if (!token) return { type: "issueToken", credits: 33.3 };
  return { type: "register", token: token.text, username: `reseller.${n % (resellersMax + 1)}` };
}

export function withReseller(context: Context, n: number, action: (reseller: Reseller) => Action): Action {
  const reseller = pick([...context.state.resellers.values()], n);
  return reseller ? action(reseller) : registerNext(context, n);
}

export function asReseller(context: Context, n: number, action: (by: string) => Action): Action {
  return withReseller(context, n, ({ id, username, isActive }) => {
    const by = sessionOf(context, id);
    if (by !== undefined) return action(by);
    return isActive ? { type: "signIn", username } : { type: "setActive", reseller: id, isActive: true };
  });
}

/** The cookie of the account's latest open session. */
export function sessionOf({ state }: Context, account: number | null | undefined): string | undefined {
  return [...state.sessions].findLast(([, one]) => one === account)?.[0];
}

export function asAccount(context: Context, isAdmin: boolean, n: number, action: (by: string) => Action): Action {
  return isAdmin ? action(context.adminCookie) : asReseller(context, n, action);
}

export function pick<Thing>(things: Thing[], n: number): Thing | undefined {
  return things[n % things.length];
}
