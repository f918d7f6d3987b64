import type { Action } from "./actions.ts";
import { adminId, type Key, put, type State } from "./state.ts";
import { keyView } from "./views.ts";

/** A status and a code. */
export type RefusedAs = [status: number, code: string];

/** The response that the rules expect, and the state afterwards. If several rules refuse an action, any may be reported. */
export interface Outcome {
  status: number;
  refusals?: RefusedAs[];
  /** The part of the response that the rules determine. */
  body?: unknown;
  /** Called only if the response has this status. Returns `null` if its content is impossible. */
  next(): State | null;
}

/** What a rule knows about an action besides the state. */
export interface Observation {
  /** The assumed instant of the action, between the earliest and the latest possible ones. */
  at: number;
  from: number;
  to: number;
  /** The state when the action was sent. */
  before: State;
  /** Whether nothing else was sent meanwhile. */
  isAlone: boolean;
  /** The response, from which the model takes random and generated values: ids, texts, cookies. */
  // biome-ignore lint/suspicious/noExplicitAny: the model checks responses of any shape.
  body: any;
  cookie: string;
  /** The keys that have old texts, by these texts in lower case, and when they were replaced. */
  replaced: Replaced;
}

export type Replaced = ReadonlyMap<string, { id: number; at: number }>;

/** A reset has no part that takes effect at one instant by itself, so it is not included; `sweeps.ts` has its rule. */
export type InstantAction = Exclude<Action, { type: "resetDevices" }>;

export type Rules = {
  [Type in InstantAction["type"]]: (
    state: State,
    action: Extract<Action, { type: Type }>,
    observation: Observation,
  ) => Outcome;
};

export function refused(state: State, status: number, ...codes: string[]): Outcome {
  return refusedAs(state, ...codes.map((code): RefusedAs => [status, code]));
}

export function refusedAs(state: State, ...refusals: RefusedAs[]): Outcome {
  return { status: refusals[0]?.[0] ?? 0, refusals, next: () => state };
}

export function changedKey(state: State, key: Key, account: number, at: number): Outcome {
  const next = () => ({ ...state, keys: put(state.keys, key.id, key) });
  return { status: 200, body: { key: keyView(key, account, at) }, next };
}

/** The key that an account asks for, or `null` if the account may not open it. */
export function ownKey(state: State, account: number, id: number): Key | null {
  const key = state.keys.get(id);
  return key && (account === adminId || key.owner === account) ? key : null;
}
