import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import {
  type Client,
  createApiKey,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../../../tests/client.ts";
import { connectLive } from "../../../tests/live-socket.ts";
import { openPanel, type Panel } from "../../../tests/panel.ts";
import { msPerDay, msPerMinute, msPerSecond } from "../../core/clock.ts";

const password = "test-reseller-password";
const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
const unknownKey = `lk_${"a".repeat(32)}`;

let panel: Panel;
let admin: Client;
let serial = 0;

beforeAll(async () => {
  panel = await openPanel({ behindProxy: true, refundDays: 7 });
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

function newReseller(credits = 0): Promise<ResellerClient> {
  serial += 1;
  return registerReseller(panel.newClient, admin, { username: `shop${serial}`, credits });
}

/** A program of a new reseller. */
async function newProgram(form: Record<string, unknown>, credits = 0) {
  const owner = await newReseller(credits);
  const key = await createApiKey(owner, "reseller", form);
  return { owner, key, program: withApiKey(panel.newClient(), key) };
}

const codeOf = async (response: Promise<{ status: number; body: { code: string } }>) => {
  const { status, body } = await response;
  return [status, body.code];
};

describe("creating an API key", () => {
  test("shows it once, and keeps only its hash", async () => {
    const owner = await newReseller();
    const form = { name: "Shop", scopes: ["keys:order", "keys:read"], addresses: ["203.0.113.7"], creditsPerDay: 12.5 };
    const { status, body } = await owner.post("/api/reseller/api-keys", { ...form, password, expiresAt: "2026-01-31" });
    const { key, ...row } = body;
    expect(status).toBe(201);
    expect(key).toMatch(/^lk_[A-Za-z0-9]{32}$/);
    expect(row).toEqual({
      ...{ id: row.id, ...form, lastFour: key.slice(-4), createdAt: new Date(panel.clock.now).toISOString() },
      ...{ lastUsedAt: null, expiresAt: "2026-01-31T23:59:59.999Z" },
    });
    expect((await owner.get("/api/reseller/api-keys")).body).toEqual([row]);
    const kept = await panel.database.read<{
      hash: string;
    }>`SELECT key_hash AS hash FROM api_keys WHERE id = ${row.id}`;
    expect(kept).toEqual([{ hash: new Bun.CryptoHasher("sha256").update(key).digest("hex") }]);
  });

  test.each([
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["audit:read"] }, "scopes"],
    [{ scopes: ["verify", "verify"] }, "scopes"],
    [{ name: "" }, "name"],
    [{ name: "a".repeat(65) }, "name"],
    [{ name: "line\nbreak" }, "name"],
    [{ expiresAt: "2025-03-04" }, "expiresAt"],
    [{ expiresAt: "soon" }, "expiresAt"],
    [{ addresses: ["203.0.113.256"] }, "addresses"],
    [{ addresses: Array(21).fill("203.0.113.7") }, "addresses"],
    [{ creditsPerDay: 0.05 }, "creditsPerDay"],
    [{ creditsPerDay: 1.23 }, "creditsPerDay"],
  ])("with %j is refused", async (wrong, path) => {
    const owner = await newReseller();
    const form = { name: "Shop", scopes: ["verify"], password, ...wrong };
    const { status, body } = await owner.post("/api/reseller/api-keys", form);
    expect([status, body.errors?.[0]?.path]).toEqual([422, path]);
  });

  test("needs the password, and the code where two-factor is on", async () => {
    const owner = await newReseller();
    const form = { name: "Shop", scopes: ["verify"], password };
    const create = (given: object) => owner.post("/api/reseller/api-keys", { ...form, ...given });
    expect(await codeOf(create({ password: "wrong-password" }))).toEqual([401, "WRONG_CREDENTIALS"]);
    const { body } = await owner.post("/api/auth/two-factor", { password });
    const totp = URI.parse(body.uri) as TOTP;
    const code = () => totp.generate({ timestamp: panel.clock.now });
    await owner.post("/api/auth/two-factor/confirm", { code: code() });
    panel.clock.now += msPerMinute;
    expect(await codeOf(create({}))).toEqual([401, "SECOND_FACTOR_NEEDED"]);
    expect(await codeOf(create({ code: "000000" }))).toEqual([401, "WRONG_SECOND_FACTOR"]);
    expect((await create({ code: code() })).status).toBe(201);
  });

  test("is refused beyond 20 of an account", async () => {
    const owner = await newReseller();
    for (let made = 0; made < 20; made += 1) await createApiKey(owner, "reseller", { scopes: ["verify"] });
    const form = { name: "Shop", scopes: ["verify"], password };
    expect(await codeOf(owner.post("/api/reseller/api-keys", form))).toEqual([409, "TOO_MANY_API_KEYS"]);
  });

  test("is in the audit log, and so is the name of an API key that made a change", async () => {
    const { owner, program } = await newProgram({ scopes: ["keys:order"], creditsPerDay: 5 }, 10);
    await program.post("/api/reseller/keys/generate", order);
    const [{ id }] = (await owner.get("/api/reseller/api-keys")).body;
    await owner.call("DELETE", `/api/reseller/api-keys/${id}`);
    const entries = (await admin.get(`/api/admin/audit?actor=${owner.username}`)).body;
    expect(entries.slice(0, 3)).toMatchObject([
      { action: "api_key_deleted", target: `API key ${id}`, details: { name: "Shop" } },
      { action: "keys_generated", details: { count: 1, apiKey: "Shop" } },
      {
        action: "api_key_created",
        target: `API key ${id}`,
        details: { name: "Shop", scopes: "keys:order", creditsPerDay: 5 },
      },
    ]);
    expect(entries[2].details).not.toHaveProperty("apiKey");
  });
});

describe("a program", () => {
  test("may do what its scopes allow, and read the catalogue", async () => {
    const { program } = await newProgram({ scopes: ["keys:read"] });
    expect((await program.get("/api/reseller/keys")).status).toBe(200);
    expect((await program.get("/api/catalogue")).status).toBe(200);
    const { status, body } = await program.post("/api/reseller/keys/generate", order);
    expect([status, body]).toEqual([
      403,
      { code: "SCOPE_MISSING", message: "This API key needs the scope keys:order for this call." },
    ]);
  });

  test("may not make the calls of people", async () => {
    const { program } = await newProgram({ scopes: ["keys:read"] });
    const notAllowed = [403, "API_KEY_NOT_ALLOWED"];
    expect(await codeOf(program.get("/api/auth/sessions"))).toEqual(notAllowed);
    expect(await codeOf(program.get("/api/reseller/api-keys"))).toEqual(notAllowed);
    expect(await codeOf(program.post("/api/auth/reseller/login", { username: "a", password: "b" }))).toEqual(
      notAllowed,
    );
    expect(await codeOf(program.post("/api/auth/reseller/register", {}))).toEqual(notAllowed);
    expect(await codeOf(program.post("/api/auth/logout"))).toEqual(notAllowed);
    expect(await codeOf(program.get("/api/admin/stats"))).toEqual([403, "FORBIDDEN"]);
  });

  test("is the API key's, whatever its cookies and origin", async () => {
    const { owner, key } = await newProgram({ scopes: ["keys:order"] }, 10);
    const other = await newReseller(10);
    expect((await withApiKey(other, key).get("/api/auth/session")).body).toEqual({ isAuthenticated: false });
    expect(await codeOf(withApiKey(other, unknownKey).get("/api/reseller/keys"))).toEqual([401, "API_KEY_UNKNOWN"]);
    expect(await codeOf(withApiKey(other, "secret").get("/api/reseller/keys"))).toEqual([401, "API_KEY_UNKNOWN"]);
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://elsewhere.example" };
    const bought = await withApiKey(other, key).post("/api/reseller/keys/generate", order, elsewhere);
    expect(bought.status).toBe(201);
    expect((await owner.get("/api/reseller/keys")).body).toHaveLength(1);
    const basic = { authorization: "Basic YTpi" };
    expect((await other.call("GET", "/api/reseller/keys", undefined, basic)).body).toEqual([]);
  });

  test("is checked on public calls too, if its token is one of an API key", async () => {
    const { program } = await newProgram({ scopes: ["keys:read"] });
    expect((await program.get("/api/updates")).status).toBe(200);
    const client = panel.newClient();
    expect(await codeOf(withApiKey(client, unknownKey).get("/api/updates"))).toEqual([401, "API_KEY_UNKNOWN"]);
    expect((await withApiKey(client, "secret").get("/api/updates")).status).toBe(200);
  });

  test("opens no live channel and no page", async () => {
    const { owner, key } = await newProgram({ scopes: ["keys:read"] });
    const page = await withApiKey(owner, key).get("/reseller");
    expect([page.status, page.headers.get("location")]).toEqual([302, "/#to=%2Freseller"]);
    const url = `http://127.0.0.1:${panel.app.server?.port}`;
    const authorization = { authorization: `Bearer ${key}` };
    for (const headers of [authorization, { ...authorization, cookie: owner.cookie() }]) {
      const socket = await connectLive(url, headers);
      socket.send({ type: "auth", resellerId: owner.id });
      expect(await socket.closed).toEqual({ code: 1008 });
    }
  });

  test("shows at most a minute later when it was used", async () => {
    const { owner, program } = await newProgram({ scopes: ["keys:read"] });
    await program.get("/api/reseller/keys");
    await panel.server.apiKeys.writeUses();
    const [{ lastUsedAt }] = (await owner.get("/api/reseller/api-keys")).body;
    expect(lastUsedAt).toBe(new Date(panel.clock.now).toISOString());
  });

  test("of an admin finds in a search only what its scopes cover", async () => {
    const owner = await newReseller(10);
    await owner.post("/api/reseller/keys/generate", order);
    await admin.post("/api/admin/tokens/generate", { label: owner.username });
    const [{ token }] = (await admin.get("/api/admin/tokens?limit=1")).body;
    const found = async (scopes: string[]) => {
      const program = withApiKey(panel.newClient(), await createApiKey(admin, "admin", { scopes }));
      const [byName, byToken] = [
        (await program.get(`/api/admin/search?q=${owner.username}`)).body,
        (await program.get(`/api/admin/search?q=${token}`)).body,
      ];
      return [byName.keys.length, byName.resellers.length, byToken.tokens.length];
    };
    expect(await found(["keys:read"])).toEqual([1, 0, 0]);
    expect(await found(["keys:read", "resellers:read", "tokens:manage"])).toEqual([1, 1, 1]);
  });
});

describe("an API key is refused at once", () => {
  test("after it was deleted", async () => {
    const { owner, program } = await newProgram({ scopes: ["keys:read"] });
    const [{ id }] = (await owner.get("/api/reseller/api-keys")).body;
    expect((await (await newReseller()).call("DELETE", `/api/reseller/api-keys/${id}`)).status).toBe(404);
    expect((await program.get("/api/reseller/keys")).status).toBe(200);
    await owner.call("DELETE", `/api/reseller/api-keys/${id}`);
    expect(await codeOf(program.get("/api/reseller/keys"))).toEqual([401, "API_KEY_UNKNOWN"]);
  });

  test("after its expiry", async () => {
    const { program } = await newProgram({
      scopes: ["keys:read"],
      expiresAt: new Date(panel.clock.now + 1000).toISOString(),
    });
    expect((await program.get("/api/reseller/keys")).status).toBe(200);
    panel.clock.now += msPerSecond;
    expect(await codeOf(program.get("/api/reseller/keys"))).toEqual([401, "API_KEY_EXPIRED"]);
  });

  test("from another address", async () => {
    const owner = await newReseller();
    const key = await createApiKey(owner, "reseller", {
      scopes: ["keys:read"],
      addresses: ["203.0.113.0/24", "2001:db8::7"],
    });
    const read = (address: string) => withApiKey(panel.newClient(address), key).get("/api/reseller/keys");
    expect((await read("203.0.113.9")).status).toBe(200);
    expect((await read("2001:db8::7")).status).toBe(200);
    expect(await codeOf(read("203.0.114.1"))).toEqual([403, "ADDRESS_NOT_ALLOWED"]);
    expect(await codeOf(read("2001:db8::8"))).toEqual([403, "ADDRESS_NOT_ALLOWED"]);
  });

  test("after a suspension or a password reset, for good", async () => {
    for (const [path, body] of [
      ["toggle-status", { isActive: false }],
      ["password", undefined],
    ] as const) {
      const { owner, program } = await newProgram({ scopes: ["keys:read"] });
      await admin.post(`/api/admin/resellers/${owner.id}/${path}`, body);
      await admin.post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive: true });
      expect(await codeOf(program.get("/api/reseller/keys"))).toEqual([401, "API_KEY_UNKNOWN"]);
    }
  });

  test("but not after a change of one's own password", async () => {
    const { owner, program } = await newProgram({ scopes: ["keys:read"] });
    await owner.post("/api/auth/password", { currentPassword: password, newPassword: "another-password" });
    expect((await program.get("/api/reseller/keys")).status).toBe(200);
  });
});

