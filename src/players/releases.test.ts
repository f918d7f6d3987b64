import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let game: Client;
let resellers = 0;

beforeAll(async () => {
  panel = await openPanel();
  game = panel.newClient();
});
/** The tests span weeks, longer than a session. */
beforeEach(async () => {
  panel.clock.isAhead = false;
  admin = await signInAdmin(panel.newClient);
  resellers += 1;
  reseller = await registerReseller(panel.newClient, admin, { username: `free.${resellers}`, credits: 1_000 });
  await setPolicy({ isAllowed: true, cooldownHours: 24, perThirtyDays: 3, idleDays: null });
});
afterAll(() => panel.close());

interface Key {
  id: number;
  keyString: string;
}

const setPolicy = (release: object) => admin.call("PUT", "/api/admin/games/3", { release });
const setMaintenance = (maintenance: string | null) => admin.call("PUT", "/api/admin/games/3", { maintenance });

async function newKey({ deviceLimit = 2, keyString = "" } = {}): Promise<Key> {
  const order = { game: "FREE FIRE", deviceLimit, days: 60, count: 1, keyString };
  return (await reseller.post("/api/reseller/keys/generate", order)).body.keys[0];
}

const ask = async ({ keyString }: Key, deviceId: string, over: object = {}) =>
  (await game.post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE", ...over })).body;
const look = async ({ keyString }: Key, deviceId: string) =>
  (await game.get(`/api/verify/${keyString}/FREE%20FIRE/${deviceId}`)).body;
const free = ({ keyString }: Key, ref: string, over: object = {}) =>
  game.post("/api/verify/release", { key: keyString, game: "FREE FIRE", ref, ...over });
/** The refs by the names of the devices, from a refusal. */
async function refsOf(key: Key): Promise<Record<string, string>> {
  const { release } = await ask(key, "another");
  return Object.fromEntries(release.devices.map((each: { name: string; ref: string }) => [each.name, each.ref]));
}
async function fullKey(): Promise<Key> {
  const key = await newKey();
  await ask(key, "phone", { deviceName: "Phone" });
  await ask(key, "tablet", { deviceName: "Tablet" });
  return key;
}
const kindsOf = async ({ id }: Key): Promise<string[]> =>
  (await admin.get(`/api/admin/keys/${id}/timeline`)).body.events.map(({ kind }: { kind: string }) => kind);

describe("a refused device", () => {
  test("learns which devices could be freed, the longest unseen first, and nothing of their ids", async () => {
    const key = await fullKey();
    panel.clock.now += 2 * msPerDay;
    await ask(key, "phone");
    await panel.server.statistics.write();
    const { code, release } = await ask(key, "new");
    const day = (ms: number) => isoOf(ms).slice(0, 10);
    expect([code, release]).toEqual([
      "DEVICE_LIMIT_REACHED",
      {
        ...{ isAllowed: true, allowedAt: null },
        devices: [
          {
            ref: expect.any(String),
            name: "Tablet",
            firstConnected: expect.any(String),
            lastSeen: day(panel.clock.now - 2 * msPerDay),
          },
          {
            ref: expect.any(String),
            name: "Phone",
            firstConnected: expect.any(String),
            lastSeen: day(panel.clock.now),
          },
        ],
      },
    ]);
    for (const { ref } of release.devices) expect(ref).toMatch(/^[\w-]{1,64}$/);
    expect((await look(key, "new")).release).toEqual(release);
  });

  test("of a key with fewer than 12 characters learns nothing, and such a key's devices are not freed", async () => {
    const key = await newKey({ deviceLimit: 1, keyString: `SHORT-${resellers}` });
    await ask(key, "phone");
    expect((await ask(key, "new")).release).toBeNull();
    expect((await free(key, "ref")).body.code).toBe("RELEASE_NOT_ALLOWED");
  });

  test("gets null with any other verdict", async () => {
    const key = await newKey();
    expect((await ask(key, "phone")).release).toBeNull();
    expect((await look(key, "new")).release).toBeNull();
    expect((await ask({ ...key, keyString: "FIRE-00000-00000-00000" }, "phone")).release).toBeNull();
  });

  test("learns that it is not allowed, or from when on it is", async () => {
    const key = await fullKey();
    await setPolicy({ isAllowed: false });
    expect((await ask(key, "new")).release).toMatchObject({ isAllowed: false, allowedAt: null });
    await setPolicy({ isAllowed: true });
    await free(key, (await refsOf(key)).Phone ?? "");
    await ask(key, "phone-2");
    const allowedAt = isoOf(panel.clock.now + 24 * msPerHour);
    expect((await ask(key, "new")).release).toMatchObject({ isAllowed: true, allowedAt });
  });
});

describe("a release", () => {
  test.each<[string, string]>([
    ["without visible characters", "\u200e\u200f"],
    ["of 129 characters", "K".repeat(129)],
    ["of 513 characters as sent", `K${"\u200e".repeat(512)}`],
  ])("with a key %s is invalid", async (_, keyString) => {
    const { status, body } = await free({ id: 0, keyString }, "ref");
    expect([status, body.code, body.errors[0].path]).toEqual([422, "INVALID", "key"]);
  });

  test("takes the key as people send it", async () => {
    const key = await fullKey();
    const { Phone = "" } = await refsOf(key);
    const sent = `\u200e ${key.keyString.toLowerCase().replaceAll("-", "–")}${"\u200b".repeat(400)}`;
    expect((await free({ ...key, keyString: sent }, Phone)).status).toBe(200);
  });

  test("frees the device for a new one, which is in the timeline, and says when the next may follow", async () => {
    const key = await fullKey();
    const { Phone = "" } = await refsOf(key);
    const { status, body } = await free(key, Phone, { lang: "pt" });
    expect([status, body]).toEqual([
      200,
      {
        message: "O dispositivo foi liberado. A chave pode ser usada em outro.",
        allowedAt: isoOf(panel.clock.now + 24 * msPerHour),
      },
    ]);
    expect((await ask(key, "new")).code).toBe("VALID");
    expect((await ask(key, "phone")).code).toBe("DEVICE_LIMIT_REACHED");
    expect(await kindsOf(key)).toContain("device_released");
    // The same name for the same device, but a new one for a new connection.
    expect((await free(key, Phone)).body.code).toBe("DEVICE_NOT_FOUND");
  });

  test("also works for a key that is not full, and during maintenance", async () => {
    const key = await fullKey();
    const { Phone = "", Tablet = "" } = await refsOf(key);
    await setPolicy({ cooldownHours: 0 });
    expect((await free(key, Phone)).status).toBe(200);
    await setMaintenance("Back at noon.");
    expect((await free(key, Tablet)).status).toBe(200);
    await setMaintenance(null);
  });

  test("is refused in the order of the rules", async () => {
    const codeOf = async (...call: Parameters<typeof free>) => {
      const { status, body } = await free(...call);
      return `${status} ${body.code}`;
    };
    const key = await fullKey();
    const { Phone = "", Tablet = "" } = await refsOf(key);
    expect(await codeOf(key, Phone, { game: "PUBG MOBILE" })).toBe("404 NOT_FOUND");
    expect(await codeOf(key, Phone, { game: "no such game" })).toBe("422 INVALID");
    expect(await codeOf(key, "no ref")).toBe("422 INVALID");
    await admin.post(`/api/admin/keys/${key.id}/pause`);
    await setPolicy({ isAllowed: false });
    expect(await codeOf(key, "unknown")).toBe("403 RELEASE_NOT_ALLOWED");
    await setPolicy({ isAllowed: true });
    expect(await codeOf(key, "unknown")).toBe("409 KEY_NOT_ACTIVE");
    await admin.post(`/api/admin/keys/${key.id}/resume`);
    expect(await codeOf(key, "unknown")).toBe("404 DEVICE_NOT_FOUND");
    await free(key, Phone);
    const refused = await free(key, Tablet);
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      ...[429, "RELEASE_TOO_SOON", String((24 * msPerHour) / 1_000)],
    ]);
    expect(refused.body.allowedAt).toBe(isoOf(panel.clock.now + 24 * msPerHour));
    expect(await codeOf(key, "unknown")).toBe("404 DEVICE_NOT_FOUND");
  });

  test("is possible again after the wait, and three times in 30 days, under the current policy", async () => {
    const key = await fullKey();
    const release = async () => {
      const [ref = ""] = Object.values(await refsOf(key));
      const { status } = await free(key, ref);
      await ask(key, `new-${panel.clock.now}`, { deviceName: "New" });
      return status;
    };
    const statuses = [await release(), await release()];
    for (let day = 1; day <= 3; day += 1) {
      panel.clock.now += msPerDay;
      statuses.push(await release());
    }
    expect(statuses).toEqual([200, 429, 200, 200, 429]);
    admin = await signInAdmin(panel.newClient);
    await setPolicy({ perThirtyDays: 4 });
    expect(await release()).toBe(200);
    panel.clock.now += 28 * msPerDay;
    admin = await signInAdmin(panel.newClient);
    await setPolicy({ perThirtyDays: 3 });
    expect(await release()).toBe(200);
  });

  test("counts only what players freed, and a device that connects again has another ref", async () => {
    const key = await fullKey();
    const before = await refsOf(key);
    const { devices } = (await admin.get(`/api/admin/keys/${key.id}/details`)).body;
    await admin.post(`/api/admin/keys/${key.id}/devices/${devices[0].id}/remove`);
    await ask(key, "phone", { deviceName: "Phone" });
    const after = await refsOf(key);
    expect([after.Tablet === before.Tablet, after.Phone === before.Phone]).toEqual([true, false]);
    expect((await free(key, before.Phone ?? "")).body.code).toBe("DEVICE_NOT_FOUND");
    expect((await free(key, after.Phone ?? "")).status).toBe(200);
  });

  test("of one device, raced by 50, is carried out once", async () => {
    await setPolicy({ cooldownHours: 0, perThirtyDays: 100 });
    const key = await fullKey();
    const { Phone = "" } = await refsOf(key);
    const releases = await Promise.all(Array.from({ length: 50 }, () => free(key, Phone)));
    expect(releases.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(releases.map(({ body }) => body.code))).toEqual(new Set([undefined, "DEVICE_NOT_FOUND"]));
    expect((await kindsOf(key)).filter((kind) => kind === "device_released")).toHaveLength(1);
  });

  test("raced by 50 frees no more devices than the quota allows, and raced by new devices never exceeds the limit", async () => {
    await setPolicy({ cooldownHours: 0 });
    const key = await newKey({ deviceLimit: 100 });
    for (let device = 0; device < 100; device += 1) await ask(key, `old-${device}`, { deviceName: `Old ${device}` });
    const refs = Object.values(await refsOf(key)).slice(0, 50);
    const [releases] = await Promise.all([
      Promise.all(refs.map((ref) => free(key, ref))),
      Promise.all(refs.map((_, index) => ask(key, `new-${index}`))),
    ]);
    expect(releases.filter(({ status }) => status === 200)).toHaveLength(3);
    const { deviceCount } = (await admin.get(`/api/admin/keys/${key.id}/details`)).body;
    expect([97, 98, 99, 100]).toContain(deviceCount);
    expect((await kindsOf(key)).filter((kind) => kind === "device_released")).toHaveLength(3);
  });
});

