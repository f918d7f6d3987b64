import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerMinute } from "../core/clock.ts";
import { createMetrics } from "../core/metrics.ts";
import { Refusal } from "../core/refusal.ts";
import { createRateLimits } from "../http/rate-limit.ts";
import { createThrottle } from "./throttle.ts";

const guesser = "203.0.113.7";
const elsewhere = "198.51.100.9";

let panel: Panel;
let admin: Client;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
  admin = await signInAdmin(panel.newClient);
});
afterEach(() => panel.close());

const makeKey = async (keyString: string, deviceLimit = 2): Promise<number> => {
  const order = { game: "FREE FIRE", deviceLimit, expiryDate: "2025-04-01", keyString, count: 1 };
  return (await admin.post("/api/admin/keys/generate", order)).body.keys[0].id;
};
const ask = (key: string, { address = guesser, deviceId = "guesser", game = "FREE FIRE" } = {}) =>
  panel.newClient(address).post("/api/verify", { key, deviceId, game });
const look = (key: string, { address = guesser, deviceId = "guesser" } = {}) =>
  panel.newClient(address).get(`/api/verify/${key}/FREE%20FIRE/${deviceId}`);
const verdictOf = ({ status, body }: { status: number; body: { code: string } }) => `${status} ${body.code}`;
const atOnce = (count: number, work: (index: number) => ReturnType<typeof ask>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const giveUp = () => atOnce(20, (index) => ask(`MISS-${index}`));

describe("after 20 failed lookups from one address", () => {
  test("a short key looks the same whether it exists or not, and no slot is taken", async () => {
    const id = await makeKey("ABCD");
    await giveUp();
    const [hit, miss] = [await ask("ABCD"), await ask("ABCE")];
    expect([hit.status, hit.body]).toEqual([429, miss.body]);
    expect(miss.body).toEqual({
      valid: false,
      code: "TOO_MANY_TRIES",
      message: "Too many unknown keys from your address. Please try again later.",
    });
    expect([hit.headers.get("retry-after"), miss.headers.get("retry-after")]).toEqual(["600", "600"]);
    expect([verdictOf(await look("ABCD")), verdictOf(await look("ABCE"))]).toEqual(Array(2).fill("429 TOO_MANY_TRIES"));
    expect((await admin.get(`/api/admin/keys/${id}/details`)).body.devices).toEqual([]);
  });

  test("a device that is connected to a short key still gets its verdict", async () => {
    await makeKey("ABCD");
    await ask("ABCD", { deviceId: "phone" });
    await giveUp();
    expect(verdictOf(await ask("ABCD", { deviceId: "phone" }))).toBe("200 VALID");
    expect(verdictOf(await look("ABCD", { deviceId: "phone" }))).toBe("200 VALID");
    expect(verdictOf(await ask("ABCD", { deviceId: "phone", game: "PUBG MOBILE" }))).toBe("429 TOO_MANY_TRIES");
  });

  test("only a key with the shape of a generated one gets its verdict; every other text is refused, key or not", async () => {
    const [generated, own] = ["FIRE-7K2M9-QX4RT-B8W1Z", "NIGHTOWL-2748"];
    await makeKey(generated);
    await makeKey(own);
    await giveUp();
    expect(verdictOf(await ask(` ${generated.toLowerCase()} `))).toBe("200 VALID");
    expect(verdictOf(await look(generated, { deviceId: "other" }))).toBe("200 VALID");
    expect(verdictOf(await ask("FIRE-7K2M9-QX4RT-B8W1Y"))).toBe("429 TOO_MANY_TRIES");
    const [hit, miss] = [await ask(own), await ask("NIGHTOWL-2749")];
    expect([hit.status, hit.body]).toEqual([429, miss.body]);
  });

  test.each([
    ...["null", "UNDEFINED", "Unknown", "none", "N%2FA", "0", "xxxx", "00000000-0000-0000-0000-000000000000"],
    ...["02:00:00:00:00:00", "9774D56D682E549C"],
  ])("the device id %s, which many devices share, counts as not connected", async (encoded) => {
    const deviceId = decodeURIComponent(encoded);
    await makeKey("ABCD");
    // The second time it would be in the cache.
    for (const _ of [1, 2]) expect(verdictOf(await ask("ABCD", { deviceId }))).toBe("200 VALID");
    await giveUp();
    expect(verdictOf(await ask("ABCD", { deviceId }))).toBe("429 TOO_MANY_TRIES");
    expect(verdictOf(await look("ABCD", { deviceId: encoded }))).toBe("429 TOO_MANY_TRIES");
  });

  test("other addresses get verdicts, and this one again 10 minutes later", async () => {
    await makeKey("ABCD");
    await giveUp();
    expect(verdictOf(await ask("ABCD", { address: elsewhere, deviceId: "phone" }))).toBe("200 VALID");
    panel.clock.now += 10 * msPerMinute;
    expect(verdictOf(await ask("ABCD"))).toBe("200 VALID");
  });
});

test("guesses from the networks of one IPv6 /48 get 320 verdicts together, and those of a /56 80", async () => {
  const verdictsFrom = async (count: number, addressOf: (index: number) => string) => {
    const asked = await atOnce(count, (index) => ask(`MISS-${index}`, { address: addressOf(index) }));
    return asked.filter(({ status }) => status === 200).length;
  };
  expect(await verdictsFrom(100, (index) => `2001:db8:1:${(index % 50).toString(16)}::1`)).toBe(80);
  expect(await verdictsFrom(400, (index) => `2001:db8:2:${((index % 200) * 256).toString(16)}::1`)).toBe(320);
  expect(await verdictsFrom(1, () => "2001:db8:3::1")).toBe(1);
});

test("simultaneous guesses do not pass together", async () => {
  const responses = await atOnce(200, (index) => ask(`MISS-${index}`));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(20);
});

test("no verdict on an existing key is a failed lookup", async () => {
  const id = await makeKey("ABCD");
  await admin.call("DELETE", `/api/admin/keys/${id}`);
  const responses = await atOnce(30, () => ask("ABCD"));
  expect(new Set(responses.map(verdictOf))).toEqual(new Set(["200 REVOKED"]));
});

describe("of new devices of one key, from one address,", () => {
  const key = "SLOTS-AAAAA-BBBBB-CCCCC";
  let devices = 0;
  const connect = (count: number, address = guesser) =>
    atOnce(count, () => ask(key, { address, deviceId: `phone-${devices++}` }));
  const countsOf = async (count: number, address?: string) => {
    const counts: Record<string, number> = {};
    for (const verdict of (await connect(count, address)).map(verdictOf)) counts[verdict] = (counts[verdict] ?? 0) + 1;
    return counts;
  };

  test("equal calls of one device at once take one place", async () => {
    await makeKey(key, 100);
    const equal = await atOnce(12, () => ask(key, { deviceId: "phone" }));
    expect(new Set(equal.map(verdictOf))).toEqual(new Set(["200 VALID"]));
    expect(await countsOf(12)).toEqual({ "200 VALID": 9, "429 TOO_MANY_TRIES": 3 });
  });

  test("10 are connected in a minute and 60 in an hour, also if more come at once", async () => {
    await makeKey(key, 100);
    await ask(key, { deviceId: "connected", address: elsewhere });
    for (let minute = 0; minute < 6; minute += 1) {
      expect(await countsOf(12)).toEqual({ "200 VALID": 10, "429 TOO_MANY_TRIES": 2 });
      panel.clock.now += msPerMinute;
    }
    const [refused] = await connect(1);
    expect([refused?.status, refused?.headers.get("retry-after"), refused?.body]).toEqual([
      429,
      String((54 * msPerMinute) / 1_000),
      {
        valid: false,
        code: "TOO_MANY_TRIES",
        message: "Too many new devices from your address for this key. Please try again later.",
      },
    ]);
    expect(verdictOf(await ask(key, { deviceId: "connected" }))).toBe("200 VALID");
    expect((await look(key)).body).toMatchObject({ valid: true, canRegister: true });
    expect(await countsOf(1, elsewhere)).toEqual({ "200 VALID": 1 });
    await makeKey("OTHER-AAAAA-BBBBB-CCCCC");
    expect(verdictOf(await ask("OTHER-AAAAA-BBBBB-CCCCC"))).toBe("200 VALID");
    panel.clock.now += 54 * msPerMinute;
    expect(await countsOf(1)).toEqual({ "200 VALID": 1 });
  });

  test("connected and refused ones are not counted", async () => {
    await makeKey(key, 2);
    expect(await countsOf(10)).toEqual({ "200 VALID": 2, "200 DEVICE_LIMIT_REACHED": 8 });
    for (let pair = 1; pair < 5; pair += 1) {
      await admin.post("/api/admin/keys/reset-devices");
      expect(await countsOf(2)).toEqual({ "200 VALID": 2 });
      await ask(key, { deviceId: `phone-${devices - 1}` });
    }
    await admin.post("/api/admin/keys/reset-devices");
    expect(await countsOf(1)).toEqual({ "429 TOO_MANY_TRIES": 1 });
  });

  test("any number is connected without limits", async () => {
    const unlimited = await openPanel({ rateLimits: false });
    const boss = await signInAdmin(unlimited.newClient);
    const order = { game: "FREE FIRE", deviceLimit: 100, expiryDate: "2025-04-01", keyString: key, count: 1 };
    await boss.post("/api/admin/keys/generate", order);
    const responses = await atOnce(70, (index) =>
      unlimited.newClient().post("/api/verify", { key, deviceId: `phone-${index}`, game: "FREE FIRE" }),
    );
    await unlimited.close();
    expect(new Set(responses.map(verdictOf))).toEqual(new Set(["200 VALID"]));
  });
});

describe("a reseller who names custom keys that are taken", () => {
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
  const buy = (reseller: Client, keyString?: string) =>
    reseller.post("/api/reseller/keys/generate", { ...order, ...(keyString && { keyString }) });

  test("learns of 20 in 10 minutes, then of no more, taken or free; random keys are still sold", async () => {
    await makeKey("TAKEN");
    const prober = await registerReseller(panel.newClient, admin, { username: "prober", credits: 1 });
    const probes = await atOnce(30, () => buy(prober, "taken"));
    expect(probes.map(verdictOf).sort()).toEqual([
      ...Array(20).fill("409 KEY_TAKEN"),
      ...Array(10).fill("429 TOO_MANY_TRIES"),
    ]);
    const [taken, free] = [await buy(prober, "TAKEN"), await buy(prober, "FREE")];
    expect([taken.status, taken.body]).toEqual([429, free.body]);
    expect((await buy(prober)).status).toBe(201);
    const other = await registerReseller(panel.newClient, admin, { username: "other", credits: 1 });
    expect((await buy(other, "FREE")).status).toBe(201);
    panel.clock.now += 10 * msPerMinute;
    expect((await buy(prober, "ANOTHER")).status).toBe(201);
  });

  test("learns nothing from a purchase that was running when the limit was reached, or that cannot be paid", async () => {
    const createRateLimit = createRateLimits({
      monotonicMs: () => 0,
      enabled: true,
      metrics: createMetrics({ ms: () => 0 }),
    });
    const { watchTaken } = createThrottle({ createRateLimit });
    const underWay = Promise.withResolvers<never>();
    const refusal = watchTaken(1, () => underWay.promise).catch(({ code }) => code);
    for (let probe = 0; probe < 20; probe += 1) {
      const taken = watchTaken(1, () => Promise.reject(new Refusal("KEY_TAKEN", "It is taken.")));
      await expect(taken).rejects.toMatchObject({ code: "KEY_TAKEN" });
    }
    underWay.reject(new Refusal("CREDITS_SHORT", "They are short."));
    expect(await refusal).toBe("TOO_MANY_TRIES");
  });
});
