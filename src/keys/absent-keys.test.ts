import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { writeElsewhere } from "../../tests/elsewhere.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay } from "../clock.ts";
import type { Database, Sql } from "../database/database.ts";
import { createFingerprint, factorsCount } from "../fingerprint.ts";
import { type AbsentKeys, createAbsentKeys } from "./absent-keys.ts";
import { createKeyFilter, hashesOf } from "./key-filter.ts";
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

/** The database, and which look-ups it was asked for. */
function watched(): { database: Database; lookUps: string[] } {
  const lookUps: string[] = [];
  const read: Sql = (strings, ...values) => {
    if (strings.join("").includes("lower(k.key_string) =")) lookUps.push(String(values.at(-1)));
    return panel.database.read(strings, ...values);
  };
  return { database: { ...panel.database, read }, lookUps };
}

test("a text that is no key is not looked up, and a key is, whatever its case", async () => {
  await make("Known-Key");
  const { database, lookUps } = watched();
  const standings = createStandings({ database, randomBytes });
  expect(await standings.of("NO-SUCH-KEY", "phone")).toBeNull();
  expect(lookUps).toEqual(["no-such-key"]);
  await standings.rememberConnected();
  expect(standings.remembered("NO-SUCH-KEY", "phone")).toBe("no key");
  expect(standings.remembered("known-KEY", "phone")).toBeNull();
  expect(await standings.of("known-KEY", "phone")).toMatchObject({ isKnown: 0 });
  expect(lookUps).toEqual(["no-such-key", "known-key"]);
});

test("once something was written one text is looked up, and then all that was made is known", async () => {
  const { database, lookUps } = watched();
  const standings = createStandings({ database, randomBytes });
  await standings.rememberConnected();
  const text = newText();
  await make(text);
  expect(standings.remembered("NO-SUCH-KEY", "phone")).toBeNull();
  expect(await standings.of("NO-SUCH-KEY", "phone")).toBeNull();
  expect(standings.remembered("NO-SUCH-KEY", "phone")).toBe("no key");
  expect(standings.remembered(text, "phone")).toBeNull();
  expect(lookUps).toEqual(["no-such-key"]);
});

test("once another process has changed the database, every text is looked up until all are read again", async () => {
  const { database, lookUps } = watched();
  const standings = createStandings({ database, randomBytes });
  await standings.rememberConnected();
  const text = newText();
  await makeElsewhere(text);
  expect(standings.remembered(text, "phone")).toBeNull();
  expect(await standings.of(text, "phone")).toMatchObject({ isKnown: 0 });
  for (let time = 1; time <= 2; time += 1) {
    expect(standings.remembered("NO-SUCH-KEY", "phone")).toBeNull();
    expect(await standings.of("NO-SUCH-KEY", "phone")).toBeNull();
  }
  expect(lookUps).toEqual([text, "no-such-key", "no-such-key"]);
  await standings.rememberConnected();
  expect(standings.remembered("NO-SUCH-KEY", "phone")).toBe("no key");
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

test("a key that is made while the others are read is found", async () => {
  const text = newText();
  const stream: Database["stream"] = async (...asked) => {
    const begun = await panel.database.stream(...asked);
    await make(text);
    return begun;
  };
  const absent: AbsentKeys = createAbsentKeys({ database: { ...panel.database, stream }, fingerprint });
  await absent.fill();
  expect([absent.has(text), absent.has("no-such-key")]).toEqual([false, true]);
});

test("many keys that were made since are taken in some at once, and until the last of them no text is known", async () => {
  const absent: AbsentKeys = createAbsentKeys({ database: panel.database, fingerprint });
  await absent.fill();
  await panel.database.transaction(
    (sql) => sql`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
    INSERT INTO license_keys (key_string, game, device_limit, created_at, expires_at, created_by)
    SELECT 'MANY-' || i, ${game}, 1, 1, 2, 1 FROM n`,
  );
  await absent.takeIn();
  expect(absent.has("no-such-key")).toBe(false);
  await absent.takeIn();
  expect([absent.has("no-such-key"), absent.has("many-1"), absent.has("many-1500")]).toEqual([true, false, false]);
});

test("a reading during which all was forgotten is thrown away", async () => {
  const stream: Database["stream"] = async (...asked) => {
    const begun = await panel.database.stream(...asked);
    absent.forget();
    return begun;
  };
  const absent: AbsentKeys = createAbsentKeys({ database: { ...panel.database, stream }, fingerprint });
  await absent.fill();
  expect(absent.has("no-such-key")).toBe(false);
});

test("the filter forgets no key, and takes few other texts for one", () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => `pbgm-${index}`);
  const filter = createKeyFilter(fingerprint, texts.length);
  filter.addHashes(hashesOf(factors, texts.slice(1)));
  filter.add("pbgm-0");
  expect(texts.every((text) => filter.mayHold(text))).toBe(true);
  const wrong = texts.filter((text) => filter.mayHold(`x${text}`)).length;
  expect(wrong).toBeLessThan(texts.length / 20);
  expect(filter.mayHold("x".repeat(10_000))).toBe(true);
});
