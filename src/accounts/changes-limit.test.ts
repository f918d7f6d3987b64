import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  type Client,
  createApiKey,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerMinute } from "../core/clock.ts";

let panel: Panel;

let admin: Client;

let reseller: ResellerClient;

let orderId: number;

beforeEach(async () => {
  panel = await openPanel({ rateLimits: true });
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 200 });
  const order = { game: "PUBG MOBILE", deviceLimit: 1, days: 5, count: 60 };
  orderId = (await reseller.post("/api/reseller/keys/generate", order)).body.orderId;
  panel.clock.now += msPerMinute;
});

afterEach(() => panel.close());

const note = async (text: string, id = orderId) =>
  (await reseller.call("PUT", `/api/reseller/orders/${id}/note`, { note: text })).status;

const atOnce = 50;

/** Sends so many changes, some at once, and returns how many succeeded. All at once would wait too long on a busy machine. */
const change = async (count: number, text: string) => {
  let succeeded = 0;
  for (let sent = 0; sent < count; sent += atOnce) {
    const length = Math.min(atOnce, count - sent);
    const statuses = await Promise.all(Array.from({ length }, (_, index) => note(`${text} ${sent + index}`)));
    succeeded += statuses.filter((status) => status === 200).length;
  }
  return succeeded;
};

test("one account makes 600 changes in a minute, its API keys included, also several at once", async () => {
  const program = withApiKey(panel.newClient(), await createApiKey(reseller, "reseller", { scopes: ["keys:manage"] }));
  panel.clock.now += msPerMinute;
  const noteByProgram = (text: string) =>
    program.call("PUT", `/api/reseller/orders/${orderId}/note`, { note: text }).then(({ status }) => status);
  expect(await noteByProgram("counted")).toBe(200);
  expect(await change(700, "racing")).toBe(599);
  expect(await noteByProgram("one more")).toBe(429);
  const { status, headers, body } = await reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 60 });
  expect([status, headers.get("retry-after"), body]).toEqual([
    429,
    "60",
    { code: "TOO_MANY_TRIES", message: "Your account has made too many changes. Please try again in a minute." },
  ]);
  const responses: string[] = [];
  // This needs neither the database nor a thread.
  const quick = () => panel.newClient().get("/robots.txt");
  await Promise.all([
    note("a refusal is held back").then(() => responses.push("refusal")),
    quick().then(() => responses.push("quick")),
  ]);
  expect(responses).toEqual(["quick", "refusal"]);
  expect((await admin.post("/api/admin/tokens/generate", { credits: 1 })).status).toBe(201);
  panel.clock.now += msPerMinute;
  expect(await note("again")).toBe(200);
});

test("spending that is refused counts", async () => {
  const apiKey = await createApiKey(reseller, "reseller", { scopes: ["keys:order"], creditsPerDay: 1 });
  panel.clock.now += msPerMinute;
  expect(await change(597, "counted")).toBe(597);
  const order = { game: "PUBG MOBILE", deviceLimit: 1, days: 5, count: 100 };
  const { ids } = {
    ids: (await reseller.get(`/api/reseller/orders/${orderId}`)).body.keys.map(({ id }: { id: number }) => id),
  };
  const buyers = [
    () => withApiKey(panel.newClient(), apiKey).post("/api/reseller/keys/generate", order),
    () => reseller.post("/api/reseller/keys/generate", { ...order, days: 60 }),
    () => reseller.post(`/api/reseller/keys/${ids[0]}/extend`, { days: 60, cost: 1 }),
  ];
  const refused = [];
  for (const buy of buyers) refused.push((await buy()).body.code);
  expect(refused).toEqual(["CREDITS_PER_DAY_SPENT", "CREDITS_SHORT", "COST_CHANGED"]);
  expect([await note("the last"), await note("one more")]).toEqual([200, 429]);
});

test("refused calls, previews and notes that stay the same are not counted", async () => {
  expect(await change(599, "counted")).toBe(599);
  await note((await reseller.get(`/api/reseller/orders/${orderId}`)).body.note);
  await note("of another", 999);
  await reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 1 });
  await reseller.post("/api/reseller/keys/selected", { search: "" });
  expect([await note("the last"), await note("one more")]).toEqual([200, 429]);
});

describe("a selection of 250 keys", () => {
  const at = "/api/reseller/keys/selected";
  const select = async (count: number) => {
    for (let made = 60; made < count; made += 100) {
      const order = { game: "PUBG MOBILE", deviceLimit: 1, days: 5, count: Math.min(100, count - made) };
      await reseller.post("/api/reseller/keys/generate", order);
    }
    panel.clock.now += msPerMinute;
    return (await reseller.post(at, {})).body;
  };

  test("is one change, which the limit does not interrupt", async () => {
    const { mark, toRevoke } = await select(250);
    expect(await change(599, "counted")).toBe(599);
    const revoked = await reseller.post(`${at}/revoke`, { mark, count: toRevoke });
    expect([revoked.status, revoked.body.revokedCount]).toEqual([200, 250]);
    expect(await note("one more")).toBe(429);
  });

  test.each([
    ["counts as three changes when it is noted, one for each hundred begun", 596, 1],
    ["is noted with the last change of a minute all the same", 599, 0],
    ["is not noted without any", 600, 0],
  ])("%s", async (_, before, left) => {
    const { mark, selected } = await select(250);
    expect(await change(before, "counted")).toBe(before);
    const noted = await reseller.call("PUT", `${at}/note`, { mark, count: selected, note: "sold" });
    expect([noted.status, noted.body.notedCount]).toEqual(before === 600 ? [429, undefined] : [200, 250]);
    expect(await change(2, "afterwards")).toBe(left);
  });
});

test("past the limit an owner can still sign in, end other sessions and sign out", async () => {
  const login = { username: "night.owl", password: "test-reseller-password" };
  await change(600, "counted");
  const owner = panel.newClient();
  expect((await owner.post("/api/auth/reseller/login", login)).status).toBe(200);
  expect((await owner.call("DELETE", "/api/auth/sessions")).status).toBe(200);
  expect((await reseller.get("/api/reseller/profile")).status).toBe(401);
  const newPassword = "another-reseller-password";
  const changed = await owner.post("/api/auth/password", { currentPassword: login.password, newPassword });
  expect(changed.status).toBe(200);
  expect((await owner.post("/api/auth/logout")).status).toBe(200);
});
