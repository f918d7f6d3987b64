import { afterAll, beforeAll, expect, test } from "bun:test";
import { testServer } from "../../../tests/database.ts";
import { plansOf } from "../../../tests/query-plans.ts";
import { openShop, type Shop, type Sold } from "../../../tests/shop.ts";
import { dayOf, msPerDay, msPerHour } from "../../core/clock.ts";
import { normalKeyText } from "../../core/key-text.ts";
import type { Unit } from "../../db/contract.ts";
import { type Page, pageOf } from "../../db/paging.ts";
import { insertReseller } from "../../resellers/store.ts";
import * as statistics from "../../verify/statistics-store.ts";
import { connectDevice, createBatchedFind, findKey } from "../../verify/store.ts";
import * as blocks from "../blocks/block-store.ts";
import { removeDevices } from "../devices/device-store.ts";
import { sharedKeys } from "../list/shared-store.ts";
import { keyOf } from "../store.ts";
import { isReplacedOften, replaceText } from "./replace-store.ts";

const rows = 2_000;

let shop: Shop;
let resellerId: number;
let key: Sold;

/** A shop with many rows in each table, many of which belong to one key. */
beforeAll(async () => {
  shop = await openShop();
  const { database, clock } = shop;
  const reseller = await shop.newReseller();
  resellerId = reseller.id;
  [key] = await shop.buy(reseller, { deviceLimit: 100 });
  await database.transaction(null, async ({ sql }) => {
    for (let id = resellerId + 1; id < resellerId + 40; id += 1) {
      await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('reseller', ${`reseller${id}`}, 'x', 1)`;
      await insertReseller(sql, id);
    }
  });
  const today = dayOf(clock.now);
  const many = (statement: string) => {
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
    return database.write`${{ strings: [`${numbers} ${statement}`], values: [] }}`;
  };
  const copied = "game_id, device_limit, created_at, expires_at, is_first_use, started_at, duration_hours, created_by";
  const text = "'TEXT' || i, 'TEXT' || i, 'text' || i, 'text' || i";
  const named = "key_string, normal_form, text_folded, look_alike";
  await many(`INSERT INTO license_keys (${named}, reseller_id, ${copied})
    SELECT ${text}, ${resellerId} + i % 40, ${copied} FROM n CROSS JOIN license_keys WHERE license_keys.id = ${key.id}`);
  await many(`INSERT INTO license_keys (${named}, reseller_id, ${copied}, revoked_at, revoked_by, replaced_by)
    SELECT ${text.replaceAll("'TEXT'", "'OLD'").replaceAll("'text'", "'old'")}, ${resellerId}, ${copied}, ${clock.now} - i * CAST(${8 * msPerHour} AS BIGINT), 1, CASE WHEN i % 20 = 0 THEN ${key.id} ELSE ${key.id} + i END
    FROM n CROSS JOIN license_keys WHERE license_keys.id = ${key.id}`);
  await many(`INSERT INTO key_devices (key_id, device_id, device_folded, first_connected_at)
    SELECT license_keys.id, 'phone-' || i, 'phone-' || i, 1 FROM n JOIN license_keys ON normal_form = 'TEXT' || i`);
  await many(`INSERT INTO key_events (key_id, what, created_at)
    SELECT ${key.id}, what, ${clock.now} - i * CAST(${msPerHour} AS BIGINT) FROM n
    CROSS JOIN (SELECT 'DEVICE_RELEASED' AS what UNION ALL SELECT 'DEVICE_REMOVED' UNION ALL SELECT 'PAUSED') AS kinds`);
  await many(`INSERT INTO blocked_devices (owner, device_id, device_folded, given_reason, reason_folded, blocked_by, created_at)
    SELECT CASE WHEN i % 20 = 0 THEN 0 ELSE ${resellerId} + i % 40 END, 'phone-' || i, 'phone-' || i, 'x', 'x', 1, 1 FROM n`);
  await many(`INSERT INTO refused_devices (key_id, owner, refused_day, hashes, hashes_before, own_count, both_count)
    SELECT license_keys.id, ${resellerId}, ${today} - i % 9, 'a b c d', '', 4, 4
    FROM n JOIN license_keys ON normal_form = 'TEXT' || i`);
  await database.write`ANALYZE`;
});
afterAll(() => shop.close());

const page: Page<[number]> = {
  ...pageOf({ limit: 30 }, (values): values is [number] => values.length === 1),
  after: [1_500],
};
const lookup = () => ({
  ...{ text: normalKeyText(key.keyString), game: "FREE FIRE", deviceId: "new-phone", version: null },
  ...{ deviceName: null, language: "en" as const },
});
const refused = () => {
  const devices = new Map([["e", lookup().text]]);
  const day = dayOf(shop.clock.now);
  return [{ day, keyId: key.id, code: 7, count: 1, lastAt: shop.clock.now, lastDeviceId: "phone", devices }];
};

const statements: Record<string, (unit: Unit) => Promise<unknown>> = {
  "how often a key was replaced": ({ sql }) =>
    isReplacedOften(sql, key.id, { since: shop.clock.now - 30 * msPerDay, times: 3 }),
  "a replacement": async (unit) => {
    const found = await keyOf(unit.sql, { resellerId }, key.id);
    const made = { resellerId, madeBy: resellerId, gameId: 3, at: shop.clock.now };
    if (found) await replaceText(unit, { key: found, keyString: `NEW-${key.id}`, ...made });
    key.keyString = `NEW-${key.id}`;
  },
  "a page of blocks": ({ sql }) => blocks.listBlocks(sql, { owner: resellerId, search: undefined }, page),
  "a search for blocks": ({ sql }) => blocks.listBlocks(sql, { owner: resellerId, search: "9" }, page),
  "a block by its id": ({ sql }) => blocks.blockOf(sql, resellerId, { id: 80 }),
  "a block by its device": ({ sql }) => blocks.blockOf(sql, 0, { deviceId: "phone-20" }),
  "the number of blocks": ({ sql }) => blocks.countBlocks(sql, resellerId),
  "a new block and its end": async ({ sql }) => {
    const form = { deviceId: "other-phone", reason: "x", owner: 0, madeBy: 1, at: 1 };
    await blocks.deleteBlock(sql, await blocks.insertBlock(sql, form));
  },
  "a reseller's keys with a blocked device": ({ sql }) =>
    blocks.connectedDespite(sql, { id: 40, owner: resellerId, deviceId: "phone-40" }, 200),
  "all keys with a blocked device": ({ sql }) =>
    blocks.connectedDespite(sql, { id: 20, owner: 0, deviceId: "phone-20" }, 200),
  "the removal of a blocked device": (unit) => removeDevices(unit, { ids: [5, 6], madeBy: 1, at: shop.clock.now }),
  "keys that seem shared, of all": ({ sql }) => sharedKeys(sql, "anyone", { at: shop.clock.now }),
  "keys that seem shared, of a reseller's game": ({ sql }) =>
    sharedKeys(sql, { resellerId }, { gameId: 3, at: shop.clock.now }),
  "refused devices": ({ sql }) => statistics.addRefusedDevices(sql, refused()),
  "whether refused devices are old": ({ sql }) =>
    statistics.hasOlder(sql, { refusalsSince: 1, totalsSince: 1, devicesSince: dayOf(shop.clock.now) - 1 }),
  "the erasure of refused devices": ({ sql }) =>
    statistics.eraseOlder(sql, { refusalsSince: 1, totalsSince: 1, devicesSince: dayOf(shop.clock.now) - 1 }, 200),
  "a verification": ({ sql }) => findKey(sql, lookup()),
  "verifications together": ({ sql }) => createBatchedFind(sql)(lookup()),
  "a new device": (unit) => connectDevice(unit, { keyId: key.id, ...lookup(), at: shop.clock.now }),
};

/** A block of an admin reads one index of all devices. These names are of single rows. */
const wholeIndex = /^SCAN \w+ USING COVERING INDEX (sqlite_autoindex_key_devices_1|key_devices_searched)$/;
const fewRows = /^SCAN (CONSTANT ROW|one|w|shared)$/;

test.each(Object.keys(statements))("%s: each table is read by an index", async (name) => {
  const plans = await plansOf(shop.panel, statements[name] as (unit: Unit) => Promise<unknown>);
  expect(plans).not.toEqual([]);
  const scans = plans.filter((line) => /^SCAN |Seq Scan/.test(line) && !fewRows.test(line));
  const expected = name === "all keys with a blocked device" && !testServer ? [expect.stringMatching(wholeIndex)] : [];
  expect(scans).toEqual(expected);
  // What a key's history has much of is bounded by time, too.
  const text = plans.join("; ").replaceAll(/[()]|::bigint/g, "");
  for (const [start] of text.matchAll(/(USING|using) (COVERING INDEX )?(key_events|license_keys_replaced)\w*.{0,99}/g))
    expect(start).toMatch(/\b(key_id|replaced_by) ?= ?\S+ AND (created_at|revoked_at) ?>/);
});

test("the statements that read a key's history are those above", async () => {
  const plans = async (name: string) => (await plansOf(shop.panel, statements[name] as never)).join("; ");
  expect(await plans("how often a key was replaced")).toContain("license_keys_replaced");
  for (const name of ["keys that seem shared, of all", "keys that seem shared, of a reseller's game"])
    expect(await plans(name)).toContain("key_events_released");
});
