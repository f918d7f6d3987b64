import { getLogger } from "@logtape/logtape";
import { type AuditedChanges, type Outcome, type PersonCaller, unchanged } from "../accounts/audited-changes.ts";
import { noShopLink } from "../accounts/principal.ts";
import { full } from "../accounts/schema.ts";
import type { Seal } from "../accounts/sealed.ts";
import { dayOf, isoOf, msPerDay, msPerHour, msPerMinute, msPerSecond, type Now } from "../core/clock.ts";
import { tenthsOf } from "../core/credits.ts";
import { busy, invalid, Refusal } from "../core/refusal.ts";
import { printable } from "../core/text.ts";
import { type Database, inFewSizes, type Sql } from "../db/contract.ts";
import { createErasure, type Erasure } from "../db/maintenance.ts";
import { isInstantCursor, pageOf, pageOfRows } from "../db/paging.ts";
import { recordEvents } from "../facts/outbox-store.ts";
import { statusOf } from "../http/errors.ts";
import { createBoundedLines } from "../http/logging/bounded-lines.ts";
import { type CreatePace, type CreateRateLimit, refuseAfter } from "../http/rate-limit.ts";
import type { Origin } from "../http/request.ts";
import { type Purchase, soldKeys } from "../orders/purchase.ts";
import type { KeyPurchase } from "../orders/schema.ts";
import { deliveriesDefault } from "../webhooks/limits.ts";
import type { DeliveryListQuery } from "../webhooks/schema.ts";
import { isSigned, readSale, type SaleRead } from "./sale-reader.ts";
import * as store from "./sales-store.ts";
import type { Sale, Terms } from "./schema.ts";
import { type SellingLink, sellingLink } from "./shop-link-store.ts";
import { linkOf, purposeFor } from "./shop-links.ts";

const log = getLogger(["latchkey", "shop-links"]);

/** rules.md: Shop links. Of an address. */
const wrongSignatures = { name: "wrong_signatures", triesMax: 20, windowMs: 10 * msPerMinute };
/** Signed calls for the links of one account, and those of them whose bodies may take milliseconds to parse. */
const salesPace = { atOnce: 600, perSecond: 100 };
const largePace = { atOnce: 60, perSecond: 20 };
const largeBytes = 16_384;
/** Refusals that are kept of a link and UTC day. */
const rowsMax = 1_000;
/** Refusals that are kept in memory until they are written. Any beyond this are dropped. */
const refusalsKeptMax = 20_000;
const writeAfterMs = 2 * msPerSecond;
const salesKeptMs = 30 * msPerDay;
const rowsErasedAtOnce = 200;

/** Of a sale whose signature fits, these are told to webhooks. */
const toldStatuses = new Set([402, 409, 422, 429, 503]);

export type Sales = ReturnType<typeof createSales>;

type Dependencies = { database: Database; changes: AuditedChanges; purchase: Purchase; seal: Seal } & Limits;
type Limits = { createPace: CreatePace; createRateLimit: CreateRateLimit; now: Now };

/** What a shop sent. `readBody` refuses what is too large or no JSON. */
type Call = { headers: Headers; readBody: () => Promise<Uint8Array>; origin: Origin };
type Reading = SaleRead & { isSigned: boolean };
type Refused = Omit<store.SaleRow, "id"> & { resellerId: number | null; isTold: boolean };

