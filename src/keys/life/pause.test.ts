import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, createStaff, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour, msPerMinute } from "../../core/clock.ts";
import { contentRules } from "../../db/copies/content-rules.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;
let key: { id: number; keyString: string; expiryDate: string };

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 100 });
  key = await buy();
});

afterEach(async () => {
  for (const { broken, problem } of contentRules) {
    expect({ problem, rows: await panel.database.read`${{ strings: [broken], values: [] }}` }).toEqual({
      problem,
      rows: [],
    });
  }
  await panel.close();
});

async function buy(starts: "creation" | "first_use" = "creation") {
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 60, count: 1, starts };
  return (await seller.post("/api/reseller/keys/generate", order)).body.keys[0];
}

const change = (by: Client, what: "pause" | "resume", id = key.id) =>
  by.post(`/api/${by === admin ? "admin" : "reseller"}/keys/${id}/${what}`);
const verify = async (deviceId = "phone") =>
  (await panel.newClient().post("/api/verify", { key: key.keyString, game: "FREE FIRE", deviceId })).body;
const opened = async (id = key.id) => (await seller.get(`/api/reseller/keys/${id}`)).body;
const events = async () => {
  const { body } = await admin.get(`/api/admin/keys/${key.id}/timeline`);
  return body.events.map(({ kind, by, at }: { kind: string; by: string | null; at: string }) => [kind, by, at]);
};
const actionsOf = async (action: string) => (await admin.get(`/api/admin/audit?action=${action}`)).body;
const later = (ms: number) => isoOf(Date.parse(key.expiryDate) + ms);
/** Sessions end after 7 idle days, so both sign in again. */
async function wait(ms: number): Promise<void> {
  panel.clock.now += ms;
  await seller.post("/api/auth/reseller/login", { username: "seller", password: "test-reseller-password" });
  admin = await signInAdmin(panel.newClient);
}

describe("a paused key", () => {
  test("has status PAUSED, verifies as PAUSED without an expiry, and keeps its expiry date in lists", async () => {
    await verify();
    panel.clock.now += msPerHour;
    const { status, body } = await change(seller, "pause");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      message: "The key is paused",
      key: { status: "PAUSED", pausedAt: isoOf(panel.clock.now), expiryDate: key.expiryDate },
    });
    expect(await verify()).toMatchObject({ valid: false, code: "PAUSED", expiry: null });
    expect((await seller.get("/api/reseller/keys?status=PAUSED")).body).toMatchObject([{ id: key.id }]);
  });

  test("gets back exactly the time that it was paused", async () => {
    await verify();
    panel.clock.now += 123_457;
    await change(admin, "pause");
    panel.clock.now += 7_654_321;
    const { body } = await change(admin, "resume");
    expect(body).toMatchObject({
      message: "The key is active",
      key: { status: "ACTIVE", pausedAt: null, expiryDate: later(7_654_321) },
    });
    expect(await verify()).toMatchObject({ code: "VALID", expiry: later(7_654_321) });
  });

  test("is not expired by the time that passes, and has the same time left afterwards", async () => {
    panel.clock.now = Date.parse(key.expiryDate) - msPerMinute;
    await wait(0);
    await change(admin, "pause");
    await wait(400 * msPerDay);
    expect(await verify()).toMatchObject({ code: "PAUSED" });
    const detail = (await admin.get(`/api/admin/keys/${key.id}/details`)).body;
    expect(detail).toMatchObject({ status: "PAUSED", daysRemaining: 1, expiryDate: key.expiryDate });
    expect((await admin.get("/api/admin/stats")).body).toMatchObject({ activeKeys: 0 });
    await change(admin, "resume");
    expect((await opened()).expiryDate).toBe(isoOf(panel.clock.now + msPerMinute));
    panel.clock.now += msPerMinute;
    expect(await verify()).toMatchObject({ code: "EXPIRED" });
  });

  test("that has not started is as long as before once it is resumed", async () => {
    key = await buy("first_use");
    expect((await change(seller, "pause")).body.key).toMatchObject({ status: "PAUSED", expiryDate: null });
    panel.clock.now += msPerDay;
    expect(await verify()).toMatchObject({ code: "PAUSED", expiry: null });
    expect((await change(seller, "resume")).body.key).toMatchObject({
      ...{ status: "ACTIVE", expiryDate: null, startedAt: null, durationHours: 1_440 },
    });
    expect(await verify()).toMatchObject({ code: "VALID", expiry: isoOf(panel.clock.now + 60 * msPerDay) });
  });

  test("may be revoked like an ACTIVE one, and stays revoked when its pause would end", async () => {
    await change(seller, "pause");
    expect((await seller.post(`/api/reseller/keys/${key.id}/revoke`)).status).toBe(200);
    await wait(31 * msPerDay);
    expect((await opened()).status).toBe("REVOKED");
    expect(await verify()).toMatchObject({ code: "REVOKED" });
  });
});

