import type { Action } from "./audit-entry.ts";
import { type KeyFacts, keyTellings } from "./key-facts.ts";
import { type ResellerFacts, resellerTellings } from "./reseller-facts.ts";
import type { Tellings } from "./telling.ts";

/** What a verb did, by action. A new action needs an entry here, and then `tellings` needs what is told of it. */
export interface Facts extends KeyFacts, ResellerFacts {}

export const tellings: Tellings<Facts> = { ...keyTellings, ...resellerTellings };

/** Actions of which no fact is told: they leave an audit entry, and some tell pages or the history by hand. */
export type AuditOnly = Exclude<Action, keyof Facts>;
