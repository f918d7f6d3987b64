import { endOfDay, instantIn, isoOf, msPerSecond, type Now } from "../../core/clock.ts";
import { creditsOf, tenthsOf } from "../../core/credits.ts";
import { createNetworks, networkIn } from "../../core/ip-address.ts";
import { type RandomBytes, randomLetters } from "../../core/random.ts";
import { Refusal, refuseProblems } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { type Place, scopesIn } from "../account-store.ts";
import type { AuditedChanges, Caller, PersonCaller } from "../audited-changes.ts";
import { apiKeyExpired, apiKeyUnknown, type Program } from "../principal.ts";
import { full } from "../schema.ts";
import type { TwoFactor } from "../two-factor/two-factor.ts";
import { type ApiKey, type ApiKeyForm, addressesSentence, expirySentence, type NewApiKey } from "./api-key-schema.ts";
import * as store from "./api-key-store.ts";
import { apiKeysPerAccountMax } from "./limits.ts";

/** Every API key begins like this, and no other token does. */
export const apiKeyPrefix = "lk_";
const apiKeyPattern = /^lk_[A-Za-z0-9]{32}$/;
const randomCharactersOfKey = 32;

/** `lastUsedAt` is at most a minute behind. */
const flushEveryMs = 30 * msPerSecond;

export type ApiKeys = ReturnType<typeof createApiKeys>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  twoFactor: TwoFactor;
  now: Now;
  randomBytes: RandomBytes;
}

/** API keys, with which programs act for an account (rules.md: API keys). */
export function createApiKeys({ database, changes, twoFactor, now, randomBytes }: Dependencies) {
  let usedAt = new Map<number, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    /**
     * Returns the program whose API key is sent from an address. Throws `API_KEY_UNKNOWN`, `API_KEY_EXPIRED` or
     * `ADDRESS_NOT_ALLOWED`.
     */
    async authenticate(key: string, address: string): Promise<Program> {
      const found = apiKeyPattern.test(key) ? await store.apiKeyWith(database.read, hashOf(key)) : null;
      if (!found) throw apiKeyUnknown();
      const at = now();
      if (found.expiresAt !== null && found.expiresAt <= at) throw apiKeyExpired();
      refuseForeign(found.addresses, address);
      usedAt.set(found.keyId, at);
      timer ??= setTimeout(writeUses, flushEveryMs).unref();
      const { id, username, role, keyId, name, scopes, limitPerDayTenths } = found;
      return { id, username, role, ...full, apiKey: { id: keyId, name, scopes: scopesIn(scopes), limitPerDayTenths } };
    },

    list: async (caller: Caller): Promise<ApiKey[]> => (await store.listApiKeys(database.read, caller.id)).map(viewOf),

    /**
     * Makes an API key and returns it, once. Throws `INVALID`, `TOO_MANY_API_KEYS`, what a wrong password throws, or
     * `SECOND_FACTOR_NEEDED` or `WRONG_SECOND_FACTOR`.
     */
    create(caller: PersonCaller & Place, form: ApiKeyForm): Promise<NewApiKey> {
      const at = now();
      const wanted = wantedIn(form, at);
      return twoFactor.proven(caller, form, {}, async () => async ({ sql }) => {
        const key = apiKeyPrefix + randomLetters(randomBytes, randomCharactersOfKey);
        const row = { ...wanted, lastFour: key.slice(-4), createdAt: at };
        const made = { ...row, accountId: caller.id, keyHash: hashOf(key) };
        const id = await store.insertApiKey(sql, made, apiKeysPerAccountMax);
        if (id === null) throw tooMany();
        const { name, scopes, limitPerDayTenths } = row;
        const details = {
          ...{ name, scopes },
          ...(limitPerDayTenths !== null && { creditsPerDay: creditsOf(limitPerDayTenths) }),
        };
        const record = { action: "api_key_created", target: targetOf(id), details } as const;
        return { result: { ...viewOf({ ...row, id, lastUsedAt: null }), key }, record };
      });
    },

    /** Not counted: a thief must not use up the changes with which an owner takes an API key away. Throws `NOT_FOUND`. */
    remove: (caller: PersonCaller, id: number) =>
      changes.carryOut(
        caller,
        async ({ sql }) => {
          const { name } = found(await store.deleteApiKey(sql, { id, accountId: caller.id }));
          const record = { action: "api_key_deleted", target: targetOf(id), details: { name } } as const;
          return { result: undefined, record };
        },
        { isCounted: false },
      ),

    writeUses,
  };

  /** Writes when the API keys were used last. What cannot be written is written with the next use. */
  async function writeUses(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const uses = usedAt;
    usedAt = new Map();
    for (const [id, at] of uses) await store.touchApiKey(database.write, { id, at }).catch(() => {});
  }
}