test("pausing a paused key and resuming an active one are a 200 without an entry in the audit log", async () => {
  expect((await change(seller, "resume")).status).toBe(200);
  for (const by of [admin, admin, seller]) {
    panel.clock.now += msPerMinute;
    expect(await change(by, "pause")).toMatchObject({ status: 200, body: { key: { status: "PAUSED" } } });
  }
  expect(await actionsOf("key_paused")).toHaveLength(1);
  expect(await actionsOf("key_resumed")).toEqual([]);
  expect((await events()).filter(([kind]: string[]) => kind === "paused")).toHaveLength(1);
});

test("an expired key and a revoked one are a 409 KEY_NOT_ACTIVE for both roles", async () => {
  const revoked = await buy();
  await admin.call("DELETE", `/api/admin/keys/${revoked.id}`);
  await wait(60 * msPerDay);
  for (const by of [admin, seller]) {
    for (const id of [key.id, revoked.id]) {
      for (const what of ["pause", "resume"] as const) {
        expect(await change(by, what, id)).toMatchObject({ status: 409, body: { code: "KEY_NOT_ACTIVE" } });
      }
    }
  }
});

test("pausing and resuming are in the timeline and in the audit log", async () => {
  const pausedAt = isoOf(panel.clock.now + msPerMinute);
  panel.clock.now += msPerMinute;
  await change(seller, "pause");
  panel.clock.now += msPerMinute;
  await change(admin, "resume");
  expect((await events()).slice(0, 2)).toEqual([
    ["resumed", "admin", isoOf(panel.clock.now)],
    ["paused", "seller", pausedAt],
  ]);
  const details = { game: "FREE FIRE", owner: "seller" };
  expect(await actionsOf("key_paused")).toMatchObject([{ actor: { username: "seller" }, details }]);
  expect(await actionsOf("key_resumed")).toMatchObject([{ actor: { username: "admin" }, details }]);
});

test("while the clock is ahead, nothing is paused or resumed, and no pause ends", async () => {
  await change(seller, "pause");
  const other = await buy();
  await wait(31 * msPerDay);
  panel.clock.isAhead = true;
  for (const what of ["pause", "resume"] as const) {
    expect(await change(seller, what, other.id)).toMatchObject({ status: 503, body: { code: "CLOCK_AHEAD" } });
  }
  expect((await opened()).status).toBe("PAUSED");
  expect(await verify()).toMatchObject({ code: "PAUSED" });
  panel.clock.isAhead = false;
  expect((await opened()).status).toBe("ACTIVE");
});

