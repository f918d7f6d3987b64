import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerDay } from "../core/clock.ts";
import type { DayFigures } from "./schema.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;
let other: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "seller", credits: 100 });
  other = await registerReseller(panel.newClient, admin, { username: "other", credits: 100 });
});

afterAll(() => panel.close());

const buy = async (by: Client, order: object) =>
  (await by.post("/api/reseller/keys/generate", { deviceLimit: 1, days: 5, count: 1, ...order })).body.keys[0];
const ask = (key: string, deviceId: string, game: string) =>
  panel.newClient().post("/api/verify", { key, deviceId, game });
const figures = async (by: Client, path: string): Promise<DayFigures[]> => (await by.get(path)).body;

test("each day has its keys, credits, verdicts and new devices; a reseller sees the own, an admin all", async () => {
  const key = await buy(seller, { game: "FREE FIRE", count: 3 });
  await buy(seller, { game: "PUBG MOBILE", count: 2, days: 30 });
  await ask(key.keyString, "phone", "FREE FIRE");
  await ask(key.keyString, "tablet", "FREE FIRE");
  panel.clock.now += 2 * msPerDay;
  await buy(other, { game: "FREE FIRE" });
  await ask(key.keyString, "phone", "FREE FIRE");
  await ask("NO-SUCH-KEY", "phone", "FREE FIRE");
  await panel.server.statistics.write();

  const none = {
    VALID: 0,
    NOT_FOUND: 0,
    REVOKED: 0,
    EXPIRED: 0,
    DEVICE_LIMIT_REACHED: 0,
    MAINTENANCE: 0,
    UPDATE_REQUIRED: 0,
    PAUSED: 0,
    DEVICE_BLOCKED: 0,
  };
  const noKeys = { "PUBG MOBILE": 0, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 0 };
  const own = await figures(seller, "/api/reseller/figures?days=7");
  expect(own.map(({ day }) => day)).toEqual([
    "2025-03-01",
    "2025-03-02",
    "2025-03-03",
    "2025-03-04",
    "2025-03-05",
    "2025-03-06",
    "2025-03-07",
  ]);
  expect(own.slice(4)).toEqual([
    {
      day: "2025-03-05",
      keys: { ...noKeys, "FREE FIRE": 3, "PUBG MOBILE": 2 },
      credits: { ...noKeys, "FREE FIRE": 1.5, "PUBG MOBILE": 6 },
      verdicts: { ...none, VALID: 1, DEVICE_LIMIT_REACHED: 1 },
      devices: 1,
    },
    { day: "2025-03-06", keys: noKeys, credits: noKeys, verdicts: none, devices: 0 },
    { day: "2025-03-07", keys: noKeys, credits: noKeys, verdicts: { ...none, VALID: 1 }, devices: 0 },
  ]);
  const all = await figures(admin, "/api/admin/figures");
  expect([all.length, all.at(-1)?.keys["FREE FIRE"], all.at(-1)?.verdicts]).toEqual([
    30,
    1,
    { ...none, VALID: 1, NOT_FOUND: 1 },
  ]);
});

test("7 to 365 days are allowed", async () => {
  for (const [days, status] of [
    ["6", 422],
    ["7", 200],
    ["365", 200],
    ["366", 422],
    ["x", 422],
  ] as const) {
    expect([days, (await seller.get(`/api/reseller/figures?days=${days}`)).status]).toEqual([days, status]);
  }
});

test("the resellers who sold most come first, without imports and what admins made", async () => {
  const top = async (days: number) =>
    (await admin.get(`/api/admin/figures/resellers?days=${days}`)).body as { username: string }[];
  const [sellers, others] = [
    { id: seller.id, username: "seller", keys: 5, credits: 7.5 },
    { id: other.id, username: "other", keys: 1, credits: 0.5 },
  ];
  expect(await top(30)).toEqual([sellers, others]);
  await admin.post("/api/admin/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 9 });
  const { id } = await buy(other, { game: "FREE FIRE", days: 60 });
  await other.post(`/api/reseller/keys/${id}/extend`, { durationId: 4 });
  const more = { ...others, keys: 2, credits: 9.5 };
  panel.clock.now += 5_000;
  expect(await top(30)).toEqual([more, sellers]);
  panel.clock.now += 6 * msPerDay;
  expect(await top(7)).toEqual([more]);
  panel.clock.now += msPerDay;
  expect(await top(7)).toEqual([]);
});
