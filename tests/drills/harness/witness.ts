import assert from "node:assert/strict";
import type { Stored } from "./stored.ts";

/** Kinds of what a server may acknowledge, each with the condition that is true of what the database does not have. Of a connection the device's id is a UUID. */
const absent = {
  token: "NOT EXISTS (SELECT 1 FROM referral_tokens WHERE token = value)",
  grant: "value NOT IN (SELECT note FROM credit_ledger WHERE note IS NOT NULL)",
  key: "NOT EXISTS (SELECT 1 FROM license_keys WHERE lower(key_string) = lower(value))",
  revocation:
    "NOT EXISTS (SELECT 1 FROM license_keys WHERE lower(key_string) = lower(value) AND revoked_at IS NOT NULL)",
  connection: `NOT EXISTS (SELECT 1 FROM key_devices d JOIN license_keys k ON k.id = d.key_id
    WHERE d.device_id = substr(value, length(value) - 35) AND lower(k.key_string) = lower(substr(value, 1, length(value) - 37)))`,
  removal: "value NOT IN (SELECT device_id FROM key_events WHERE what = 'DEVICE_REMOVED')",
  update: "value NOT IN (SELECT title FROM online_updates)",
};

type Kind = keyof typeof absent;

/** Remembers what a server acknowledged, and asks its database whether it is there. */
export interface Witness {
  acknowledged: (kind: Kind, text: string) => void;
  /** Takes back what the next request may undo, whether it is answered or not. */
  doubted: (kind: Kind, text: string) => void;
  count: () => number;
  /** What was acknowledged until now, for a copy that is made from now on. */
  untilNow: () => Pick<Witness, "holdNothingLost">;
  /** Holds that everything is there; or only what was acknowledged since it was last asked, which takes less long. */
  holdNothingLost: (stored: Stored, which?: "all" | "newest") => Promise<void>;
}

type Facts = Map<Kind, Set<string>>;

export function createWitness(): Witness {
  const facts: Facts = new Map();
  let newest: Facts = new Map();
  /** What `untilNow` gave away: what is doubted later may be missing there too. */
  const copies: Facts[] = [];
  let count = 0;
  return {
    acknowledged(kind, text) {
      count += 1;
      for (const into of [facts, newest]) into.set(kind, (into.get(kind) ?? new Set()).add(text));
    },
    doubted(kind, text) {
      for (const from of [facts, newest, ...copies]) from.get(kind)?.delete(text);
    },
    count: () => count,
    untilNow() {
      const copy: Facts = new Map([...facts].map(([kind, texts]) => [kind, new Set(texts)]));
      copies.push(copy);
      return { holdNothingLost: (stored) => holdAllIn(stored, copy) };
    },
    async holdNothingLost(stored, which = "all") {
      const asked = which === "all" ? facts : newest;
      newest = new Map();
      await holdAllIn(stored, asked);
    },
  };
}

async function holdAllIn(stored: Stored, facts: Facts): Promise<void> {
  for (const [kind, texts] of facts) {
    const lost = await stored.which([...texts], absent[kind]);
    const example = `${lost.length} of ${texts.size} acknowledged (${kind}) are lost, such as ${lost[0]}.`;
    assert.equal(lost.length, 0, example);
  }
}
