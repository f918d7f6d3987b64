import type { Acts, Done } from "../accounts/acts.ts";
import type { Caller } from "../accounts/caller.ts";
import { msPerDay, type Now } from "../clock.ts";
import { creditsOf } from "../credits.ts";
import type { Sql } from "../database/database.ts";
import { nonBlank } from "../field.ts";
import type { RandomBytes } from "../random.ts";
import { Refusal } from "../refusal.ts";
import { changeBalance, resellerById } from "../resellers/store.ts";
import { expiryOf } from "./expiry.ts";
import type { Guesses } from "./guesses.ts";
import { onceFor } from "./idempotency.ts";
import { randomKeyString } from "./key-string.ts";
import { batchTarget } from "./key-target.ts";
import { creditsShort, creditsShortSentence, priceTenthsPerKey } from "./pricing.ts";
import type { AdminKey, AdminKeyOrder, BoughtKeys, KeyPurchase } from "./schema.ts";
import { countMade, insertKey, isKeyTaken, type KeyRow, type NewKey } from "./store.ts";
import { adminKeyView, resellerKeyView } from "./views.ts";

/** How keys come to be. A batch is made whole or not at all. */
export interface Purchase {
  /**
   * Sells a batch to a reseller: all keys, the charge and its ledger row in one transaction. Throws `FORBIDDEN` (another's
   * resellerId), `INVALID_DAY_TIER`, `TOO_MANY_TRIES` (custom keys that were taken), `KEY_TAKEN`, `CREDITS_SHORT` or
   * `IDEMPOTENCY_KEY_REUSED`, in this order.
   */
  buy(reseller: Caller, order: KeyPurchase, idempotencyKey: string | null): Promise<BoughtKeys>;
  /** Makes admin keys, which cost nothing. Throws `INVALID`, `KEY_TAKEN` or `IDEMPOTENCY_KEY_REUSED`. */
  make(admin: Caller, order: AdminKeyOrder, idempotencyKey: string | null): Promise<{ keys: AdminKey[] }>;
}

export function createPurchase({
  acts,
  guesses,
  now,
  randomBytes,
}: {
  acts: Acts;
  guesses: Guesses;
  now: Now;
  randomBytes: RandomBytes;
}): Purchase {
  return {
    async buy(reseller, order, idempotencyKey) {
      if (order.resellerId !== undefined && order.resellerId !== reseller.id) {
        throw new Refusal("FORBIDDEN", "Keys can be generated for your own account only.");
      }
      const priceTenths = priceTenthsPerKey(order.days);
      if (priceTenths === null) throw new Refusal("INVALID_DAY_TIER", "Invalid day tier selected");
      const namesKey = nonBlank(order.keyString) !== undefined;
      const sell = () => acts.carryOut(reseller, (sql) => sold(sql, { reseller, order, idempotencyKey }));
      return namesKey ? guesses.watchCustomKey(reseller.id, sell) : sell();
    },

    async make(admin, order, idempotencyKey) {
      return acts.carryOut(admin, (sql) => {
        const at = now();
        const retry = { accountId: admin.id, idempotencyKey, request: order, at };
        return onceFor(sql, retry, async () => {
          // In here, so that a retry is answered as the first time although that time is over by now.
          const expiresAt = expiryOf(order.expiryDate, at);
          await refuseTakenKey(sql, order.keyString);
          const keys = await insertBatch(sql, order, { at, expiresAt, resellerId: null, createdBy: admin.id });
          return { result: { keys: keys.map((key) => adminKeyView(key, at)) }, record: recordOf(keys, 0) };
        });
      });
    },
  };

  async function sold(
    sql: Sql,
    { reseller, order, idempotencyKey }: { reseller: Caller; order: KeyPurchase; idempotencyKey: string | null },
  ): Promise<Done<BoughtKeys>> {
    const at = now();
    return onceFor(sql, { accountId: reseller.id, idempotencyKey, request: order, at }, async () => {
      await refuseTakenKey(sql, order.keyString);
      const costTenths = (priceTenthsPerKey(order.days) as number) * order.count;
      const balance = await charge(sql, reseller.id, order, { costTenths, at });
      const expiresAt = at + order.days * msPerDay;
      const batch = { at, expiresAt, resellerId: reseller.id, createdBy: reseller.id };
      const keys = await insertBatch(sql, order, batch);
      const result = { keys: keys.map((key) => resellerKeyView(key, at)), credits: creditsOf(balance) };
      return { result, record: recordOf(keys, costTenths) };
    });
  }

  /** The custom key, if any, is the first of the batch; the others are random, and a collision is drawn again. */
  async function insertBatch(
    sql: Sql,
    order: Pick<KeyPurchase, "game" | "count" | "keyString"> & { deviceLimit: number },
    batch: { at: number; expiresAt: number; resellerId: number | null; createdBy: number },
  ): Promise<KeyRow[]> {
    const keys: KeyRow[] = [];
    const custom = nonBlank(order.keyString);
    while (keys.length < order.count) {
      const isCustom = custom !== undefined && keys.length === 0;
      const key: NewKey = {
        keyString: isCustom ? custom : randomKeyString(order.game, randomBytes),
        game: order.game,
        deviceLimit: order.deviceLimit,
        createdAt: batch.at,
        expiresAt: batch.expiresAt,
        resellerId: batch.resellerId,
        createdBy: batch.createdBy,
      };
      const id = await insertKey(sql, key);
      if (id !== null) keys.push({ id, ...key, deviceCount: 0, revokedAt: null });
      else if (isCustom) throw keyTaken(custom);
    }
    await countMade(sql, { ...batch, game: order.game }, order.count);
    return keys;
  }
}

async function refuseTakenKey(sql: Sql, keyString: string | undefined): Promise<void> {
  const custom = nonBlank(keyString);
  if (custom !== undefined && (await isKeyTaken(sql, custom))) throw keyTaken(custom);
}

function keyTaken(keyString: string): Refusal {
  return new Refusal("KEY_TAKEN", `The key ${keyString} is already taken.`);
}

/** Takes the price off the balance and answers what is left, in tenths. Throws `CREDITS_SHORT`. */
async function charge(
  sql: Sql,
  resellerId: number,
  order: KeyPurchase,
  { costTenths, at }: { costTenths: number; at: number },
): Promise<number> {
  const balance = await changeBalance(sql, {
    resellerId,
    amountTenths: -costTenths,
    reason: "key_purchase",
    madeBy: resellerId,
    at,
  });
  if (balance !== null) return balance;
  const reseller = await resellerById(sql, resellerId);
  const missing = creditsShort({ ...order, balanceTenths: reseller?.creditsTenths ?? 0 });
  throw new Refusal("CREDITS_SHORT", creditsShortSentence(missing ?? 0, order.count));
}

function recordOf(keys: KeyRow[], costTenths: number) {
  const { game, deviceLimit, createdAt, expiresAt } = keys[0] as KeyRow;
  const days = Math.floor((expiresAt - createdAt) / msPerDay);
  return {
    action: "keys_generated" as const,
    target: batchTarget(keys),
    details: { count: keys.length, game, days, deviceLimit, cost: creditsOf(costTenths) },
  };
}