test.each([
  ["isAllowed", "yes"],
  ["cooldownHours", 721],
  ["cooldownHours", -1],
  ["perThirtyDays", 0],
  ["perThirtyDays", 101],
  ["idleDays", 0],
  ["idleDays", 366],
])("a game's rules for releases do not take %s %p, and what is left out stays", async (rule, value) => {
  await setPolicy({ cooldownHours: 720, perThirtyDays: 100, idleDays: 365 });
  expect((await setPolicy({ [rule]: value })).status).toBe(422);
  expect((await setPolicy({ cooldownHours: 0 })).status).toBe(200);
  const games = (await admin.get("/api/admin/games")).body;
  expect(games.find(({ id }: { id: number }) => id === 3).release).toEqual({
    ...{ isAllowed: true, cooldownHours: 0, perThirtyDays: 100, idleDays: 365 },
  });
});

describe("a device that was unseen for longer than the idle days", () => {
  const idleKey = async (days: number) => {
    await setPolicy({ idleDays: 7 });
    const key = await fullKey();
    panel.clock.now += days * msPerDay;
    admin = await signInAdmin(panel.newClient);
    return key;
  };

  test("gives its slot to a new one, which GET reports as free", async () => {
    const key = await idleKey(8);
    await ask(key, "tablet");
    expect(await look(key, "new")).toMatchObject({ code: "VALID", canRegister: true, currentDevices: 2 });
    expect(await ask(key, "new")).toMatchObject({ code: "VALID", currentDevices: 2 });
    expect(await kindsOf(key)).toContain("device_idle");
    expect((await ask(key, "tablet")).code).toBe("VALID");
    expect((await ask(key, "phone")).code).toBe("DEVICE_LIMIT_REACHED");
  });

  test("keeps it until it was unseen for more days than that", async () => {
    const key = await idleKey(7);
    expect((await ask(key, "new")).code).toBe("DEVICE_LIMIT_REACHED");
  });

  test("keeps it if its last verification is not written yet", async () => {
    const key = await idleKey(8);
    await ask(key, "phone");
    await ask(key, "tablet");
    expect((await ask(key, "new")).code).toBe("DEVICE_LIMIT_REACHED");
  });

  test("keeps it for the days of a maintenance or a pause, even in part", async () => {
    const key = await fullKey();
    await setPolicy({ idleDays: 7 });
    await setMaintenance("Back tomorrow.");
    panel.clock.now += msPerDay;
    admin = await signInAdmin(panel.newClient);
    await setMaintenance(null);
    await admin.post(`/api/admin/keys/${key.id}/pause`);
    panel.clock.now += 2 * msPerDay;
    await admin.post(`/api/admin/keys/${key.id}/resume`);
    panel.clock.now += 7 * msPerDay;
    expect((await ask(key, "new")).code).toBe("DEVICE_LIMIT_REACHED");
    panel.clock.now += msPerDay;
    expect((await ask(key, "new")).code).toBe("VALID");
  });

  test("keeps it while the clock is ahead", async () => {
    const key = await idleKey(8);
    panel.clock.isAhead = true;
    expect((await ask(key, "new")).code).toBe("DEVICE_LIMIT_REACHED");
    expect((await look(key, "new")).canRegister).toBe(false);
  });
});

