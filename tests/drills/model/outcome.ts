import type { Action } from "./actions.ts";
import { type Key, put, type State } from "./state.ts";
import { keyView } from "./views.ts";

/** The response that the rules expect, and the state afterwards. If an action is refused, any of `codes` is accepted. */
export interface Outcome {
  status: number;
  codes?: string[];
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
  /** The response, from which the model takes random and generated values: ids, texts, cookies. */
  // biome-ignore lint/suspicious/noExplicitAny: the model checks responses of any shape.
  body: any;
  cookie: string;
}

/** A reset does not take effect at one instant, so it is not included; `reset` is its rule. */
export type InstantAction = Exclude<Action, { type: "resetDevices" }>;

export type Rules = {
  [Type in InstantAction["type"]]: (
    state: State,
    action: Extract<Action, { type: Type }>,
    observation: Observation,
  ) => Outcome;
};

export function refused(state: State, status: number, ...codes: string[]): Outcome {
  return { status, codes, next: () => state };
}

export function changedKey(state: State, key: Key, account: number, at: number): Outcome {
  const next = () => ({ ...state, keys: put(state.keys, key.id, key) });
  return { status: 200, body: { key: keyView(key, account, at) }, next };
}
