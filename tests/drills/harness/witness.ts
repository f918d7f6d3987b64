import assert from "node:assert/strict";
import type { StoredDatabase } from "./stored-database.ts";

/**
 * The kinds of acknowledged writes, each with a condition that is true if the write is missing. A connection's device
 * id is a UUID. The normal form, which has an index, is the key's text in small letters in these drills.
 */
const absent = {
  token: "NOT EXISTS (SELECT 1 FROM referral_tokens WHERE token = value)",
  grant: "value NOT IN (SELECT note FROM credit_ledger WHERE note IS NOT NULL)",
  key: "NOT EXISTS (SELECT 1 FROM license_keys WHERE normal_form = lower(value))",
  revocation: "NOT EXISTS (SELECT 1 FROM license_keys WHERE normal_form = lower(value) AND revoked_at IS NOT NULL)",
  connection: `NOT EXISTS (SELECT 1 FROM key_devices d JOIN license_keys k ON k.id = d.key_id
    WHERE d.device_id = substr(value, length(value) - 35) AND k.normal_form = lower(substr(value, 1, length(value) - 37)))`,
  removal: "value NOT IN (SELECT device_id FROM key_events WHERE what = 'DEVICE_REMOVED')",
  update: "value NOT IN (SELECT title FROM online_updates)",
};

type Kind = keyof typeof absent;

/** Records the writes that a server acknowledged, and checks that its database contains them. */
export interface Witness {
  acknowledged: (kind: Kind, text: string) => void;
  /** Forgets a write that the next request may undo, even without a response. */
  forget: (kind: Kind, text: string) => void;
  count: () => number;
  /** A snapshot of the writes acknowledged so far, for a copy of the database that is made from now on. */
  snapshot: () => Pick<Witness, "assertNothingLost">;
  /** Asserts that no write is missing; with "newest" only those since the last check, which is faster. */
  assertNothingLost: (stored: StoredDatabase, which?: "all" | "newest") => Promise<void>;
}

type Facts = Map<Kind, Set<string>>;

export function createWitness(): Witness {
  const facts: Facts = new Map();
  let newest: Facts = new Map();
  /** Snapshots. Writes that are forgotten later may be missing there too. */
  const copies: Facts[] = [];
  let count = 0;
  return {
    acknowledged(kind, text) {
      count += 1;
      for (const into of [facts, newest]) into.set(kind, (into.get(kind) ?? new Set()).add(text));
    },
    forget(kind, text) {
      for (const from of [facts, newest, ...copies]) from.get(kind)?.delete(text);
    },
    count: () => count,
    snapshot() {
      const copy: Facts = new Map([...facts].map(([kind, texts]) => [kind, new Set(texts)]));
      copies.push(copy);
      return { assertNothingLost: (stored) => assertAllIn(stored, copy) };
    },
    async assertNothingLost(stored, which = "all") {
      const expected = which === "all" ? facts : newest;
      newest = new Map();
      await assertAllIn(stored, expected);
    },
  };
}

async function assertAllIn(stored: StoredDatabase, facts: Facts): Promise<void> {
  for (const [kind, texts] of facts) {
    const lost = await stored.which([...texts], absent[kind]);
    const example = `${lost.length} of ${texts.size} acknowledged (${kind}) are lost, such as ${lost[0]}.`;
    assert.equal(lost.length, 0, example);
  }
}