test("verdicts and releases speak the player's language, and an unknown one is left out", async () => {
  const key = await fullKey();
  const messageIn = async (lang: string | null) => (await ask(key, "new", { lang })).message;
  expect(await messageIn("ru_RU")).toBe("Ключ уже используется на всех разрешённых устройствах.");
  expect(await messageIn("in")).toBe("Kunci ini sudah dipakai di semua perangkat yang diizinkan.");
  for (const lang of ["fr", "", null, "x".repeat(500)]) {
    expect(await messageIn(lang)).toBe("The key is already in use on as many devices as it allows.");
  }
  expect((await free(key, "unknown", { lang: "TR" })).body.message).toBe("Anahtarın böyle bir cihazı yok.");
  const preview = await game.get(`/api/verify/${key.keyString}/FREE%20FIRE/new?lang=pt-PT&deviceName=&version=`);
  expect(preview.body.message).toBe("A chave já está em uso em todos os dispositivos permitidos.");
  for (const lang of [7, true, ["ru"], {}]) {
    expect((await free(key, "unknown", { lang })).status).toBe(422);
    expect(
      (await game.post("/api/verify", { key: key.keyString, deviceId: "new", game: "FREE FIRE", lang })).status,
    ).toBe(422);
  }
});

test("the first refusal of a server that signs it has the release and the proof", async () => {
  const fresh = await openPanel();
  try {
    await fresh.server.signingKeys.makeFirst();
    const admins = await signInAdmin(fresh.newClient);
    const expiryDate = isoOf(fresh.clock.now + 30 * msPerDay);
    const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 1 };
    const [{ keyString }] = (await admins.post("/api/admin/keys/generate", order)).body.keys;
    const body = { key: keyString, game: "FREE FIRE" };
    await fresh.newClient().post("/api/verify", { ...body, deviceId: "phone" });
    const nonce = "q83vEjRWeJq83vEjRWeJqg";
    const refused = await fresh.newClient().post("/api/verify", { ...body, deviceId: "new", nonce });
    expect(refused.body).toMatchObject({ code: "DEVICE_LIMIT_REACHED", valid: false, release: { isAllowed: true } });
    expect(refused.body.proof).toStartWith("lk1.");
  } finally {
    await fresh.close();
  }
});
