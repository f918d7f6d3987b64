import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { startedRow } from "../../tests/key-times.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { insertKey } from "../keys/store.ts";

let panel: Panel;
let admin: Client;
let owl: ResellerClient;
let fox: ResellerClient;
const keyIds: Record<string, number> = {};

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  owl = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 100 });
  fox = await registerReseller(panel.newClient, admin, { username: "night", credits: 100 });
  for (const [seller, keyString] of [
    [owl, "PBGM-A1B2C-D3E4F-9VJW5"],
    [owl, "9VJW5-OLDER"],
    [owl, "XX9VJW5XX"],
    [fox, "FOX-O0O1L"],
  ] as const) {
    const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 1, keyString };
    keyIds[keyString] = (await seller.post("/api/reseller/keys/generate", order)).body.keys[0].id;
  }
  await connect("FOX-O0O1L", "a3f1-C9D2-Phone");
});
afterAll(() => panel.close());

const connect = (key: string, deviceId: string) =>
  panel.newClient().post("/api/verify", { key, deviceId, game: "FREE FIRE" });
const asAdmin = async (text: string) => (await admin.get(`/api/admin/search?q=${encodeURIComponent(text)}`)).body;
const asSeller = async (seller: Client, text: string) =>
  (await seller.get(`/api/reseller/search?q=${encodeURIComponent(text)}`)).body;

interface Found {
  keyString: string;
  close: boolean;
  foundBy: string;
}
const inShort = ({ keys }: { keys: Found[] }) =>
  keys.map(({ keyString, close, foundBy }) => `${keyString} ${foundBy}${close ? " close" : ""}`);

test("a key is found by any part of its text, ignoring case, dashes and spaces: first by its end, then by its beginning", async () => {
  expect(inShort(await asAdmin("9vjw5"))).toEqual([
    "PBGM-A1B2C-D3E4F-9VJW5 text",
    "9VJW5-OLDER text",
    "XX9VJW5XX text",
  ]);
  expect(inShort(await asSeller(owl, "b2c d3–e4"))).toEqual(["PBGM-A1B2C-D3E4F-9VJW5 text"]);
  expect(inShort(await asAdmin("\u2067pbgm\u2013a1b2c-\u200fd\u0663e4f\u2069"))).toEqual([
    "PBGM-A1B2C-D3E4F-9VJW5 text",
  ]);
});

test("if nothing matches, look-alikes are found and marked", async () => {
  expect(inShort(await asAdmin("A1B2CD3E4F9VJWS"))).toEqual(["PBGM-A1B2C-D3E4F-9VJW5 text close"]);
  expect(inShort(await asAdmin("fox00oii"))).toEqual(["FOX-O0O1L text close"]);
  expect(inShort(await asAdmin("fox-o0o1l"))).toEqual(["FOX-O0O1L text"]);
});

test("a key is found by a connected device, but not by a removed one", async () => {
  expect(inShort(await asAdmin("F1-c9d2-PH"))).toEqual(["FOX-O0O1L device"]);
  await connect("XX9VJW5XX", "gone-soon");
  expect(inShort(await asSeller(owl, "gone-soon"))).toEqual(["XX9VJW5XX device"]);
  const { body } = await owl.get(`/api/reseller/keys/${keyIds.XX9VJW5XX}`);
  await owl.post(`/api/reseller/keys/${keyIds.XX9VJW5XX}/devices/${body.devices[0].id}/remove`);
  expect(inShort(await asSeller(owl, "gone-soon"))).toEqual([]);
});

test("a device is found in any alphabet, ignoring case", async () => {
  await connect("9VJW5-OLDER", "Телефон-Ёж-É7");
  for (const text of ["ФОН-ёж-é7", "ёЖ", "ТЕЛЕФОН"])
    expect(inShort(await asAdmin(text))).toEqual(["9VJW5-OLDER device"]);
  expect([inShort(await asSeller(owl, "É7")), inShort(await asSeller(fox, "É7"))]).toEqual([
    ["9VJW5-OLDER device"],
    [],
  ]);
});

test("notes and names are found in every script's case, without joiners and selectors", async () => {
  const id = keyIds["9VJW5-OLDER"];
  await owl.call("PUT", `/api/reseller/keys/${id}/note`, { note: "ılık ΟΔΟΣ paid ❤️ می‌خواهم" });
  for (const text of ["ILIK", "İLİK οδος", "PAID ❤ میخواهم", "οδοσ"])
    expect(inShort(await asSeller(owl, text))).toEqual(["9VJW5-OLDER note"]);
  const names = (found: { username: string }[]) => found.map(({ username }) => username);
  expect(names((await asAdmin("NİGHT.OWL")).resellers)).toEqual(["night.owl"]);
  expect(names((await admin.get(`/api/admin/resellers?search=${encodeURIComponent("NİGHT.o")}`)).body)).toEqual([
    "night.owl",
  ]);
  await owl.call("PUT", `/api/reseller/keys/${id}/note`, { note: "" });
});

test("a device is found even if one with a higher id was committed before it, as with several processes", async () => {
  const late = keyIds["9VJW5-OLDER"] as number;
  for (const [id, deviceId] of [
    [5_000, "came-first-0"],
    [4_999, "came-later-0"],
  ] as const) {
    await panel.database.transaction(
      null,
      ({ sql }) => sql`
        INSERT INTO key_devices (id, key_id, device_id, device_folded, first_connected_at)
        VALUES (${id}, ${late}, ${deviceId}, ${deviceId}, 1)`,
    );
    expect(inShort(await asAdmin(deviceId))).toEqual(["9VJW5-OLDER device"]);
  }
});

