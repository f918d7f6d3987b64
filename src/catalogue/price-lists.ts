import { type AuditedChanges, type Caller, resellerQueue } from "../accounts/audited-changes.ts";
import { tenthsOf } from "../core/credits.ts";
import { type FieldProblem, Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import { accountTarget } from "../facts/account-facts.ts";
import { type ChangedFields, changedIn } from "../facts/audit-entry.ts";
import { resellerAccount } from "../resellers/store.ts";
import { catalogueQueue, nameTaken, priceView } from "./catalogue.ts";
import { resellerDeviceLimits } from "./limits.ts";
import type { NewPriceList, Price, PriceList, PriceListChange } from "./schema.ts";
import * as store from "./store.ts";

export type PriceLists = ReturnType<typeof createPriceLists>;

/** What resellers pay (rules.md: Prices). Each reseller has one list. */
export function createPriceLists({ database, changes }: { database: Database; changes: AuditedChanges }) {
  return {
    list: () => priceListsIn(database.read),

    /** Throws `INVALID`, `NOT_FOUND` (a game or duration) or `NAME_TAKEN`. */
    add: (admin: Caller, { name, prices = [] }: NewPriceList): Promise<PriceList> =>
      changes.carryOut(
        admin,
        async ({ sql }) => {
          const id = await store.insertPriceList(sql, name.trim());
          if (id === null) throw nameTaken(name);
          await setPrices(sql, id, prices);
          const result = await priceListOf(sql, id);
          const details = { prices: prices.length };
          return { result, record: { action: "price_list_created", target: `price list ${result.name}`, details } };
        },
        { queue: catalogueQueue },
      ),

    /** Replaces the prices as a whole. Throws `INVALID`, `NOT_FOUND` or `NAME_TAKEN`. */
    change: (admin: Caller, id: number, { name, prices }: PriceListChange): Promise<PriceList> =>
      changes.carryOut(
        admin,
        async ({ sql }) => {
          const before = await priceListOf(sql, id);
          if (name !== undefined && !(await store.renamePriceList(sql, id, name.trim()))) throw nameTaken(name);
          if (prices) await setPrices(sql, id, prices);
          const result = await priceListOf(sql, id);
          const changed = pricesChanged(before.prices, result.prices);
          const details = { ...changedIn({ name: before.name }, { name: result.name }), ...changed };
          const record = { action: "price_list_changed" as const, target: `price list ${result.name}`, details };
          return { result, record: Object.keys(details).length > 0 ? record : null };
        },
        { queue: catalogueQueue },
      ),

    /** Throws `NOT_FOUND`. */
    assign: (admin: Caller, resellerId: number, priceListId: number): Promise<void> =>
      changes.carryOut(
        admin,
        async ({ sql }) => {
          const reseller = await resellerAccount(sql, resellerId);
          if (!reseller) throw new Refusal("NOT_FOUND", "There is no such reseller.");
          const { name } = await priceListOf(sql, priceListId);
          const isChanged = await store.assignPriceList(sql, resellerId, priceListId);
          const target = accountTarget(reseller);
          const details = { resellerId, priceList: name };
          const record = { action: "price_list_assigned" as const, target, details };
          return { result: undefined, record: isChanged ? record : null };
        },
        { queue: resellerQueue(resellerId) },
      ),
  };
}

async function priceListsIn(sql: Sql): Promise<PriceList[]> {
  const [lists, prices] = [await store.allPriceLists(sql), await store.allPrices(sql)];
  return lists.map((list) => ({
    ...list,
    prices: prices.filter(({ priceListId }) => priceListId === list.id).map(priceView),
  }));
}

async function priceListOf(sql: Sql, id: number): Promise<PriceList> {
  const list = (await priceListsIn(sql)).find((each) => each.id === id);
  if (!list) throw new Refusal("NOT_FOUND", "There is no such price list.");
  return list;
}

async function setPrices(sql: Sql, priceListId: number, prices: readonly Price[]): Promise<void> {
  refuseProblems(problemsInPrices(prices));
  const games = new Set((await store.allGames(sql)).map(({ id }) => id));
  const durations = new Set((await store.allDurations(sql)).map(({ id }) => id));
  for (const { gameId, durationId } of prices) {
    if (!games.has(gameId)) throw new Refusal("NOT_FOUND", `There is no game ${gameId}.`);
    if (!durations.has(durationId)) throw new Refusal("NOT_FOUND", `There is no duration ${durationId}.`);
  }
  const rows = prices.map(({ credits, ...price }) => ({ ...price, tenths: tenthsOf(credits) as number }));
  await store.replacePrices(sql, priceListId, rows);
}

function problemsInPrices(prices: readonly Price[]): FieldProblem[] {
  const seen = new Set<string>();
  return prices.flatMap((price, place) => {
    const { deviceLimit, credits } = price;
    const path = (field: string) => `prices.${place}.${field}`;
    const [key, isOption] = [combinationOf(price), resellerDeviceLimits.some((each) => each === deviceLimit)];
    const problems = [
      !isOption && {
        path: path("deviceLimit"),
        message: `Device limit must be one of ${resellerDeviceLimits.join(", ")}`,
      },
      tenthsOf(credits) === null && { path: path("credits"), message: "A price has at most one decimal" },
      seen.has(key) && { path: path("credits"), message: "Each game, duration and device limit has one price" },
    ];
    seen.add(key);
    return problems.filter((problem) => problem !== false);
  });
}

function combinationOf({ gameId, durationId, deviceLimit }: Price): string {
  return `${gameId} ${durationId} ${deviceLimit}`;
}

/** How many prices are new, gone and different. */
function pricesChanged(before: readonly Price[], after: readonly Price[]): ChangedFields {
  const [old, current] = [before, after].map((prices) => new Map(prices.map((each) => [combinationOf(each), each])));
  const counts = {
    added: after.filter((price) => !old?.has(combinationOf(price))).length,
    removed: before.filter((price) => !current?.has(combinationOf(price))).length,
    changed: after.filter((price) => {
      const credits = old?.get(combinationOf(price))?.credits;
      return credits !== undefined && credits !== price.credits;
    }).length,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
