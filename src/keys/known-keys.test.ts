import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { writeElsewhere } from "../../tests/elsewhere.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay } from "../core/clock.ts";
import type { Database, Sql } from "../db/contract.ts";
import { createFingerprint, factorsCount } from "../http/fingerprint.ts";
import { standingOf, standingOfKey } from "./devices/device-store.ts";
import { createKeyFilter } from "./key-filter.ts";
import { hashesOf } from "./key-hashes.ts";
import { createKeyIds } from "./key-ids.ts";
import { createKnownKeys, type KnownKeys } from "./known-keys.ts";
import { createStandings } from "./standings.ts";

let panel: Panel;
let admin: Client;
let other: Connection;
const game = "FREE FIRE";
const factors = crypto.getRandomValues(new Int32Array(factorsCount));
const fingerprint = createFingerprint(factors);
const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  other = new Connection(panel.file);
});
afterAll(async () => {
  other.close();
  await panel.close();
});

let made = 0;
function newText(): string {
  made += 1;
  return `key-${made}`;
}

async function make(keyString: string): Promise<void> {
  const order = { game, deviceLimit: 1, expiryDate: isoOf(panel.clock.now + msPerDay), count: 1, keyString };
  expect((await admin.post("/api/admin/keys/generate", order)).status).toBe(201);
}

async function makeElsewhere(keyString: string): Promise<void> {
  const insert = `INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, created_by)
    VALUES (?, '${game}', 1, 0, 4102444800000, 1)`;
  await writeElsewhere(other, insert, [keyString]);
  await new Promise(setImmediate);
}

const codeOf = async (key: string) =>
  (await panel.newClient().get(`/api/verify/${key}/${encodeURIComponent(game)}/phone`)).body.code;

test("a key is looked up by its id once that is known, and by its text where the id was another's", async () => {
  const text = newText();
  await make(text);
  const asked: string[] = [];
  let isOfAnother = false;
  const read: Sql = async (strings, ...values) => {
    const byId = strings.join("").includes("k.id =");
    asked.push(byId ? "id" : "text");
    return byId && isOfAnother ? [] : panel.database.read(strings, ...values);
  };
  const database = { ...panel.database, read };
  const standings = createStandings({ database, randomBytes });
  const askedFor = async () => {
    asked.length = 0;
    expect(await standings.of(text.toUpperCase(), "phone")).toMatchObject({ game, isKnown: 0 });
    return asked.join();
  };
  expect(await askedFor()).toBe("text");
  await standings.rememberConnected();
  expect(await askedFor()).toBe("id");
  isOfAnother = true;
  expect(await askedFor()).toBe("id,text");
  await makeElsewhere(newText());
  expect(await askedFor()).toBe("text");
});

test("a key's id with another key's text is no key", async () => {
  const [one, other] = [newText(), newText()];
  await make(one);
  await make(other);
  const standing = await standingOf(panel.database.read, one, "phone");
  const keyId = standing?.id ?? 0;
  expect(await standingOfKey(panel.database.read, { keyId, keyText: one, deviceId: "phone" })).toEqual(standing);
  expect(await standingOfKey(panel.database.read, { keyId, keyText: other, deviceId: "phone" })).toBeNull();
});

test("a key is found from the moment when it was acknowledged, whoever made it and whatever is read meanwhile", async () => {
  const deeds = {
    make: async () => {
      const text = newText();
      const makes = make(text);
      // Asked before it is there, at the same time, and after.
      await codeOf(text);
      await makes;
      expect(await codeOf(text)).toBe("VALID");
    },
    makeElsewhere: async () => {
      const text = newText();
      expect(await codeOf(text)).toBe("NOT_FOUND");
      await makeElsewhere(text);
      expect(await codeOf(text)).toBe("VALID");
    },
    read: () => panel.app.standings.rememberConnected(),
    reset: async () => void (await admin.post("/api/admin/keys/reset-devices", {})),
  };
  const groups = fc.array(
    fc.array(fc.constantFrom(...(Object.keys(deeds) as (keyof typeof deeds)[])), { minLength: 1, maxLength: 5 }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(groups, async (inTurn) => {
      for (const atOnce of inTurn) await Promise.all(atOnce.map((name) => deeds[name]()));
    }),
    { numRuns: 25 },
  );
}, 60_000);

test("a reading during which all was forgotten is thrown away", async () => {
  const stream: Database["stream"] = async (...asked) => {
    const begun = await panel.database.stream(...asked);
    knownKeys.forget();
    return begun;
  };
  const knownKeys: KnownKeys = createKnownKeys({ database: { ...panel.database, stream }, fingerprint });
  await knownKeys.fill();
  expect(knownKeys.isAbsent("no-such-key")).toBe(false);
});

test("the filter forgets no key, and takes few other texts for one", () => {
  const keys = Array.from({ length: 20_000 }, (_, id) => ({ id, text: `pbgm-${id}` }));
  const texts = keys.map(({ text }) => text);
  const filter = createKeyFilter(fingerprint, texts.length);
  filter.addHashes(hashesOf(factors, keys.slice(1)));
  filter.add("pbgm-0");
  expect(texts.every((text) => filter.mayHold(text))).toBe(true);
  const wrong = texts.filter((text) => filter.mayHold(`x${text}`)).length;
  expect(wrong).toBeLessThan(texts.length / 20);
  expect(filter.mayHold("x".repeat(10_000))).toBe(true);
});

test("each key's id is told again, and where there are more than places those of the latest", () => {
  const keysOf = (count: number, first = 1) =>
    Array.from({ length: count }, (_, index) => ({ id: first + index, text: `pbgm-${first + index}` }));
  const ids = createKeyIds(fingerprint, 20_000);
  const [before, since] = [keysOf(19_000), keysOf(1_000, 19_001)];
  ids.addHashes(hashesOf(factors, before));
  for (const { id, text } of since) ids.add(text, id);
  const isTold = ({ id, text }: { id: number; text: string }) => ids.find(text) === id;
  expect([...before, ...since].filter(isTold).length).toBeGreaterThan(19_000);
  expect(ids.find("pbgm-0")).toBeNull();
  expect(ids.find("x".repeat(10_000))).toBeNull();

  const many = keysOf(40_000, 20_001);
  ids.addHashes(hashesOf(factors, many));
  const latest = many.slice(-1_000).filter(isTold).length;
  expect(latest).toBeGreaterThan(900);
  expect(before.filter(isTold).length).toBeLessThan(19_000);
});
