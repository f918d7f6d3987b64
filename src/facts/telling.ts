import type { DatabaseEvent } from "../core/events.ts";
import type { Action, Details } from "./audit-entry.ts";
import type { KeyHistory } from "./history-store.ts";
import type { NewEvent } from "./outbox-store.ts";

/** Who did it, or null for a change that no account makes, and when. */
export interface Doer {
  id: number | null;
  role: "admin" | "reseller" | null;
  at: number;
}

/** Who did it, if it is not the caller: the account that registers. */
export interface Actor {
  id: number;
  username: string;
  role: "admin" | "reseller";
  /** Of a staff account, otherwise null or left out. */
  rights?: readonly string[] | null;
  owner?: { username: string } | null;
}

/** A part that is told nothing is null, so that no fact can leave one out by mistake. */
export interface Telling<Done extends Action, What> {
  audit: (what: What, by: Doer) => { target: string; details: Details[Done]; actor?: Actor };
  webhooks: ((what: What, by: Doer) => NewEvent[]) | null;
  history: ((what: What) => Omit<KeyHistory, "at" | "madeBy">) | null;
  /** For open pages, once it is committed. */
  live: ((what: What, by: Doer) => DatabaseEvent[]) | null;
}

export type Tellings<Facts> = { [Done in keyof Facts & Action]: Telling<Done, Facts[Done]> };