describe("a reseller may pause a key for 30 days in total:", () => {
  const whole = 30 * msPerDay;

  test("then the pause ends at that instant, whenever the key is verified next", async () => {
    await verify();
    const endsAt = panel.clock.now + whole;
    await change(seller, "pause");
    panel.clock.now = endsAt - 1;
    expect(await verify()).toMatchObject({ code: "PAUSED" });
    panel.clock.now = endsAt + 5 * msPerDay;
    expect(await verify()).toMatchObject({ code: "VALID", expiry: later(whole) });
    await wait(0);
    expect((await events())[0]).toEqual(["resumed", null, isoOf(endsAt)]);
  });

  test("the GET form, which changes nothing else, also ends it", async () => {
    await change(seller, "pause");
    panel.clock.now += whole;
    const { body } = await panel.newClient().get(`/api/verify/${key.keyString}/FREE%20FIRE/phone`);
    expect(body).toMatchObject({ valid: true, code: "VALID", expiry: later(whole), canRegister: true });
  });

  test("a key that has run out since it ended is expired", async () => {
    await change(seller, "pause");
    panel.clock.now = Date.parse(later(whole));
    expect(await verify()).toMatchObject({ code: "EXPIRED", expiry: later(whole) });
  });

  test.each(["list", "detail", "figures"])("any call of the panel ends it, such as the %s", async (call) => {
    const endsAt = panel.clock.now + whole;
    await change(seller, "pause");
    await wait(whole + msPerDay);
    if (call === "list") expect((await seller.get("/api/reseller/keys?status=PAUSED")).body).toEqual([]);
    else if (call === "detail") expect(await opened()).toMatchObject({ status: "ACTIVE", expiryDate: later(whole) });
    else expect((await seller.get("/api/reseller/figures")).status).toBe(200);
    const [row] = await panel.database.read<{ expires: number; paused: number | null }>`
      SELECT expires_at AS expires, paused_at AS paused FROM license_keys WHERE id = ${key.id}`;
    expect(row).toEqual({ expires: Date.parse(later(whole)), paused: null });
    expect((await events())[0]).toEqual(["resumed", null, isoOf(endsAt)]);
  });

  test("several pauses share the days, and then it is a 409 PAUSE_USED_UP", async () => {
    await change(seller, "pause");
    await wait(20 * msPerDay);
    await change(seller, "resume");
    await wait(msPerDay);
    await change(seller, "pause");
    await wait(10 * msPerDay + msPerHour);
    expect(await opened()).toMatchObject({ status: "ACTIVE", expiryDate: later(whole) });
    expect(await change(seller, "pause")).toMatchObject({ status: 409, body: { code: "PAUSE_USED_UP" } });
    expect((await change(admin, "pause")).status).toBe(200);
  });

  test("while an admin's pause runs, the reseller's days are not used", async () => {
    await change(admin, "pause");
    await wait(100 * msPerDay);
    expect((await opened()).status).toBe("PAUSED");
    await change(admin, "resume");
    await change(seller, "pause");
    await wait(whole - 1);
    expect((await opened()).status).toBe("PAUSED");
    panel.clock.now += 1;
    expect((await opened()).status).toBe("ACTIVE");
  });

  test("more keys than one transaction takes end together", async () => {
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 30 };
    const { keys } = (await seller.post("/api/reseller/keys/generate", { ...order, days: 5 })).body;
    for (const { id } of keys) await change(seller, "pause", id);
    await wait(whole);
    expect((await seller.get("/api/reseller/keys?status=PAUSED")).body).toEqual([]);
    expect((await seller.get("/api/reseller/keys?status=ACTIVE")).body).toHaveLength(31);
  });

  test("reads still work if a used-up pause cannot be written", async () => {
    await change(seller, "pause");
    panel.clock.now += msPerDay;
    await panel.database.write`UPDATE license_keys SET pause_ends_at = paused_at + 1 WHERE id = ${key.id}`;
    const { transaction } = panel.database;
    panel.database.transaction = () => Promise.reject(new Error("disk full"));
    try {
      expect((await seller.get("/api/reseller/keys")).status).toBe(200);
    } finally {
      panel.database.transaction = transaction;
    }
    expect((await opened()).status).toBe("ACTIVE");
  });
});

