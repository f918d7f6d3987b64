import type { DatabaseEvent } from "../core/events.ts";
import type { Unit } from "../db/contract.ts";
import type { Action, Entry } from "./audit-entry.ts";
import { addToHistory } from "./history-store.ts";
import { type KeyFacts, keyTellings } from "./key-facts.ts";
import { recordEvents } from "./outbox.ts";
import { type ResellerFacts, resellerTellings } from "./reseller-facts.ts";
import type { Doer, Telling, Tellings } from "./telling.ts";

/** What a verb did, by action. A new action needs an entry here, and then `tellings` needs what is told of it. */
export interface Facts extends KeyFacts, ResellerFacts {}

export const tellings: Tellings<Facts> = { ...keyTellings, ...resellerTellings };

/** Actions of which no fact is told: they leave an audit entry, and some tell pages or the history by hand. */
export type AuditOnly = Exclude<Action, keyof Facts>;

interface Fact<Done extends keyof Facts = keyof Facts> {
  did: Done;
  what: Facts[Done];
}

/** What a verb returns: its result, and what it did. */
export interface Happened<Result> {
  result: Result;
  fact: Fact;
}

export function happened<Done extends keyof Facts, Result>(
  did: Done,
  what: Facts[Done],
  result: Result,
): Happened<Result> {
  return { result, fact: { did, what } };
}

/** What a verb returns that found everything as it was to be. */
export function unchanged<Result>(result: Result): { result: Result; record: null } {
  return { result, record: null };
}

/** The entry of a change that several transactions make, which tell their parts by hand. */
export interface InParts {
  inParts: Entry;
}

/**
 * Tells what happened: the history of keys and the webhooks, in the unit that made the change. The caller writes the
 * audit entry and publishes the notices.
 */
export async function tell(
  { sql }: Unit,
  { did, what }: Fact,
  doer: Doer,
): Promise<{ record: Entry & ReturnType<Telling<Action, never>["audit"]>; events: DatabaseEvent[] }> {
  // The types of a fact and its telling go together, which the union of all of them does not show.
  const { audit, webhooks, history, live } = tellings[did] as Telling<Action, unknown>;
  if (history) await addToHistory(sql, { ...history(what), madeBy: doer.id, at: doer.at });
  if (webhooks) await recordEvents(sql, webhooks(what, doer));
  return { record: { action: did, ...audit(what, doer) } as never, events: live ? [live(what)] : [] };
}
