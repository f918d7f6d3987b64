import type { Act } from "./acts.ts";
import { keyView } from "./views.ts";
import { type Key, put, type World } from "./world.ts";

/** What the rules answer to an act in a world, and the world after it. `codes` are those of a refusal, of which any will do. */
export interface Outcome {
  status: number;
  codes?: string[];
  /** As much of the answer as the rules decide. */
  body?: unknown;
  /** Asked only of an answer of this status. `null` where what it says cannot be. */
  next(): World | null;
}

/** What an act is judged by, beside the world. */
export interface Seen {
  /** The instant at which it is taken to have happened, and the first and the last at which it may have. */
  at: number;
  from: number;
  to: number;
  /** The world when it was sent. */
  before: World;
  /** The answer, from which the model takes what chance and the database chose: ids, texts, cookies. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer of unknown shape is what the model is held against.
  body: any;
  cookie: string;
}

/** A reset does not happen at one instant, so it is no act among these: `reset` is its rule. */
export type Sudden = Exclude<Act, { does: "resetDevices" }>;

export type Rules = {
  [Does in Sudden["does"]]: (world: World, act: Extract<Act, { does: Does }>, seen: Seen) => Outcome;
};

export function refused(world: World, status: number, ...codes: string[]): Outcome {
  return { status, codes, next: () => world };
}

export function changedKey(world: World, key: Key, account: number, at: number): Outcome {
  const next = () => ({ ...world, keys: put(world.keys, key.id, key) });
  return { status: 200, body: { key: keyView(key, account, at) }, next };
}
