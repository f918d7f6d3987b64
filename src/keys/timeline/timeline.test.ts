import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { startedRow } from "../../../tests/key-times.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { isoOf, msPerDay, msPerMinute } from "../../core/clock.ts";
import type { KeyRow } from "../model.ts";
import { type Asker, answerOf } from "./timeline.ts";
import type { TimelineEvent } from "./timeline-schema.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;
let key: { id: number; keyString: string };

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 100 });
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 1 };
  key = (await seller.post("/api/reseller/keys/generate", order)).body.keys[0];
});

afterEach(() => panel.close());

async function ask(deviceId: string): Promise<void> {
  panel.clock.now += msPerMinute;
  await panel.newClient().post("/api/verify", { key: key.keyString, deviceId, game: "FREE FIRE" });
  await panel.server.statistics.write();
}

async function removeDevice(deviceId: string): Promise<void> {
  panel.clock.now += msPerMinute;
  const { body } = await seller.get(`/api/reseller/keys/${key.id}`);
  const device = body.devices.find((each: { deviceId: string }) => each.deviceId === deviceId);
  await seller.post(`/api/reseller/keys/${key.id}/devices/${device.id}/remove`);
}

const path = (query = "") => `/api/reseller/keys/${key.id}/timeline${query}`;
const inShort = ({ kind, by, deviceId, code, count }: TimelineEvent) =>
  [kind, by, deviceId, code, count].filter((value) => value !== null).join(" ");

test("a key's timeline has all events, newest first, even those its rows no longer show", async () => {
  const madeAt = isoOf(panel.clock.now);
  await ask("phone");
  const connectedAt = isoOf(panel.clock.now);
  await ask("tablet");
  await ask("console");
  await ask("console");
  await removeDevice("phone");
  await ask("console");
  panel.clock.now += msPerMinute;
  await admin.post("/api/admin/keys/reset-devices");
  panel.clock.now += msPerMinute;
  await admin.call("DELETE", `/api/admin/keys/${key.id}`);
  await ask("console");

  const { body } = await seller.get(path());
  expect(body.events.map(inShort)).toEqual([
    "refused console REVOKED 1",
    "revoked admin",
    "devices_reset admin 2",
    "device_removed seller phone",
    "refused console DEVICE_LIMIT_REACHED 2",
    "device_connected phone",
    "created seller",
  ]);
  expect([body.events.at(-1).at, body.events.at(-2).at]).toEqual([madeAt, connectedAt]);
  expect((await admin.get(`/api/admin/keys/${key.id}/timeline`)).body.events).toEqual(body.events);
});

test("pages have no gaps, even between events at the same instant", async () => {
  for (const device of ["a", "b"]) await ask(device);
  for (let refused = 0; refused < 3; refused += 1) {
    panel.clock.now += msPerDay;
    await ask("c");
  }
  const { body: whole } = await seller.get(path());
  const paged: TimelineEvent[] = [];
  for (let next: string | null = path("?limit=2"); next !== null; ) {
    const page = await seller.get(next);
    paged.push(...page.body.events);
    next = page.headers.get("link")?.match(/<([^>]+)>/)?.[1] ?? null;
  }
  expect(whole.events).toHaveLength(6);
  expect(paged).toEqual(whole.events);
  expect((await seller.get(path("?cursor=WzFd"))).status).toBe(422);
});

test("the answer is the verdict for the next device", async () => {
  const codes: [string, string][] = [];
  for (const device of ["first", "second", "third"]) {
    const { answer } = (await seller.get(path())).body;
    const { body } = await panel.newClient().get(`/api/verify/${key.keyString}/FREE%20FIRE/${device}`);
    codes.push([answer.code, body.code]);
    await ask(device);
  }
  panel.clock.now += 6 * msPerDay;
  codes.push([(await seller.get(path())).body.answer.code, "EXPIRED"]);
  expect(codes).toEqual([
    ["VALID", "VALID"],
    ["VALID", "VALID"],
    ["DEVICE_LIMIT_REACHED", "DEVICE_LIMIT_REACHED"],
    ["EXPIRED", "EXPIRED"],
  ]);
});

describe("the answer gives the reason and advice for the caller:", () => {
  const row = {
    ...{ id: 1, keyString: "KEY-1", game: "FREE FIRE" as const, deviceLimit: 2, deviceCount: 2 },
    ...{ ...startedRow, createdAt: 0, expiresAt: 10, revokedAt: null, orderId: null, note: null },
  };
  test.each<[string, Partial<KeyRow>, Asker, string, string]>([
    ["full", {}, "owner", "Works. 2 of 2 devices connected, so a new one is refused.", "Remove one below."],
    [
      "full",
      { deviceLimit: 1, deviceCount: 1 },
      "admin of a reseller's key",
      "Works. 1 of 1 devices connected, so a new one is refused.",
      "Remove one below.",
    ],
    [
      "half full",
      { deviceCount: 1 },
      "owner",
      "Works. 1 of 2 devices connected.",
      "If a customer says it doesn't work, check the key's text and the game.",
    ],
    [
      "unlimited",
      { deviceLimit: 100, deviceCount: 0 },
      "owner",
      "Works. 0 devices connected.",
      "If a customer says it doesn't work, check the key's text and the game.",
    ],
    [
      "expired",
      { expiresAt: 5 },
      "owner",
      "Refused on every device: it has expired.",
      "Extend it, and the same key works again.",
    ],
    [
      "revoked",
      { revokedAt: 3 },
      "admin of an own key",
      "Refused on every device: it was revoked.",
      "Revoking cannot be undone. Generate another key.",
    ],
    [
      "replaced",
      { revokedAt: 3, replacedBy: 9 },
      "owner",
      "Refused on every device: it was replaced by a new key.",
      "Send the customer the new key.",
    ],
  ])("%s", (_how, over, asker, message, advice) => {
    expect(answerOf({ ...row, maintenance: null, ...over }, asker, 7)).toMatchObject({ message, advice });
  });
});
