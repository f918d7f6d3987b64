import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import type { AdminKeyDetail } from "./schema.ts";

let panel: Panel;
let admin: Client;
let reseller: ResellerClient;
let other: ResellerClient;
let ids: number[];

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  reseller = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 50 });
  other = await registerReseller(panel.newClient, admin, { username: "other" });
  const order = { game: "PUBG MOBILE", deviceLimit: 2, days: 30, count: 3 };
  const { body } = await reseller.post("/api/reseller/keys/generate", order);
  ids = body.keys.map(({ id }: { id: number }) => id);
});
afterAll(() => panel.close());

const note = (client: Client, role: "admin" | "reseller", id: number | undefined, text: string | null) =>
  client.call("PUT", `/api/${role}/keys/${id}/note`, { note: text });
const found = async (client: Client, path: string): Promise<number[]> => {
  const { body } = await client.get(path);
  return (Array.isArray(body) ? body : body.keys).map(({ id }: { id: number }) => id).sort();
};

test("a note is in lists and details, and is found by any part ignoring case", async () => {
  const [first, second] = ids;
  expect((await note(reseller, "reseller", first, " Ana's 100% phone ")).body.key.note).toBe("Ana's 100% phone");
  await note(reseller, "reseller", second, "Анна");
  expect((await reseller.get(`/api/reseller/keys/${first}`)).body.note).toBe("Ana's 100% phone");
  expect((await admin.get(`/api/admin/keys/${first}/details`)).body.note).toBe("Ana's 100% phone");
  const expected = { "ANA'S": [first], "100%25": [first], "1%250": [], Анна: [second] };
  for (const [search, ids] of Object.entries(expected) as [string, number[]][]) {
    expect([search, await found(reseller, `/api/reseller/keys?limit=9&search=${search}`)]).toEqual([search, ids]);
    expect(await found(admin, `/api/admin/resellers/${reseller.id}/keys?search=${search}`)).toEqual(ids);
  }
});

test("a note with the text prevents look-alikes in the list", async () => {
  const { body } = await reseller.get(`/api/reseller/keys/${ids[2]}`);
  const lookAlike = body.keyString.slice(0, 4).replace("B", "8");
  expect(await found(reseller, `/api/reseller/keys?search=${lookAlike}`)).toEqual(ids);
  await note(reseller, "reseller", ids[2], `bought as ${lookAlike}`);
  expect(await found(reseller, `/api/reseller/keys?search=${lookAlike}`)).toEqual([ids[2] as number]);
  await note(reseller, "reseller", ids[2], null);
});

test("each change of a note is one event in the key's history and one audit entry", async () => {
  const noters = async () => {
    const { history } = (await admin.get(`/api/admin/keys/${ids[2]}/details`)).body as AdminKeyDetail;
    return history.filter(({ what }) => what === "NOTED").map(({ by }) => by);
  };
  const entries = async () => (await admin.get("/api/admin/audit?action=note_changed")).body.length;
  const before = { noters: await noters(), entries: await entries() };
  for (const text of ["one", "one", "two"]) await note(reseller, "reseller", ids[2], text);
  expect(await noters()).toEqual([...before.noters, "night.owl", "night.owl"]);
  expect(await entries()).toBe(before.entries + 2);
});

test("only the owner can write a note: another account's key is a 404, even for an admin", async () => {
  expect((await note(other, "reseller", ids[0], "mine")).status).toBe(404);
  expect((await note(admin, "admin", ids[0], "mine")).status).toBe(404);
  const expiryDate = "2025-04-05";
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 1 };
  const { body } = await admin.post("/api/admin/keys/generate", order);
  expect((await note(admin, "admin", body.keys[0].id, "testers")).body.key.note).toBe("testers");
  expect(await found(admin, "/api/admin/keys/manage?search=TESTERS")).toEqual([body.keys[0].id]);
});

test("verification does not reveal notes", async () => {
  const { body: key } = await reseller.get(`/api/reseller/keys/${ids[0]}`);
  const request = { key: key.keyString, deviceId: "phone", game: "PUBG MOBILE" };
  expect((await panel.newClient().post("/api/verify", request)).text).not.toContain("Ana");
});
