import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";

let panel: Panel;
let admin: Client;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

const issue = (body: object) => admin.post("/api/admin/tokens/generate", body);
const labelsOf = (tokens: { label: string | null }[]) => tokens.map(({ label }) => label);
const listed = async (search: string) =>
  labelsOf((await admin.get(`/api/admin/tokens?search=${encodeURIComponent(search)}`)).body);
const found = async (text: string) =>
  labelsOf((await admin.get(`/api/admin/search?q=${encodeURIComponent(text)}`)).body.tokens);

test("a token's label is in the list, and every search finds it by any part in any script", async () => {
  const { status, body } = await issue({ credits: 5, label: " for Ana, 100% " });
  expect([status, body.token.label]).toEqual([201, "for Ana, 100%"]);
  await issue({ label: "для Ёжика" });
  await registerReseller(panel.newClient, admin, { username: "night.owl" });
  expect(await listed("")).toEqual([null, "для Ёжика", "for Ana, 100%"]);
  const expected = { "FOR ANA": ["for Ana, 100%"], ＡＮＡ: ["for Ana, 100%"], ёЖИ: ["для Ёжика"], "1%0": [] };
  for (const [text, labels] of Object.entries(expected)) {
    expect([text, await listed(text), await found(text)]).toEqual([text, labels, labels]);
  }
  expect(await listed("OWL")).toEqual([null]);
});

test("an empty label is none; one that is too long or has invisible characters is refused", async () => {
  for (const label of ["", "   ", null]) expect((await issue({ label })).body.token.label).toBeNull();
  expect((await issue({ label: "l".repeat(60) })).status).toBe(201);
  const message = "Label must be one line of at most 60 characters, without invisible ones";
  for (const [label, end] of [
    ["l".repeat(61), ""],
    ["two\nlines", "; it contains U+000A"],
    ["for\u202eAna", "; it contains U+202E"],
  ]) {
    const { status, body } = await issue({ label });
    expect([status, body.errors]).toEqual([422, [{ path: "label", message: message + end }]]);
  }
});

test("a token opens an account with the invisible marks and spaces of a chat, but only in its own case", async () => {
  const { token } = (await issue({})).body.token;
  const register = (referralToken: string) =>
    panel
      .newClient()
      .post("/api/auth/reseller/register", { username: "chatty", password: "a password", referralToken });
  const other = token.replace(/[a-z]/, (letter: string) => letter.toUpperCase());
  expect((await register(other)).body.code).toBe("TOKEN_UNKNOWN");
  expect((await register(`\u2067${token.slice(0, 9)}\u200b\n${token.slice(9)} \u2069`)).status).toBe(201);
  expect(await listed(`\u200f${token}`)).toEqual([null]);
});

test("the audit log does not have the label", async () => {
  await issue({ credits: 2, label: "for the shop in Recife" });
  const [entry] = (await admin.get("/api/admin/audit?action=token_created")).body;
  expect(entry.details).toEqual({ credits: 2 });
});