test("admins find resellers, exact names first, their keys by username, and tokens by their exact case", async () => {
  const { keys, resellers } = await asAdmin("Night");
  expect(resellers.map(({ username }: { username: string }) => username)).toEqual(["night", "night.owl"]);
  expect(inShort({ keys })).toEqual([
    "FOX-O0O1L owner",
    "XX9VJW5XX owner",
    "9VJW5-OLDER owner",
    "PBGM-A1B2C-D3E4F-9VJW5 owner",
  ]);
  expect(keys.map(({ owner }: { owner: string }) => owner)).toEqual(["night", "night.owl", "night.owl", "night.owl"]);
  const { token } = (await admin.post("/api/admin/tokens/generate")).body.token;
  const found = async (text: string) => (await asAdmin(text)).tokens.map((row: { token: string }) => row.token);
  const swapped = token.replace(/[a-z]/i, (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  expect([await found(token), await found(swapped)]).toEqual([[token], []]);
  expect([await found(`\u200f${token}\u2069`), await found("\u200f\u2069")]).toEqual([[token], []]);
});

test("a reseller finds nothing of other accounts", async () => {
  for (const text of ["FOX-O0O1L", "fox00oii", "a3f1", "night"]) {
    expect(await asSeller(owl, text)).toEqual({ keys: [], resellers: [], tokens: [], orders: [] });
  }
});

test("an order is found by its number, with or without #, by its owner and by admins", async () => {
  const [order] = (await owl.get("/api/reseller/orders")).body;
  const idsOf = ({ orders }: { orders: { id: number }[] }) => orders.map(({ id }) => id);
  // A single digit needs the #, because a search has at least two characters.
  const number = `#${order.id}`;
  expect([idsOf(await asSeller(owl, number)), idsOf(await asAdmin(`0${order.id}`))]).toEqual([[order.id], [order.id]]);
  expect(idsOf(await asSeller(fox, number))).toEqual([]);
});

test("orders are found by their note, the newest first, and after the one with the number", async () => {
  const orders: number[] = [];
  for (const note of ["Für Łukasz", "für ŁUKASZ, again", "Two for Ana"]) {
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
    const { orderId } = (await owl.post("/api/reseller/keys/generate", order)).body;
    await owl.call("PUT", `/api/reseller/orders/${orderId}/note`, { note });
    orders.push(orderId);
  }
  const [first, second, third] = orders as [number, number, number];
  const idsOf = ({ orders }: { orders: { id: number }[] }) => orders.map(({ id }) => id);
  expect([idsOf(await asSeller(owl, "łukasz")), idsOf(await asAdmin("łukasz"))]).toEqual([
    [second, first],
    [second, first],
  ]);
  expect(idsOf(await asSeller(fox, "łukasz"))).toEqual([]);
  await owl.call("PUT", `/api/reseller/orders/${third}/note`, { note: `Like 0${first}, and 0${third}` });
  expect([idsOf(await asSeller(owl, `0${first}`)), idsOf(await asSeller(owl, `0${third}`))]).toEqual([
    [first, third],
    [third],
  ]);
});

test("a key is found by its note", async () => {
  const { body } = await fox.get("/api/reseller/keys");
  await fox.call("PUT", `/api/reseller/keys/${body[0].id}/note`, { note: "For Ümit's cousin" });
  expect(inShort(await asSeller(fox, "COUSIN"))).toEqual(["FOX-O0O1L note"]);
  expect([inShort(await asAdmin("'s cous")), inShort(await asSeller(owl, "cousin"))]).toEqual([["FOX-O0O1L note"], []]);
});

test("new keys are found at once, and at most 8 of many, the latest first", async () => {
  for (let index = 10; index < 20; index += 1) {
    const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 1, keyString: `MANY-${index}-X` };
    await fox.post("/api/reseller/keys/generate", order);
  }
  expect(inShort(await asSeller(fox, "many-1"))).toEqual(
    [19, 18, 17, 16, 15, 14, 13, 12].map((index) => `MANY-${index}-X text`),
  );
});

test("a text is found even if more keys look like it than are compared", async () => {
  const lookAlike = (index: number) => `SAME-0${index.toString(2).replaceAll("0", "o").replaceAll("1", "0")}-${index}`;
  const key = { gameId: 3, deviceLimit: 2, createdAt: 1, expiresAt: 2, ...startedRow };
  await panel.database.transaction(null, async ({ sql }) => {
    for (const keyString of ["SAME-OOOO", ...Array.from({ length: 250 }, (_, index) => lookAlike(index))])
      await insertKey(sql, { ...key, keyString, resellerId: null, createdBy: 1, orderId: null });
  });
  expect(inShort(await asAdmin("same-oooo"))).toEqual(["SAME-OOOO text"]);
  expect(inShort(await asAdmin("5ame"))).toHaveLength(8);
});

test("texts that are too short, too long or blank are a 422, and wildcards are literal", async () => {
  for (const text of ["", "a", " a ", "   ", "\u0000\u0000", "a".repeat(101)]) {
    const { status, body } = await admin.get(`/api/admin/search?q=${encodeURIComponent(text)}`);
    expect([text, status, body.message]).toEqual([text, 422, "q must be 2 to 100 characters"]);
  }
  for (const text of ["%%", "--", "'; DROP", "😀\u0000😀", "__"]) {
    const { status, body } = await admin.get(`/api/admin/search?q=${encodeURIComponent(text)}`);
    expect([text, status, body.resellers]).toEqual([text, 200, []]);
  }
});

test("no search of a fast typist is refused", async () => {
  const typed = ["9v", "9vj", "9vjw", "9vjw5", "9vjw5-o"];
  const responses = await Promise.all(typed.map((q) => owl.get(`/api/reseller/search?q=${q}`)));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(responses.at(-1)?.body.keys.map(({ keyString }: { keyString: string }) => keyString)).toEqual(["9VJW5-OLDER"]);
});