/** The sales of shops, and what became of them (rules.md: Shop links). */
export function createSales(dependencies: Dependencies) {
  const { database, changes, purchase, seal, createPace, createRateLimit, now } = dependencies;
  const wrongOnes = createRateLimit(wrongSignatures);
  const [pace, paceOfLarge] = [createPace(salesPace), createPace(largePace)];
  const unopened = createBoundedLines(1, (id: number) =>
    log.error("The secret of shop link {id} was encrypted with another SECRET, so its sales are refused.", { id }),
  );
  let refusals = new Map<string, Refused>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    /** Returns the texts of the keys. Throws what rules.md lists, in its order. */
    async sell(ref: string, call: Call): Promise<string[]> {
      const link = await sellingLink(database.read, ref);
      if (!link) throw noShopLink();
      const reading = { saleId: null, quantity: null, isSigned: false };
      try {
        return await sold(link, reading, call);
      } catch (error) {
        if (error instanceof Refusal) gather(link, reading, error);
        throw error;
      }
    },

    /** Newest first. Throws `NOT_FOUND` or `INVALID`. */
    async list(caller: PersonCaller, id: number, { limit = deliveriesDefault, cursor }: DeliveryListQuery) {
      await linkOf(database.read, caller, id);
      await write();
      const rows = await store.listSales(database.query(caller), id, pageOf({ limit, cursor }, isInstantCursor));
      const shown = pageOfRows(rows, limit, (last) => [last.at, last.id]);
      return { rows: shown.rows.map(viewOf), nextCursor: shown.nextCursor };
    },

    write,
  };

  async function sold(link: SellingLink, reading: Reading, { headers, readBody, origin }: Call): Promise<string[]> {
    const { id, name, accountId, username, role, sealedSecret, game } = link;
    const terms: Terms = JSON.parse(link.terms);
    const { signature, durationId, deviceLimit, starts, maxQuantity, creditsPerDay } = terms;
    const bytes = await readBody();
    const secret = seal.open(sealedSecret, purposeFor(accountId));
    if (secret === null) unopened(id);
    reading.isSigned = secret !== null && isSigned(headers.get(signature.header), bytes, secret, signature.algorithm);
    if (!reading.isSigned) {
      const wait = await wrongOnes.take(origin.address);
      refuseAfter(wait, "Too many wrong signatures from your address. Please try again later.");
      throw wrongSignature();
    }
    // Not a 429, which a sale that was delivered never is.
    const paceOf = bytes.length > largeBytes ? paceOfLarge : pace;
    await paceOf(accountId).catch((error) => Promise.reject(busy(error)));
    readSale(bytes, terms, reading);
    const { saleId, quantity: count } = reading as { saleId: string; quantity: number };
    const sale = { shopLinkId: id, shopLinkName: name, saleId };
    const delivered = await soldKeys(database.read, sale, count);
    if (delivered) return delivered;
    if (count > maxQuantity) throw invalid(terms.quantity ?? "", `A sale has at most ${maxQuantity} keys.`);
    const limitTenths = creditsPerDay === null ? null : tenthsOf(creditsPerDay);
    const account = { id: accountId, username, role, ...full, ...origin };
    const shop = { ...account, shopLink: { id, name, sealedSecret, limitTenths } };
    const order = { game, durationId, deviceLimit, starts, count } as KeyPurchase;
    return changes.carryOut(shop, async ({ sql }, at): Promise<Outcome<string[]>> => {
      const racing = await soldKeys(sql, sale, count);
      if (racing) return unchanged(racing);
      const made = await purchase.make<string>(sql, shop, order, { view: ({ keyString }) => keyString, sale }, at);
      const { orderId, keys } = made.result;
      const row = { shopLinkId: id, at, saleId, quantity: count, status: 200, orderId, count: 1 };
      await store.recordSale(sql, { ...row, code: null, message: null, refusalHash: null }, 0, 0);
      return { ...made, result: keys };
    });
  }

  /** Equal refusals of a minute are counted, and so are wrong signatures, also past their limit. */
  function gather(link: SellingLink, { saleId, quantity, isSigned }: Reading, error: Refusal): void {
    const at = now();
    const { code, message: sentence } = !isSigned && error.code === "TOO_MANY_TRIES" ? wrongSignature() : error;
    const message = printable(sentence, 500);
    const parts = JSON.stringify([Math.floor(at / msPerMinute), saleId, quantity, code, message]);
    const refusalHash = new Bun.CryptoHasher("sha256").update(parts).digest("hex");
    const refused = { status: statusOf[code], code, message, refusalHash };
    const sale = { shopLinkId: link.id, at, saleId, quantity, orderId: null, count: 1, ...refused };
    const resellerId = link.role === "admin" ? null : link.accountId;
    add({ ...sale, resellerId, isTold: isSigned && toldStatuses.has(sale.status) });
  }

  function add(refused: Refused): void {
    const key = `${refused.shopLinkId} ${refused.refusalHash}`;
    const known = refusals.get(key);
    if (known) known.count += refused.count;
    else if (refusals.size < refusalsKeptMax) refusals.set(key, refused);
    timer ??= setTimeout(write, writeAfterMs).unref();
  }

  /** Writes the refusals. What cannot be written is written with the next. */
  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = [...refusals.values()];
    refusals = new Map();
    for (const batch of inFewSizes(rows))
      await database.transaction(null, ({ sql }) => recordAll(sql, batch)).catch(() => batch.forEach(add));
  }
}

async function recordAll(sql: Sql, batch: Refused[]): Promise<void> {
  for (const { resellerId, isTold, ...row } of batch) {
    const { at, code, saleId } = row;
    await store.recordSale(sql, row, dayOf(at) * msPerDay, rowsMax);
    if (!isTold || !(await store.isFirstFailure(sql, row, at - (at % msPerHour)))) continue;
    await recordEvents(sql, [{ type: "sale.failed", resellerId, at, data: { code: code ?? "", saleId } }]);
  }
}

/** How long sales are listed. Their orders stay. */
export function createSaleRetention({ database, now }: { database: Database; now: Now }): Erasure {
  const keptSince = () => now() - salesKeptMs;
  return createErasure({
    database,
    name: "retention of sales",
    isAnyOld: () => store.hasOlder(database.read, keptSince()),
    eraseBatch: () => database.transaction(null, ({ sql }) => store.eraseOldest(sql, keptSince(), rowsErasedAtOnce)),
    onFailure: (error) => log.error("Old sales of shop links could not be removed: {error}", { error }),
  });
}

function wrongSignature(): Refusal {
  return new Refusal("SIGNATURE_WRONG", "The signature does not fit the body and the link's secret.");
}

function viewOf({ shopLinkId: _, refusalHash: __, ...row }: store.SaleRow): Sale {
  return { ...row, at: isoOf(row.at) };
}
