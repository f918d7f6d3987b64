import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { keySpelling } from "../../tests/key-spellings.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";

let panel: Panel;
let admin: Client;
let game: Client;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  game = panel.newClient();
});
afterAll(() => panel.close());

const expiryDate = "2025-03-10T00:00:00.000Z";

async function newKey(keyString: string, deviceLimit = 1, more: object = {}) {
  const order = { game: "LAST ISLAND OF SURVIVAL", deviceLimit, expiryDate, keyString, count: 1, ...more };
  return (await admin.post("/api/admin/keys/generate", order)).body.keys[0];
}

const ask = (key: string, deviceId: string, name = "LAST ISLAND OF SURVIVAL") =>
  game.post("/api/verify", { key, deviceId, game: name });
const look = (key: string, deviceId: string, name = "LAST ISLAND OF SURVIVAL") =>
  game.get(`/api/verify/${key}/${encodeURIComponent(name)}/${deviceId}`);

interface Row {
  verdict: string;
  prepare: (keyString: string) => Promise<void>;
  request?: { key?: string; device?: string; game?: string };
  expected: {
    valid: boolean;
    code: string;
    expiry: string | null;
    deviceLimit: number | null;
    currentDevices: number | null;
  };
  canRegister: boolean;
}

const known = { expiry: expiryDate, deviceLimit: 1 };
const unknown = { valid: false, code: "NOT_FOUND", expiry: null, deviceLimit: null, currentDevices: null };

const rows: Row[] = [
  {
    verdict: "a new device of a key with a free slot may use it, and POST takes the slot",
    prepare: async (key) => void (await newKey(key)),
    expected: { valid: true, code: "VALID", ...known, currentDevices: 0 },
    canRegister: true,
  },
  {
    verdict: "a connected device may use a key that is full",
    prepare: async (key) => {
      await newKey(key);
      await ask(key, "phone");
    },
    expected: { valid: true, code: "VALID", ...known, currentDevices: 1 },
    canRegister: false,
  },
  {
    verdict: "another device may not use a key that is full",
    prepare: async (key) => {
      await newKey(key);
      await ask(key, "first");
    },
    expected: { valid: false, code: "DEVICE_LIMIT_REACHED", ...known, currentDevices: 1 },
    canRegister: false,
  },
  {
    verdict: "a revoked key is revoked, even on its device",
    prepare: async (key) => {
      const { id } = await newKey(key);
      await ask(key, "phone");
      await admin.call("DELETE", `/api/admin/keys/${id}`);
    },
    expected: { valid: false, code: "REVOKED", ...known, currentDevices: 1 },
    canRegister: false,
  },
  {
    verdict: "a key that nobody made is not found",
    prepare: async () => {},
    expected: unknown,
    canRegister: false,
  },
  {
    verdict: "a key of another game is not found, in the same words",
    prepare: async (key) => void (await newKey(key)),
    request: { game: "FREE FIRE" },
    expected: unknown,
    canRegister: false,
  },
  {
    verdict: "a key typed in another case, with spaces around it, is found",
    prepare: async (key) => void (await newKey(key.toUpperCase())),
    expected: { valid: true, code: "VALID", ...known, currentDevices: 0 },
    canRegister: true,
  },
  {
    verdict: "LAST ISLAND names the second game",
    prepare: async (key) => void (await newKey(key)),
    request: { game: "LAST ISLAND" },
    expected: { valid: true, code: "VALID", ...known, currentDevices: 0 },
    canRegister: true,
  },
];

describe.each(rows)("$verdict", ({ prepare, request = {}, expected, canRegister }) => {
  test("in both forms", async () => {
    const key = `verdict-${crypto.randomUUID()}`;
    await prepare(key);
    const preview = await look(key, "phone", request.game);
    expect(preview.status).toBe(200);
    const words = {
      message: expect.any(String),
      release: expected.code === "DEVICE_LIMIT_REACHED" ? expect.objectContaining({ isAllowed: true }) : null,
    };
    expect(preview.body).toEqual({ ...expected, ...words, canRegister });

    const verdict = await ask(` ${key} `, "phone", request.game);
    const currentDevices = canRegister ? 1 : expected.currentDevices;
    expect(verdict.status).toBe(200);
    expect(verdict.body).toEqual({ ...expected, ...words, currentDevices });
  });
});

test("a key expires at the very instant, also on its device; revoking wins over expiring", async () => {
  const key = await newKey("EXPIRING");
  await ask("EXPIRING", "phone");
  const start = panel.clock.now;
  panel.clock.now = Date.parse(expiryDate) - 1;
  expect((await ask("EXPIRING", "phone")).body.code).toBe("VALID");
  panel.clock.now += 1;
  expect((await ask("EXPIRING", "phone")).body.code).toBe("EXPIRED");
  expect((await look("EXPIRING", "other")).body).toMatchObject({ code: "EXPIRED", canRegister: false });
  admin = await signInAdmin(panel.newClient);
  await admin.call("DELETE", `/api/admin/keys/${key.id}`);
  expect((await ask("EXPIRING", "phone")).body.code).toBe("REVOKED");
  panel.clock.now = start;
});

