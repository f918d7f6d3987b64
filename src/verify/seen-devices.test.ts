import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay } from "../core/clock.ts";
import { createStatistics } from "./statistics.ts";

let panel: Panel;
let admin: Client;
let id: number;

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  const order = { game: "FREE FIRE", deviceLimit: 2, expiryDate: "2025-04-05", keyString: "NAMED-1", count: 1 };
  id = (await admin.post("/api/admin/keys/generate", order)).body.keys[0].id;
});
afterEach(() => panel.close());

const ask = (more: object = {}) =>
  panel.newClient().post("/api/verify", { key: "NAMED-1", deviceId: "phone", game: "FREE FIRE", ...more });
const look = (query = "") => panel.newClient().get(`/api/verify/NAMED-1/FREE%20FIRE/phone${query}`);

/** The first device, once everything that was collected is written. */
async function device(): Promise<{ name: string | null; lastSeen: string }> {
  await panel.server.statistics.write();
  const { name, lastSeen } = (await admin.get(`/api/admin/keys/${id}/details`)).body.devices[0];
  return { name, lastSeen };
}

describe("a device's name", () => {
  test.each([
    ["  Ana's\t\n Pixel\u00a0 8\u200b ", "Ana's Pixel 8"],
    ["\u202eevil\u0000 \u0007 \u2028phone\ud800", "evil phone"],
    ["📱".repeat(70), "📱".repeat(64)],
    ["Ana ❤️ 👩‍👩‍👧", "Ana ❤️ 👩‍👩‍👧"],
    ["می‌خواهم क्‍ष", "می‌خواهم क्‍ष"],
    ["\u200da\u200d\u200d !\ufe0f\u3164\u200d", "a\u200d !"],
    [`${"a".repeat(63)} b`, "a".repeat(63)],
    ["x".repeat(20_000), "x".repeat(64)],
    ["\u200b \u2800", null],
    ["", null],
    [null, null],
  ])("of %j is %p, and the verdict is the same", async (deviceName, name) => {
    const { status, body } = await ask({ deviceName, lang: deviceName, version: null });
    expect([status, body.code]).toEqual([200, "VALID"]);
    expect((await device()).name).toBe(name);
  });

  test("is a text, like version and lang, in both forms", async () => {
    for (const field of ["deviceName", "lang", "version"]) {
      for (const value of [5, true, {}, []]) {
        const { status, body } = await ask({ [field]: value });
        expect([field, status, body.valid, body.errors[0].path]).toEqual([field, 422, false, field]);
      }
      expect([field, (await look(`?${field}=`)).status, (await look(`?${field}=1.0`)).status]).toEqual([
        field,
        200,
        200,
      ]);
    }
  });

  test("is the last one that its POSTs sent, whatever the cache has", async () => {
    await ask({ deviceName: "first" });
    await ask();
    await look("?deviceName=looked");
    expect((await device()).name).toBe("first");
    for (const deviceName of ["second", "first", "second"]) await ask({ deviceName });
    expect((await device()).name).toBe("second");
    // Each version has its own entry in the cache.
    await ask({ deviceName: "second", version: "2" });
    await ask({ deviceName: "third" });
    await ask({ deviceName: "second", version: "2" });
    expect((await device()).name).toBe("second");
    await ask({ deviceName: "third", version: "2" });
    await panel.server.statistics.write();
    await ask({ deviceName: "second" });
    expect((await device()).name).toBe("second");
  });

  test("is in the timeline, also after the device was removed", async () => {
    await ask({ deviceName: "Pixel 8" });
    const { devices } = (await admin.get(`/api/admin/keys/${id}/details`)).body;
    const namesInTimeline = async () => {
      const { events } = (await admin.get(`/api/admin/keys/${id}/timeline`)).body;
      return events.map(({ kind, deviceName }: { kind: string; deviceName: string | null }) => [kind, deviceName]);
    };
    const before = [
      ["device_connected", "Pixel 8"],
      ["created", null],
    ];
    expect(await namesInTimeline()).toEqual(before);
    await admin.post(`/api/admin/keys/${id}/devices/${devices[0].id}/remove`);
    expect(await namesInTimeline()).toEqual([["device_removed", "Pixel 8"], ...before]);
  });
});

describe("a device was last seen", () => {
  test("on the day of its last verification, in either form and with any verdict", async () => {
    await ask();
    expect((await device()).lastSeen).toBe("2025-03-05");
    panel.clock.now += msPerDay;
    expect((await device()).lastSeen).toBe("2025-03-05");
    await ask();
    expect((await device()).lastSeen).toBe("2025-03-06");
    panel.clock.now += msPerDay;
    await look();
    expect((await device()).lastSeen).toBe("2025-03-07");
    panel.clock.now += msPerDay;
    await admin.call("PUT", "/api/admin/games/3", { maintenance: "Back soon." });
    expect((await ask()).body.code).toBe("MAINTENANCE");
    expect((await device()).lastSeen).toBe("2025-03-08");
    await admin.call("PUT", "/api/admin/games/3", { maintenance: null });
    panel.clock.now += 60 * msPerDay;
    admin = await signInAdmin(panel.newClient);
    expect((await look()).body.code).toBe("EXPIRED");
    expect((await device()).lastSeen).toBe("2025-05-07");
  });

  test("without a write if that day and name are known, and with one for all devices of five seconds", async () => {
    let writes = 0;
    const { database, metrics } = panel;
    const counting: typeof database.write = (...statement) => {
      writes += 1;
      return database.write(...statement);
    };
    const statistics = createStatistics({ database: { ...database, write: counting }, metrics });
    await ask({ deviceName: "phone" });
    await ask({ deviceId: "tablet" });
    const day = 20_200;
    for (const deviceId of ["phone", "tablet", "phone"]) statistics.see({ keyId: id, deviceId, day, name: null });
    await statistics.write();
    await statistics.write();
    expect(writes).toBe(1);
    expect(await device()).toEqual({ name: "phone", lastSeen: "2025-04-22" });
  });

  test("is written by the next flush if the disk refuses it, and the name that came later stays", async () => {
    const { database, metrics } = panel;
    await ask();
    let isFull = true;
    const write: typeof database.write = (...statement) => {
      statistics.see({ keyId: id, deviceId: "phone", day: 20_201, name: isFull ? "later" : null });
      return isFull ? Promise.reject(new Error("The disk is full.")) : database.write(...statement);
    };
    const statistics = createStatistics({ database: { ...database, write }, metrics });
    statistics.see({ keyId: id, deviceId: "phone", day: 20_200, name: "earlier" });
    await statistics.write();
    expect((await device()).name).toBeNull();
    isFull = false;
    await statistics.write();
    await statistics.write();
    expect(await device()).toEqual({ name: "later", lastSeen: "2025-04-23" });
  });
});
