import { type AccountFacts, accountTellings } from "./account-facts.ts";
import type { Action } from "./audit-entry.ts";
import { type KeyFacts, keyTellings } from "./key-facts.ts";
import { type ResellerFacts, resellerTellings } from "./reseller-facts.ts";
import type { Tellings } from "./telling.ts";

/** What a verb did, by action. A new action needs an entry here, and then `tellings` needs what is told of it. */
export interface Facts extends AccountFacts, KeyFacts, ResellerFacts {}

export const tellings: Tellings<Facts> = { ...accountTellings, ...keyTellings, ...resellerTellings };

/** Actions of which no fact is told. A note and a reset of devices write the history of keys with their rows. */
export type AuditOnly = Exclude<Action, keyof Facts>;