test("if two devices find the last slot free, the second is refused when it connects", async () => {
  const { id } = await newKey("RACED", 1);
  const [first, second] = await Promise.all([ask("RACED", "phone"), ask("RACED", "tablet")]);
  expect(first.body).toMatchObject({ valid: true, currentDevices: 1 });
  expect(second.body).toMatchObject({ valid: false, code: "DEVICE_LIMIT_REACHED", currentDevices: 1 });
  const { devices } = (await admin.get(`/api/admin/keys/${id}/details`)).body;
  expect(devices.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(["phone"]);
});

test("devices that connect at the same moment are each told how many there are with it", async () => {
  const { keyString } = await newKey("AT-ONCE-1", 100);
  const told = await Promise.all(["one", "two", "three"].map((device) => ask(keyString, device)));
  expect(told.map(({ body }) => `${body.code} ${body.currentDevices}`).sort()).toEqual([
    "VALID 1",
    "VALID 2",
    "VALID 3",
  ]);
});

test("GET never registers a device", async () => {
  const key = await newKey("ONLY-LOOKED-AT", 2);
  for (let look_ = 0; look_ < 5; look_ += 1) await look("ONLY-LOOKED-AT", `phone-${look_}`);
  expect((await admin.get(`/api/admin/keys/${key.id}/details`)).body.devices).toEqual([]);
});

test("keys of a suspended reseller keep working", async () => {
  const issued = await admin.post("/api/admin/tokens/generate", { credits: 5 });
  const reseller = panel.newClient();
  const form = { username: "gone", password: "secret1", referralToken: issued.body.token.token };
  const { body } = await reseller.post("/api/auth/reseller/register", form);
  await reseller.post("/api/auth/reseller/login", form);
  const order = { game: "LAST ISLAND OF SURVIVAL", deviceLimit: 1, days: 5, count: 1, keyString: "PAID-FOR" };
  expect((await reseller.post("/api/reseller/keys/generate", order)).status).toBe(201);
  await admin.post(`/api/admin/resellers/${body.user.id}/toggle-status`, { isActive: false });
  expect((await ask("PAID-FOR", "phone")).body.code).toBe("VALID");
});

describe("a game", () => {
  const name = "LAST ISLAND OF SURVIVAL";
  let keys = 0;
  const freshKey = async (): Promise<string> => {
    keys += 1;
    return (await newKey(`CONDITIONS-${keys}`)).keyString;
  };
  const change = async (conditions: object) =>
    expect((await admin.call("PUT", "/api/admin/games/2", conditions)).status).toBe(200);
  const verify = async (more: object) =>
    (await game.post("/api/verify", { game: name, deviceId: "phone", ...more })).body;
  afterEach(() => change({ maintenance: "", minimumVersion: "", updateMessage: "" }));

  test("under maintenance refuses every key with its sentence, and registers nothing", async () => {
    const [used, free] = [await freshKey(), await freshKey()];
    await ask(used, "phone");
    await change({ maintenance: "Back at 18:00 UTC." });
    for (const key of [used, free]) {
      expect(await verify({ key })).toMatchObject({ valid: false, code: "MAINTENANCE", message: "Back at 18:00 UTC." });
      expect((await look(key, "tablet")).body).toMatchObject({ code: "MAINTENANCE", canRegister: false });
    }
    expect((await verify({ key: "no-such-key" })).code).toBe("NOT_FOUND");
    await change({ maintenance: null });
    expect(await verify({ key: free })).toMatchObject({ code: "VALID", currentDevices: 1 });
    expect(await verify({ key: used })).toMatchObject({ code: "VALID", currentDevices: 1 });
  });

  test.each([
    ["1.9.9", "UPDATE_REQUIRED"],
    ["1.12.2-beta", "UPDATE_REQUIRED"],
    ["1", "UPDATE_REQUIRED"],
    ["1.12.3", "VALID"],
    ["1.12.3.1", "VALID"],
    ["2", "VALID"],
    ["1.12.10 (build 7)", "VALID"],
    ["version 1", "VALID"],
    ["", "VALID"],
    [null, "VALID"],
  ])("with a minimum version of 1.12.3 returns version %p %s", async (version, code) => {
    const key = await freshKey();
    await ask(key, "phone");
    await change({ minimumVersion: "1.12.3", updateMessage: "Please update." });
    const verdict = await verify({ key, version });
    expect(verdict.code).toBe(code);
    if (code === "UPDATE_REQUIRED") expect(verdict.message).toBe("Please update.");
    const query = version === null ? "" : `?version=${encodeURIComponent(version)}`;
    expect((await game.get(`/api/verify/${key}/${encodeURIComponent(name)}/phone${query}`)).body.code).toBe(code);
  });

  test("that is out of date does not connect a device, and a valid version in the cache does not help an old one", async () => {
    const key = await freshKey();
    await change({ minimumVersion: "2" });
    expect((await verify({ key, version: "1" })).code).toBe("UPDATE_REQUIRED");
    expect((await verify({ key, version: "2" })).code).toBe("VALID");
    expect((await verify({ key, version: "2" })).code).toBe("VALID");
    expect(await verify({ key, version: "1" })).toMatchObject({
      ...{ code: "UPDATE_REQUIRED", message: "Please update the game.", currentDevices: 1 },
    });
    for (const version of [2, "2".padEnd(65, ".0")])
      expect((await game.post("/api/verify", { key, game: name, deviceId: "phone", version })).status).toBe(422);
    expect((await verify({ key, version: "2".padEnd(64, " ") })).code).toBe("VALID");
  });

  test("is asked first, its version next, then the key: revoked, paused, expired, full", async () => {
    const start = panel.clock.now;
    const lasting = { expiryDate: "2025-04-01" };
    const keys = {
      REVOKED: await newKey("ORDER-REVOKED"),
      PAUSED: await newKey("ORDER-PAUSED"),
      EXPIRED: await newKey("ORDER-EXPIRED"),
      DEVICE_LIMIT_REACHED: await newKey("ORDER-FULL", 1, lasting),
    };
    for (const { keyString } of Object.values(keys)) await ask(keyString, "tablet");
    for (const { id } of [keys.REVOKED, keys.PAUSED]) await admin.post(`/api/admin/keys/${id}/pause`);
    await admin.call("DELETE", `/api/admin/keys/${keys.REVOKED.id}`);
    panel.clock.now = Date.parse(expiryDate) + 1;
    admin = await signInAdmin(panel.newClient);
    const expectCodes = async (codeOf: (own: string) => string) => {
      for (const [own, { keyString }] of Object.entries(keys)) {
        const verdict = await verify({ key: keyString, version: "1" });
        expect([own, verdict.code, verdict.valid]).toEqual([own, codeOf(own), false]);
        expect([own, verdict.expiry === null]).toEqual([own, own === "PAUSED"]);
        const address = `/api/verify/${keyString}/${encodeURIComponent(name)}/phone?version=1`;
        expect((await game.get(address)).body).toMatchObject({ code: codeOf(own), canRegister: false });
      }
    };
    await expectCodes((own) => own);
    await change({ minimumVersion: "2" });
    await expectCodes(() => "UPDATE_REQUIRED");
    await change({ maintenance: "Back soon." });
    await expectCodes(() => "MAINTENANCE");
    panel.clock.now = start;
    admin = await signInAdmin(panel.newClient);
  });
});

describe("a key as people send it", () => {
  const sentAs = async (key: string, deviceId: string) => [
    await ask(key, deviceId),
    await look(encodeURIComponent(key), deviceId),
  ];

  test("is one key in both forms, on one device", async () => {
    await newKey("FIRE-7K2M9-QX4RT-B8W1Z");
    let made = 0;
    await fc.assert(
      fc.asyncProperty(keySpelling, async ({ key, sent }) => {
        made += 1;
        await newKey(`${made}-${key}`.toUpperCase());
        await ask(`${made}-${key}`, "phone");
        for (const { status, body } of await sentAs(`${made}-${sent}`, "phone"))
          expect([status, body]).toMatchObject([200, { code: "VALID", currentDevices: 1 }]);
      }),
      { numRuns: 50 },
    );
    const chat = "\u2067\ufeffF\u0131RE\u20137K2M9\u2014\r\nQX4RT-\uff228W1Z\u200f\u2069";
    for (const { body } of await sentAs(chat, "phone")) expect(body.code).toBe("VALID");
  });

  test("has 1 to 128 characters in its normal form, and at most 512 as sent", async () => {
    await newKey("LENGTH-1");
    const marked = (count: number) => `LENGTH-1${"\u200b".repeat(count)}`;
    const verdicts = { [marked(504)]: 200, [marked(505)]: 422, " \u200b": 422 };
    const lengths = {
      ["x".repeat(128)]: 200,
      ["\u{1f511}".repeat(128)]: 200,
      ["x".repeat(129)]: 422,
      ["\ufdfa".repeat(9)]: 422,
    };
    for (const [key, expected] of Object.entries({ ...verdicts, ...lengths })) {
      for (const { status, body } of await sentAs(key, "phone")) {
        expect([key, status]).toEqual([key, expected]);
        if (status === 422) {
          const message = "key must be 1 to 128 characters";
          expect(body).toEqual({ valid: false, code: "INVALID", message, errors: [{ path: "key", message }] });
        }
      }
    }
  });
});
