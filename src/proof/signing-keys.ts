import type { KeyObject } from "node:crypto";
import type { AuditedChanges, Done } from "../accounts/audited-changes.ts";
import type { Seal } from "../accounts/sealed.ts";
import { randomLetters } from "../core/key-text.ts";
import type { RandomBytes } from "../core/random.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import type { Entry } from "../facts/audit-entry.ts";
import * as store from "./signing-key-store.ts";

const kidCharacters = 8;
const queue = "signing keys";

type Action = Extract<Entry["action"], `signing_key_${string}`>;

export type SigningKeys = ReturnType<typeof createSigningKeys>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  seal: Seal;
  randomBytes: RandomBytes;
}

/** The keys that sign verdicts (rules.md: Proofs). The operator manages them on the command line. */
export function createSigningKeys({ database, changes, seal, randomBytes }: Dependencies) {
  return {
    /** All keys, the oldest first. */
    list: () => store.allSigningKeys(database.read),

    /** The keys that clients may meet. */
    async published() {
      const rows = await store.allSigningKeys(database.read);
      return rows.flatMap(({ kid, publicKey, state }) => (state === "retired" ? [] : [{ kid, publicKey, state }]));
    },

    /** Makes an active and a next key for a database that has none. */
    async makeFirst(): Promise<void> {
      if ((await store.allSigningKeys(database.read)).length > 0) return;
      await database.transaction(queue, async ({ sql }) => {
        if ((await store.allSigningKeys(sql)).length > 0) return;
        await store.insertSigningKey(sql, newKey("active"));
        await store.insertSigningKey(sql, newKey("next"));
      });
    },

    /**
     * Retires the keys that SECRET does not open, in the caller's transaction. Without an active key a next one takes its
     * place, because games have its public half; what is then missing is made. Returns how many it retired and made.
     */
    async replaceLost(sql: Sql): Promise<{ retired: number; made: number }> {
      const rows = (await store.allSigningKeys(sql)).filter(({ state }) => state !== "retired");
      const opened = rows.filter((row) => openSeed(seal, row) !== null);
      for (const row of rows) if (!opened.includes(row)) await store.retireSigningKey(sql, row.kid);
      const states = opened.map(({ state }) => state);
      const promoted = states.includes("active") ? undefined : opened.find(({ state }) => state === "next");
      if (promoted) await store.activateSigningKey(sql, promoted.kid);
      const made: store.SigningKeyRow[] = [];
      if (!promoted && !states.includes("active")) made.push(newKey("active"));
      if (states.filter((state) => state === "next").length === (promoted ? 1 : 0)) made.push(newKey("next"));
      for (const key of made) await store.insertSigningKey(sql, key);
      return { retired: rows.length - opened.length, made: made.length };
    },

    /** Makes a next key and returns it. */
    add: () =>
      carryOut(async (sql) => {
        const key = newKey("next");
        await store.insertSigningKey(sql, key);
        return { result: key, record: recordOf("signing_key_added", key.kid) };
      }),

    /** Returns whether it was not active yet. Throws `NOT_FOUND`, or `FORBIDDEN` for a key that cannot sign here. */
    promote: (kid: string) =>
      carryOut(async (sql) => {
        const key = await keyWith(sql, kid);
        if (key.state === "active") return { result: false, record: null };
        if (key.state === "retired") throw new Refusal("FORBIDDEN", `${kid} is retired. Add a new key.`);
        if (openSeed(seal, key) === null) {
          throw new Refusal("FORBIDDEN", `${kid} was encrypted with another SECRET and cannot sign. Add a new key.`);
        }
        await store.activateSigningKey(sql, kid);
        return { result: true, record: recordOf("signing_key_promoted", kid) };
      }),

    /** Erases the private half. Returns whether it was there. Throws `NOT_FOUND`, or `FORBIDDEN` for the active key. */
    retire: (kid: string) =>
      carryOut(async (sql) => {
        const { state } = await keyWith(sql, kid);
        if (state === "active") throw new Refusal("FORBIDDEN", `${kid} is the active key. Promote another one first.`);
        if (state === "retired") return { result: false, record: null };
        await store.retireSigningKey(sql, kid);
        return { result: true, record: recordOf("signing_key_retired", kid) };
      }),
  };

  function carryOut<Result>(work: (sql: Sql) => Promise<Done<Result>>): Promise<Result> {
    return changes.carryOut("command line", ({ sql }) => work(sql), { queue });
  }

  function newKey(state: "active" | "next"): store.SigningKeyRow {
    const kid = randomLetters(kidCharacters, randomBytes);
    const seed = randomBytes(new Uint8Array(seedBytes));
    const sealedSecret = seal.seal(Buffer.from(seed).toString("base64url"), purposeFor(kid));
    return { kid, publicKey: publicHalfOf(privateKeyOf(seed)), state, sealedSecret };
  }
}

/** The private half, or null if it was encrypted with another SECRET or is erased. */
export function openSeed(seal: Seal, { kid, sealedSecret }: store.SigningKeyRow): Uint8Array | null {
  const seed = sealedSecret === null ? null : seal.open(sealedSecret, purposeFor(kid));
  return seed === null ? null : Buffer.from(seed, "base64url");
}

/** How many of the active and the next keys are encrypted with another SECRET. */
export async function countUnopenedKeys(sql: Sql, seal: Seal): Promise<number> {
  const inUse = (await store.allSigningKeys(sql)).filter(({ state }) => state === "active" || state === "next");
  return inUse.filter((row) => openSeed(seal, row) === null).length;
}

/** After SECRET was changed: seals under the current secret what the previous one sealed. Returns how many that were. */
export function sealKeysAnew({ database, seal }: { database: Database; seal: Seal }): Promise<number> {
  return database.transaction(queue, async ({ sql }) => {
    let count = 0;
    for (const { kid, sealedSecret } of await store.allSigningKeys(sql)) {
      const anew = sealedSecret === null ? null : seal.anew(sealedSecret, purposeFor(kid));
      if (anew === null) continue;
      await store.replaceSealedKey(sql, kid, anew);
      count += 1;
    }
    return count;
  });
}

async function keyWith(sql: Sql, kid: string): Promise<store.SigningKeyRow> {
  const key = (await store.allSigningKeys(sql)).find((each) => each.kid === kid);
  if (!key) throw new Refusal("NOT_FOUND", `There is no signing key ${kid}.`);
  return key;
}

function purposeFor(kid: string): string {
  return `signing key ${kid}`;
}

function recordOf<Done extends Action>(action: Done, kid: string) {
  return { action, target: `signing key ${kid}`, details: {} } as const;
}

/** The private half of a key is a seed of 32 random bytes. */
const seedBytes = 32;

/** What precedes the seed in the format that Node.js reads (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

export function privateKeyOf(seed: Uint8Array): KeyObject {
  const key = Buffer.concat([pkcs8Prefix, seed]);
  return cryptography().createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** As base64url, like the signatures. */
function publicHalfOf(privateKey: KeyObject): string {
  return String(cryptography().createPublicKey(privateKey).export({ format: "jwk" }).x);
}

export function signatureOf(text: string, privateKey: KeyObject): string {
  return cryptography().sign(null, Buffer.from(text), privateKey).toString("base64url");
}

/** Loaded at the first use: an import would load it at every start. */
function cryptography() {
  return process.getBuiltinModule("node:crypto");
}