/** Deletes any API key, for the operator. Throws `NOT_FOUND`. */
export async function revokeApiKey(changes: AuditedChanges, id: number): Promise<{ name: string; owner: string }> {
  return changes.carryOut("command line", async ({ sql }) => {
    const result = found(await store.deleteApiKey(sql, { id, accountId: null }));
    return { result, record: { action: "api_key_deleted", target: targetOf(id), details: result } };
  });
}

function found<Row>(row: Row | null): Row {
  if (!row) throw new Refusal("NOT_FOUND", "There is no such API key.");
  return row;
}

/** How the audit log names an API key: `API key 3`. */
function targetOf(id: number): string {
  return `API key ${id}`;
}

function hashOf(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}

function refuseForeign(addresses: string, address: string): void {
  if (addresses === "") return;
  const networks = addresses.split(" ").flatMap((text) => networkIn(text) ?? []);
  if (createNetworks(networks).hold(address)) return;
  throw new Refusal("ADDRESS_NOT_ALLOWED", "This API key may not be used from this address.");
}

/** Throws `INVALID`. */
function wantedIn({ name, scopes, expiresAt, addresses, creditsPerDay }: ApiKeyForm, at: number) {
  const expiry = expiresAt ? instantIn(expiresAt.trim()) : undefined;
  const expiryAt = expiry ? (expiry.isDate ? endOfDay(expiry.at) : expiry.at) : null;
  const networks = (addresses ?? []).map((text) => text.trim());
  const tenths = creditsPerDay == null ? null : tenthsOf(creditsPerDay);
  refuseProblems([
    ...(expiry === null ? [problem("expiresAt", expirySentence)] : []),
    ...(expiryAt !== null && expiryAt <= at ? [problem("expiresAt", "The expiry must be in the future")] : []),
    ...networks.flatMap((text) => (networkIn(text) === null ? [problem("addresses", addressesSentence)] : [])),
    ...(creditsPerDay != null && tenths === null
      ? [problem("creditsPerDay", "Credits a day may have at most one decimal")]
      : []),
  ]);
  return {
    ...{ name: name.trim(), scopes: scopes.join(" "), addresses: networks.join(" ") },
    ...{ expiresAt: expiryAt, limitPerDayTenths: tenths },
  };
}

function problem(path: string, message: string) {
  return { path, message };
}

function tooMany(): Refusal {
  const sentence = `An account has at most ${apiKeysPerAccountMax} API keys. Delete one first.`;
  return new Refusal("TOO_MANY_API_KEYS", sentence);
}

function viewOf(row: store.ApiKeyRow): ApiKey {
  const { id, name, lastFour, scopes, addresses, createdAt, lastUsedAt, expiresAt, limitPerDayTenths } = row;
  return {
    ...{ id, name, lastFour, scopes: scopesIn(scopes), createdAt: isoOf(createdAt) },
    lastUsedAt: lastUsedAt === null ? null : isoOf(lastUsedAt),
    expiresAt: expiresAt === null ? null : isoOf(expiresAt),
    addresses: addresses === "" ? [] : addresses.split(" "),
    creditsPerDay: limitPerDayTenths === null ? null : creditsOf(limitPerDayTenths),
  };
}
