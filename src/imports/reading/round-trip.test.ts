import { expect, test } from "bun:test";
import fc from "fast-check";
import { registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel } from "../../../tests/panel.ts";
import { dayOf } from "../../core/clock.ts";
import { keyCharactersMax, normalKeyText } from "../../core/key-text.ts";
import { untilStarted } from "../../core/key-time.ts";
import { foldedText } from "../../core/text.ts";
import type { Sql } from "../../db/contract.ts";
import { insertKey } from "../../keys/store.ts";
import type { ImportedKey } from "./imported-key.ts";
import { readKeys } from "./read.ts";

const game = "FREE FIRE";
const now = Date.UTC(2026, 0, 1);
const past = fc.integer({ min: Date.UTC(2020, 0, 1), max: now });
const character = fc.constantFrom(..."aZ9=+-@'\",;|<é中😀");
const device = fc.string({ unit: character, minLength: 1, maxLength: 20 }).map((text) => `d${text}`);
const anyKey = fc.record({
  text: fc.string({ unit: character, minLength: 1, maxLength: 60 }),
  owner: fc.constantFrom("night.owl", null),
  created: past,
  hours: fc.option(fc.integer({ min: 1, max: 50_000 })),
  expiresAt: fc.integer({ min: now + 1, max: untilStarted - 1 }),
  start: fc.constantFrom("creation", "started", "unstarted"),
  pausedAt: fc.option(past),
  revokedAt: fc.option(past),
  deviceLimit: fc.integer({ min: 5, max: 100 }),
  note: fc.option(
    fc.string({ unit: fc.oneof(character, fc.constant(" ")), maxLength: 50 }).map((text) => text.trim() || "a"),
  ),
  devices: fc.uniqueArray(device, { maxLength: 5 }),
});

type Drawn = typeof anyKey extends fc.Arbitrary<infer Key> ? Key : never;

/** A drawn key as a reader of its export must find it. */
function asImported({ text, start, created, hours, ...key }: Drawn, index: number): ImportedKey {
  const { owner, pausedAt, revokedAt, deviceLimit, note, devices, expiresAt } = key;
  const isUnstarted = start === "unstarted";
  return {
    ...{ line: index + 2, text, normalForm: normalKeyText(text), game, owner, createdAt: created, pausedAt, revokedAt },
    ...{ startsAtFirstUse: start !== "creation", startedAt: isUnstarted ? null : created },
    ...{ expiresAt: isUnstarted ? null : expiresAt, durationHours: isUnstarted ? (hours ?? 1) : hours },
    ...{ deviceLimit, note, devices: isUnstarted ? [] : devices },
  };
}

async function insert(sql: Sql, key: ImportedKey, resellerId: number): Promise<void> {
  const id = await insertKey(sql, {
    ...{ keyString: key.text, gameId: 3, deviceLimit: key.deviceLimit, createdAt: key.createdAt, orderId: null },
    ...{ expiresAt: key.expiresAt ?? untilStarted, isFirstUse: Number(key.startsAtFirstUse), createdBy: 1 },
    ...{
      startedAt: key.startedAt,
      durationHours: key.durationHours,
      resellerId: key.owner === null ? null : resellerId,
    },
  });
  await sql`
    UPDATE license_keys SET paused_at = ${key.pausedAt}, revoked_at = ${key.revokedAt},
      revoked_by = ${key.revokedAt && 1}, note = ${key.note}, note_folded = ${key.note && foldedText(key.note)}
    WHERE id = ${id}`;
  for (const device of key.devices) {
    await sql`
      INSERT INTO key_devices (key_id, device_id, device_folded, first_connected_at, last_seen_day)
      VALUES (${id}, ${device}, ${foldedText(device)}, ${now}, ${dayOf(now)})`;
  }
}

test("an export is read as the same keys", async () => {
  const panel = await openPanel();
  const admin = await signInAdmin(panel.newClient);
  const reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 0 });
  const drawn = fc
    .uniqueArray(anyKey, { minLength: 300, maxLength: 300, selector: ({ text }) => normalKeyText(text) })
    .map((keys) => keys.filter(({ text }) => normalKeyText(text).length <= keyCharactersMax).map(asImported));
  const [keys = []] = fc.sample(drawn, 1);
  await panel.database.transaction(null, async ({ sql }) => {
    for (const key of keys) await insert(sql, key, reseller.id);
  });
  const { content } = await panel.server.exports.keys("command line", { id: 0, role: "admin" }, {});
  expect(await Array.fromAsync(readKeys(content, { now }))).toEqual(keys);
  await panel.close();
});
