import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../../tests/client.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../../core/clock.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;

beforeEach(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 100 });
});

afterEach(() => panel.close());

const head =
  "key,game,created,expires,duration_hours,starts,started,paused_at,revoked,device_limit,status,owner,note,devices";

async function exported(query = ""): Promise<string[]> {
  const { text } = await admin.get(`/api/admin/export${query}`);
  return text.trimEnd().split("\r\n");
}

const game = "FREE FIRE";

test("has the columns of an import, with texts as they are", async () => {
  const at = panel.clock.now;
  const order = { game, deviceLimit: 2, days: 5, count: 1 };
  const [sold] = (await reseller.post("/api/reseller/keys/generate", { ...order, keyString: "-SUMMER-1" })).body.keys;
  await reseller.call("PUT", `/api/reseller/keys/${sold.id}/note`, { note: '=1+1, "best"' });
  for (const deviceId of ["phone", "tablet"]) {
    await panel.newClient().post("/api/verify", { key: "-summer-1", deviceId, game });
  }
  await admin.post("/api/admin/keys/generate", {
    ...{ game, deviceLimit: 100, count: 1, keyString: "later", starts: "first_use", durationHours: 48 },
  });
  panel.clock.now += msPerHour;
  await admin.post(`/api/admin/keys/${sold.id}/pause`);

  const { text, headers } = await admin.get("/api/admin/export");
  expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(headers.get("content-disposition")).toBe('attachment; filename="latchkey-export-2025-03-05.csv"');
  expect(text.split("\r\n")).toEqual([
    head,
    `-SUMMER-1,FREE FIRE,${isoOf(at)},${isoOf(at + 5 * msPerDay)},120,creation,${isoOf(at)},${isoOf(at + msPerHour)},,2,PAUSED,night.owl,"=1+1, ""best""",phone tablet`,
    `later,FREE FIRE,${isoOf(at)},,48,first_use,,,,100,ACTIVE,,,`,
    "",
  ]);
});

test("can be of one owner and one game, and is recorded before its first line is sent", async () => {
  await reseller.post("/api/reseller/keys/generate", { game, deviceLimit: 1, days: 5, count: 1, keyString: "OWNED" });
  const expiryDate = isoOf(panel.clock.now + msPerDay);
  for (const [keyString, name] of [
    ["MINE", game],
    ["OTHER", "PUBG MOBILE"],
  ]) {
    await admin.post("/api/admin/keys/generate", { game: name, deviceLimit: 1, count: 1, keyString, expiryDate });
  }
  const keysOf = async (query: string) => (await exported(query)).slice(1).map((line) => line.split(",")[0]);
  expect(await keysOf("")).toEqual(["OWNED", "MINE", "OTHER"]);
  expect(await keysOf("?owner=NIGHT.owl")).toEqual(["OWNED"]);
  expect(await keysOf("?game=PUBG%20MOBILE&owner=")).toEqual(["OTHER"]);
  expect(await keysOf("?game=PUBG%20MOBILE&owner=night.owl")).toEqual([]);
  const rows = (await admin.get("/api/admin/audit?action=keys_exported&limit=3")).body;
  expect(rows.map(({ target, details }: { target: string; details: unknown }) => [target, details])).toEqual([
    ["keys of night.owl", { game: "PUBG MOBILE" }],
    ["all keys", { game: "PUBG MOBILE" }],
    ["keys of night.owl", {}],
  ]);
  expect(await admin.get("/api/admin/export?owner=day.owl")).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
  expect(await admin.get("/api/admin/export?game=Chess")).toMatchObject({ status: 422, body: { code: "INVALID" } });
});