describe("credits a day", () => {
  test("50 parallel orders spend exactly the limit, and refunds give nothing of it back", async () => {
    const { owner, program } = await newProgram({ scopes: ["keys:order"], creditsPerDay: 7 }, 100);
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => program.post("/api/reseller/keys/generate", order)),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(7);
    const refused = responses.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(["429 CREDITS_PER_DAY_SPENT"]),
    );
    const untilMidnight = (msPerDay - (panel.clock.now % msPerDay)) / msPerSecond;
    expect(Number(refused[0]?.headers.get("retry-after"))).toBe(Math.ceil(untilMidnight));
    expect((await owner.get("/api/reseller/profile")).body.credits).toBe(93);
    const [bought] = responses.filter(({ status }) => status === 201).map(({ body }) => body.keys[0]);
    expect((await owner.post(`/api/reseller/keys/${bought.id}/revoke`)).body.refund).toBe(1);
    expect(await codeOf(program.post("/api/reseller/keys/generate", order))).toEqual([429, "CREDITS_PER_DAY_SPENT"]);
  });

  test("count extensions, start again with the UTC day, and bind neither people nor other API keys", async () => {
    const { owner, program } = await newProgram({ scopes: ["keys:order"], creditsPerDay: 2 }, 100);
    const { id } = (await program.post("/api/reseller/keys/generate", order)).body.keys[0];
    expect((await program.post(`/api/reseller/keys/${id}/extend`, { days: 10 })).status).toBe(200);
    const extend = () => codeOf(program.post(`/api/reseller/keys/${id}/extend`, { days: 5 }));
    expect(await extend()).toEqual([429, "CREDITS_PER_DAY_SPENT"]);
    expect((await owner.post("/api/reseller/keys/generate", order)).status).toBe(201);
    const other = withApiKey(panel.newClient(), await createApiKey(owner, "reseller", { scopes: ["keys:order"] }));
    expect((await other.post("/api/reseller/keys/generate", order)).status).toBe(201);
    panel.clock.now += msPerDay - (panel.clock.now % msPerDay);
    expect((await extend())[0]).toBe(200);
  });
});