describe("an admin's pause", () => {
  test("is ended only by admins", async () => {
    await change(admin, "pause");
    expect(await change(seller, "resume")).toMatchObject({ status: 409, body: { code: "PAUSED_BY_ADMIN" } });
    expect((await change(admin, "resume")).body.key.status).toBe("ACTIVE");
  });

  test("takes over its reseller's: it began when that did, and no longer uses the reseller's days", async () => {
    const pausedAt = isoOf(panel.clock.now);
    await change(seller, "pause");
    await wait(10 * msPerDay);
    expect((await change(admin, "pause")).body.key).toMatchObject({ status: "PAUSED", pausedAt });
    expect((await events()).slice(0, 2)).toEqual([
      ["paused", "admin", isoOf(panel.clock.now)],
      ["paused", "seller", pausedAt],
    ]);
    expect(await change(seller, "resume")).toMatchObject({ status: 409, body: { code: "PAUSED_BY_ADMIN" } });
    await wait(50 * msPerDay);
    expect((await change(admin, "resume")).body.key).toMatchObject({ expiryDate: later(60 * msPerDay) });
    await change(seller, "pause");
    await wait(20 * msPerDay - 1);
    expect((await opened()).status).toBe("PAUSED");
    panel.clock.now += 1;
    expect((await opened()).status).toBe("ACTIVE");
  });
});

test("the detail says whose pause it is, that of a reseller's staff being its reseller's", async () => {
  const form = { username: "helper", rights: ["keys:manage"] };
  const helper = await createStaff(panel.newClient, seller, "reseller", form);
  const pausedBy = async () => {
    const { body } = await admin.get(`/api/admin/keys/${key.id}/details`);
    expect((await opened()).pausedBy).toBe(body.pausedBy);
    return body.pausedBy;
  };
  expect(await pausedBy()).toBeNull();
  await change(helper, "pause");
  expect(await pausedBy()).toBe("reseller");
  await change(admin, "pause");
  expect(await pausedBy()).toBe("admin");
  await admin.call("DELETE", `/api/admin/keys/${key.id}`);
  expect(await pausedBy()).toBeNull();
});

describe("races:", () => {
  test("of two admins who pause and resume a key, each change is recorded once and no time is lost", async () => {
    const second = await signInAdmin(panel.newClient);
    const both = (what: string) =>
      Promise.all([admin, second].map((each) => each.post(`/api/admin/keys/${key.id}/${what}`)));
    expect((await both("pause")).map(({ status }) => status)).toEqual([200, 200]);
    panel.clock.now += msPerHour;
    expect((await both("resume")).map(({ body }) => body.key.expiryDate)).toEqual([later(msPerHour), later(msPerHour)]);
    expect(await actionsOf("key_paused")).toHaveLength(1);
    expect(await actionsOf("key_resumed")).toHaveLength(1);
  });

  test("a revocation and a pause leave a revoked key", async () => {
    const [revoked] = await Promise.all([
      seller.post(`/api/reseller/keys/${key.id}/revoke`),
      change(admin, "pause"),
      change(seller, "pause"),
    ]);
    expect(revoked.status).toBe(200);
    expect((await opened()).status).toBe("REVOKED");
  });

  test("100 verifications during a pause and a resumption connect one device, and none works while it is paused", async () => {
    const verdicts = Array.from({ length: 100 }, () => verify());
    const pausing = change(admin, "pause");
    const codes = new Set((await Promise.all(verdicts)).map(({ code }) => code));
    await pausing;
    expect([...codes].every((code) => code === "VALID" || code === "PAUSED")).toBe(true);
    const during = await Promise.all(Array.from({ length: 100 }, () => verify()));
    expect(new Set(during.map(({ code }) => code))).toEqual(new Set(["PAUSED"]));
    panel.clock.now += msPerMinute;
    const after = Array.from({ length: 100 }, () => verify());
    await Promise.all([change(admin, "resume"), ...after]);
    expect(await verify()).toMatchObject({ code: "VALID", currentDevices: 1, expiry: later(msPerMinute) });
  });

  test("many readers of a used-up pause end it once", async () => {
    await change(seller, "pause");
    await wait(30 * msPerDay);
    const verdicts = await Promise.all(Array.from({ length: 100 }, () => verify()));
    expect(new Set(verdicts.map(({ code }) => code))).toEqual(new Set(["VALID"]));
    expect((await events()).filter(([kind]: string[]) => kind === "resumed")).toHaveLength(1);
    expect(await opened()).toMatchObject({ expiryDate: later(30 * msPerDay), deviceCount: 1 });
  });
});
