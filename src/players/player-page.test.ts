import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour, msPerMinute } from "../core/clock.ts";
import type { FoundKey, PlayerResult } from "./player-result.ts";

let panel: Panel;
let admin: Client;
let player: Client;
let serial = 0;

beforeAll(async () => {
  panel = await openPanel({ rateLimits: true });
  player = panel.newClient();
});
/** Later than any limit of the test before counts. */
beforeEach(async () => {
  panel.clock.now += 11 * msPerMinute;
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

const form = { "content-type": "application/x-www-form-urlencoded" };
const send = (fields: Record<string, string>, headers: Record<string, string> = {}, path = "/k") =>
  player.call("POST", path, new URLSearchParams(fields).toString(), { ...form, ...headers });
/** What the page shows, from the data of its island. */
function shownIn(html: string): PlayerResult {
  const [, props = ""] = /data-props="player-key"[^>]*>([^<]*)</.exec(html) ?? [];
  return JSON.parse(props).shown;
}
const look = async (fields: Record<string, string>) => shownIn((await send(fields)).text);
const found = async (fields: Record<string, string>) => (await look(fields)).found as FoundKey;

async function newKey(over: object = {}): Promise<{ id: number; keyString: string }> {
  serial += 1;
  const expiryDate = isoOf(panel.clock.now + 30 * msPerDay);
  const order = { game: "FREE FIRE", deviceLimit: 2, expiryDate, count: 1, keyString: `Player-Key-${serial}` };
  return (await admin.post("/api/admin/keys/generate", { ...order, ...over })).body.keys[0];
}
const ask = async (key: string, deviceId = "phone") =>
  (await player.post("/api/verify", { key, game: "FREE FIRE", deviceId, deviceName: `My ${deviceId}` })).body.code;
const release = (key: string, game = "FREE FIRE") =>
  player.post("/api/verify/release", { key, game, ref: "unknown" }).then(({ body }) => body.code);
const detailOf = async (id: number) => (await admin.get(`/api/admin/keys/${id}/details`)).body;

describe("the page /k", () => {
  test("is for everybody, not kept, and sets no cookie", async () => {
    for (const client of [player, admin]) {
      const { status, headers, text } = await client.get("/k");
      expect([status, headers.get("cache-control"), headers.get("set-cookie")]).toEqual([200, "no-store", null]);
      expect(text).toContain("<title>Check your key · Latchkey</title>");
    }
    const { status, headers, text } = await player.call("HEAD", "/k");
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/html; charset=utf-8", ""]);
    const { keyString } = await newKey();
    const response = await send({ key: keyString });
    expect([response.status, response.headers.get("cache-control"), response.headers.get("set-cookie")]).toEqual([
      ...[200, "no-store", null],
    ]);
  });

  test.each<[string, string, string]>([
    ["", "", "en"],
    ["", "fr-CH, de;q=0.9, *;q=0.5", "en"],
    ["", "pt", "pt-BR"],
    ["", "in-ID;q=0.2,fr", "id"],
    ["", "ar-EG-u-nu-latn;q=nonsense,,;;q=1, hi;q=0", "ar"],
    ["", `${"x,".repeat(30)}tr`, "en"],
    ["?lang=es_MX", "ru", "es"],
    ["?lang=xx", "ru", "ru"],
    ["?lang=", "vi", "vi"],
    ["?lang=%00%3Cscript%3E&lang=hi", "", "en"],
  ])("with the address /k%s and Accept-Language %p is in %s", async (query, accepted, language) => {
    const { status, text } = await player.call("GET", `/k${query}`, undefined, { "accept-language": accepted });
    expect([status, /<html lang="([^"]*)"/.exec(text)?.[1]]).toEqual([200, language]);
  });

  test("takes url-encoded forms from our own origin only, of 64 KiB at most", async () => {
    const { id, keyString } = await newKey();
    await ask(keyString);
    const [device] = (await found({ key: keyString })).devices ?? [];
    const fields = { key: keyString, ref: device?.ref ?? "", sure: "yes" };
    const statuses = [
      await send(fields, { origin: "https://other.example" }),
      await send(fields, { origin: "null" }),
      await send(fields, { "sec-fetch-site": "same-site" }),
      await player.post("/k", fields),
      await send(fields, { "content-type": "multipart/form-data; boundary=x" }),
      await send(fields, { "content-type": "text/plain" }),
      await send({ ...fields, more: "x".repeat(65_536) }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 415, 415, 415, 413]);
    expect((await detailOf(id)).deviceCount).toBe(1);
    const freed = await send(fields, { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" });
    expect(shownIn(freed.text)).toMatchObject({ notice: "RELEASED", found: { used: 0, devices: [] } });
  });

  test("finds a key as people send it, of up to 512 characters, and takes what can be no key for none", async () => {
    const { keyString } = await newKey();
    const sent = keyString + "\u200e".repeat(512 - keyString.length);
    expect(await found({ key: sent })).toMatchObject({ state: "WORKS", used: 0, limit: 2 });
    for (const key of [`${sent}\u200e`, "K".repeat(129), "\u200e\u2066 ", ""]) {
      expect(await look({ key })).toMatchObject({ found: null, notice: "EMPTY" });
    }
    expect((await look({})).notice).toBe("EMPTY");
    const { text } = await send({ key: `"><script>alert(1)</script>` });
    expect(text).not.toContain("<script>alert");
  });

  test("asks before it frees a device, and says how often one can be freed", async () => {
    const { id, keyString } = await newKey();
    await ask(keyString);
    const key = await found({ key: keyString });
    expect(key.pace).toEqual({ cooldownHours: 24, atMost: 3 });
    const [device] = key.devices ?? [];
    const { text } = await send({ key: keyString, ref: device?.ref ?? "" });
    expect(shownIn(text)).toMatchObject({ asked: device?.ref, notice: null, found: { used: 1 } });
    expect(text).toContain(
      "Once you free a device, you cannot free another for 1 day. You can free at most 3 in 30 days.",
    );
    expect(text).toContain('<input type="hidden" name="sure" value="yes"/>');
    expect((await detailOf(id)).deviceCount).toBe(1);
    expect(await look({ key: keyString, ref: "unknown" })).toMatchObject({ asked: null, notice: "DEVICE_NOT_FOUND" });
    const paceOf = async (release: object) => {
      await admin.call("PUT", "/api/admin/games/3", { release });
      return (await found({ key: keyString })).pace;
    };
    expect(await paceOf({ cooldownHours: 500, perThirtyDays: 2 })).toEqual({ cooldownHours: 500, atMost: null });
    expect(await paceOf({ cooldownHours: 0 })).toBeNull();
    await paceOf({ cooldownHours: 24, perThirtyDays: 3 });
  });

  test("finds a generated key whose dashes were sent as spaces, and frees its device", async () => {
    const { keyString } = await newKey({ keyString: "" });
    await ask(keyString);
    const key = ` \u200e${keyString.toLowerCase().replaceAll("-", "\u00a0 ")} `;
    const [device] = (await found({ key })).devices ?? [];
    expect(await look({ key, ref: device?.ref ?? "", sure: "yes" })).toMatchObject({ key, notice: "RELEASED" });
    // The same text without white space is another key's.
    const custom = await newKey({ keyString: "SpacesABCDEfghij12345" });
    expect((await found({ key: "Spaces ABCDE fghij 12345" })).state).toBe("WORKS");
    expect(custom.keyString).toBe("SpacesABCDEfghij12345");
  });

  test("connects no device, and is no refusal in the timeline", async () => {
    const { id, keyString } = await newKey({ deviceLimit: 1 });
    await ask(keyString);
    await found({ key: keyString });
    await admin.call("DELETE", `/api/admin/keys/${id}`);
    expect((await found({ key: keyString })).state).toBe("REVOKED");
    await panel.server.statistics.write();
    const { events } = (await admin.get(`/api/admin/keys/${id}/timeline`)).body;
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual(["revoked", "device_connected", "created"]);
    expect((await detailOf(id)).deviceCount).toBe(1);
  });

  test("says what the key is good for, and of a short one only how many devices it has", async () => {
    const short = await newKey({ keyString: "abc-def-12" });
    await ask(short.keyString);
    expect(await found({ key: short.keyString })).toMatchObject({ used: 1, devices: null, mayRelease: false });
    const { id, keyString } = await newKey();
    await ask(keyString);
    const ref = (await found({ key: keyString })).devices?.[0]?.ref ?? "";
    const stateAfter = async (change: object | null, path = "") => {
      if (change) await admin.call("PUT", "/api/admin/games/3", change);
      if (path) await admin.post(`/api/admin/keys/${id}/${path}`);
      const { state, mayRelease } = await found({ key: keyString });
      return [state, mayRelease, (await look({ key: keyString, ref: "unknown", sure: "yes" })).notice];
    };
    expect(await stateAfter({ maintenance: "Back soon." })).toEqual(["MAINTENANCE", true, "DEVICE_NOT_FOUND"]);
    expect(await stateAfter({ maintenance: null })).toEqual(["WORKS", true, "DEVICE_NOT_FOUND"]);
    expect(await stateAfter({ release: { isAllowed: false } })).toEqual(["WORKS", false, "RELEASE_NOT_ALLOWED"]);
    expect(await stateAfter({ release: { isAllowed: true } }, "pause")).toEqual(["PAUSED", false, "KEY_NOT_ACTIVE"]);
    expect(await stateAfter(null, "resume")).toEqual(["WORKS", true, "DEVICE_NOT_FOUND"]);
    expect((await look({ key: keyString, ref, sure: "yes" })).notice).toBe("RELEASED");
    await ask(keyString, "tablet");
    const next = await found({ key: keyString });
    expect(next.allowedAt).toBe(isoOf(panel.clock.now + 24 * msPerHour));
    const again = await look({ key: keyString, ref: next.devices?.[0]?.ref ?? "", sure: "yes" });
    expect([again.notice, (again.found as FoundKey).used]).toEqual(["RELEASE_TOO_SOON", 1]);
    panel.clock.now += 31 * msPerDay;
    expect((await found({ key: keyString })).state).toBe("EXPIRED");
  });
});

test("20 unknown keys in 10 minutes are one budget of an address, for verification, release and /k together", async () => {
  const chosen = (await newKey()).keyString;
  const { keyString: generated } = await newKey({ keyString: "" });
  const first = await Promise.all(
    Array.from({ length: 21 }, async (_, index) => {
      const guess = `guess-number-${index}`;
      const spaced = `FIRE ABCDE FGHIJ KLM${10 + index}`;
      if (index % 3 === 0) return (await ask(guess)) as string;
      // The key of another game is as unknown as any other text.
      if (index % 3 === 1) return release(chosen, "PUBG MOBILE");
      const { notice, found } = await look({ key: spaced });
      return notice ?? found;
    }),
  );
  expect(first.filter((outcome) => outcome === "NOT_FOUND")).toHaveLength(20);
  expect(first.filter((outcome) => outcome === "TOO_MANY_TRIES")).toHaveLength(1);
  // A text that people chose is refused whether it is a key or not, and the page says when to try again.
  for (const key of [chosen, "guess-number-99"]) {
    const { status, headers, text } = await send({ key });
    expect([status, headers.get("retry-after")]).toEqual([429, "600"]);
    expect(shownIn(text)).toMatchObject({ key, found: null, notice: "TOO_MANY_TRIES" });
    expect(text).toContain(`value="${key}"`);
    expect([await ask(key), await release(key)]).toEqual(["TOO_MANY_TRIES", "TOO_MANY_TRIES"]);
  }
  const { text } = await send({ key: chosen }, {}, "/k?lang=es");
  expect(text).toContain("10 minutos");
  // A generated key cannot be guessed.
  expect((await found({ key: generated })).state).toBe("WORKS");
  expect([await release(generated), await ask(generated)]).toEqual(["DEVICE_NOT_FOUND", "VALID"]);
  panel.clock.now += 10 * msPerMinute;
  expect((await found({ key: chosen })).state).toBe("WORKS");
});

test("no place is taken by 150 empty forms at once, nor by 150 refused ones", async () => {
  const statuses = async (key: string) =>
    new Set((await Promise.all(Array.from({ length: 150 }, () => send({ key })))).map(({ status }) => status));
  await send({ key: "" });
  expect(await statuses(" ")).toEqual(new Set([200]));
  for (let guess = 0; guess < 21; guess += 1) await send({ key: `guess-${guess}` });
  expect(await statuses("guess")).toEqual(new Set([429]));
  expect(shownIn((await send({ key: "guess" })).text).notice).toBe("TOO_MANY_TRIES");
});

test.each([
  [1, 22],
  [10, 11],
])(
  "beyond 20 pages of keys at once, those of an address wait; with %d devices %d are two too many",
  async (devices, length) => {
    const { keyString } = await newKey({ deviceLimit: 100 });
    for (let made = 0; made < devices; made += 1) await ask(keyString, `phone-${made}`);
    const sleep = spyOn(Bun, "sleep");
    const statuses = await Promise.all(Array.from({ length }, async () => (await send({ key: keyString })).status));
    // Servers of other tests in this process sleep too, for less.
    const waits = sleep.mock.calls.flat().filter((ms) => Number(ms) >= 100);
    expect([new Set(statuses), waits]).toEqual([new Set([200]), [100, 200]]);
    sleep.mockRestore();
  },
);

test("a text that was not looked up stays in its form, unless it would not be plain text there", async () => {
  const keyAfter = async (key: string) => shownIn((await send({ key: key.padEnd(513, "x") })).text).key;
  expect(await keyAfter("Größe 1-")).toBe("Größe 1-".padEnd(513, "x"));
  for (const text of ['"', "&", "<b>", "'", "\\", "\n", "\u2028"]) expect(await keyAfter(text)).toBe("");
});
