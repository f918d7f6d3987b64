import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { openTestDatabase } from "../../../tests/database.ts";
import { startedRow } from "../../../tests/key-times.ts";
import { temporaryFolder } from "../../../tests/process.ts";
import { msPerDay } from "../../core/clock.ts";
import type { Database, Unit } from "../../db/contract.ts";
import { pageOf } from "../../db/paging.ts";
import { insertReseller } from "../../resellers/store.ts";
import { keyStatuses } from "../schema.ts";
import { countSelected, listSelected } from "../selection/selection-store.ts";
import { countMade, insertKey, noteKeys, revokeKey } from "../store.ts";
import { countKeys, type KeyFilter, listKeys } from "./list-store.ts";
import { matching } from "./lists.ts";

const noon = Date.UTC(2025, 2, 5, 12);
const owners: KeyFilter["owner"][] = ["admins", { resellerId: 2 }, { resellerId: 3 }];

/** Enough keys that a search finds too many of one owner's to sort them first. */
const manyKeys = 2_300;

let folder: string;
let database: Database;

beforeAll(async () => {
  folder = temporaryFolder();
  database = await openTestDatabase(join(folder, "test.db"));
  await database.transaction(null, async (unit) => {
    const { sql } = unit;
    await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'admin', 'x', 1)`;
    for (const id of [2, 3]) {
      await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', ${`reseller${id}`}, 'x', 1)`;
      await insertReseller(sql, id);
    }
    for (let index = 0; index < manyKeys; index += 1)
      await make(unit, 0, index, `MANY-${index}`, index % 50 === 0 ? "Old Gift" : null);
  });
});

afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A key that is revoked, expired or neither, depending on its number. */
async function make(unit: Unit, whose: number, number: number, keyString: string, note: string | null): Promise<void> {
  const owner = owners[whose % owners.length] as KeyFilter["owner"];
  const resellerId = owner === "admins" ? null : owner.resellerId;
  const made = { resellerId, gameId: 1 + (number % 3), expiresAt: noon + (number % 5) - 2, ...startedRow };
  const key = { ...made, keyString, deviceLimit: 1, createdBy: 1, orderId: null };
  const id = await insertKey(unit.sql, { ...key, createdAt: noon - msPerDay - (number % 7) });
  if (id === null) return;
  await countMade(unit.sql, made, 1);
  if (note !== null) await noteKeys(unit, [id], { owner, note, madeBy: 1, at: noon });
  if (number % 4 === 0) await revokeKey(unit, id, { owner, revokedBy: 1, at: noon - 1, evenExpired: true });
}

/** The keys that a filter lists and those that it selects. */
async function seen(filter: KeyFilter) {
  const { read } = database;
  const matchCount = await countKeys(read, filter);
  const keys = await listKeys(read, filter, { sort: "created", descending: true }, pageOf({}, isCursor), matchCount);
  const selection = { filter, ids: null, lastId: Number.MAX_SAFE_INTEGER };
  return {
    matchCount,
    ids: keys.map(({ id }) => id),
    selected: (await listSelected(read, selection, { after: null, limit: null })).map(({ id }) => id),
    figures: await countSelected(read, selection, { evenExpired: true, at: noon, note: null }),
  };
}

const isCursor = (values: unknown[]): values is [string | number, number] => values.length === 2;

test("a search that collects its few matches lists, counts and selects the same as one that scans", async () => {
  const unit = fc.constantFrom("O", "o", "0", "I", "1", "S", "5", "b", "8", "X", "-", "_");
  const keyString = fc.string({ unit, minLength: 4, maxLength: 7 });
  const note = fc.option(fc.constantFrom("A gift", "gift for Bob8", "x", "100%"));
  const search = fc.oneof(
    { arbitrary: fc.string({ unit, minLength: 1, maxLength: 4 }), weight: 2 },
    fc.constantFrom("many", "MANY-22", "man y1", "m", "GIFT", "old g", "B", "%", "-", "  ", "no such"),
  );
  const narrowed = fc.record({
    owner: fc.constantFrom(...owners),
    query: fc.record({
      search: fc.option(search, { nil: undefined }),
      game: fc.constantFrom(undefined, undefined, "all", "PUBG MOBILE", "last island", "FREE FIRE"),
      status: fc.constantFrom(undefined, undefined, "all" as const, ...keyStatuses),
    }),
    at: fc.constant(noon),
    close: fc.constantFrom(undefined, undefined, false, true),
  });
  const step = fc.record({
    owner: fc.nat({ max: owners.length - 1 }),
    number: fc.nat({ max: 1_000 }),
    keyString,
    note,
    narrowed,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      for (const each of steps) {
        const { owner, number, keyString, note } = each;
        await database.transaction(null, async (unit) => {
          await make(unit, owner, number, keyString, note);
          const noted = {
            owner: owners[owner] as KeyFilter["owner"],
            note: number % 3 === 0 ? null : note,
            madeBy: 1,
            at: noon,
          };
          await noteKeys(unit, [1 + (number % (2 * manyKeys))], noted);
        });
        const { filter, matchCount } = await matching(database.read, each.narrowed);
        const { search } = filter;
        const unknown = { ...filter, search: search && { text: search.text, close: search.close } };
        expect(await seen(filter)).toEqual(await seen(unknown));
        expect(await countKeys(database.read, unknown)).toBe(matchCount);
      }
    }),
    { numRuns: 20 },
  );
});
