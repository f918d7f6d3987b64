import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type Client,
  createApiKey,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf } from "../core/clock.ts";

const server = "203.0.113.7";

let panel: Panel;
let admin: Client;
let serial = 0;
beforeAll(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
  admin = await signInAdmin(panel.newClient);
});
afterAll(() => panel.close());

async function newReseller(): Promise<ResellerClient> {
  serial += 1;
  const newClient = () => panel.newClient(`198.51.100.${serial}`);
  return registerReseller(newClient, admin, { username: `studio${serial}`, credits: 10 });
}

const keyOf = async (owner: Client, deviceLimit = 1): Promise<string> => {
  const order = { game: "FREE FIRE", deviceLimit, days: 5, count: 1 };
  return (await owner.post("/api/reseller/keys/generate", order)).body.keys[0].keyString;
};
const programOf = async (owner: Client, role: "admin" | "reseller" = "reseller", address = server) =>
  withApiKey(panel.newClient(address), await createApiKey(owner, role, { scopes: ["verify"] }));

const ask = async (client: Client, key: string, deviceId = "phone") => {
  const { status, body } = await client.post("/api/verify", { key, deviceId, game: "FREE FIRE" });
  return `${status} ${body.code}`;
};
const look = async (client: Client, key: string) => {
  const { status, body } = await client.get(`/api/verify/${key}/FREE%20FIRE/phone`);
  return `${status} ${body.code}`;
};
const free = async (client: Client, key: string, ref = "unknown") => {
  const { status, body } = await client.post("/api/verify/release", { key, game: "FREE FIRE", ref });
  return `${status} ${body.code ?? "RELEASED"}`;
};

test("a reseller's program finds only that reseller's keys, an admin's finds all", async () => {
  const [owner, other] = [await newReseller(), await newReseller()];
  const key = await keyOf(owner);
  // It is cached for players, who may have it.
  expect(await ask(panel.newClient(), key)).toBe("200 VALID");
  expect(await ask(panel.newClient(), key)).toBe("200 VALID");
  for (const [program, code] of [
    [await programOf(owner), "VALID"],
    [await programOf(other), "NOT_FOUND"],
    [await programOf(admin, "admin"), "VALID"],
  ] as const) {
    expect([await ask(program, key), await look(program, key)]).toEqual([`200 ${code}`, `200 ${code}`]);
  }
  const free = await keyOf(owner);
  expect(await ask(await programOf(other), free)).toBe("200 NOT_FOUND");
  expect(await ask(await programOf(owner), free)).toBe("200 VALID");
});

test("a program frees devices of the keys that it finds, and of no others", async () => {
  await admin.call("PUT", "/api/admin/games/3", { release: { isAllowed: true, cooldownHours: 0 } });
  const [owner, other] = [await newReseller(), await newReseller()];
  for (const program of [await programOf(owner), await programOf(admin, "admin")]) {
    const key = await keyOf(owner);
    await ask(program, key, "phone");
    const { body } = await program.post("/api/verify", { key, deviceId: "tablet", game: "FREE FIRE" });
    const ref = body.release.devices[0].ref;
    expect(await free(await programOf(other), key, ref)).toBe("404 NOT_FOUND");
    expect(await ask(program, key, "tablet")).toBe("200 DEVICE_LIMIT_REACHED");
    expect(await free(program, key, ref)).toBe("200 RELEASED");
    expect(await ask(program, key, "tablet")).toBe("200 VALID");
  }
});

test("unknown keys count for the account, whatever its API keys: 600 in 10 minutes", async () => {
  const owner = await newReseller();
  const key = await keyOf(owner);
  const [one, two] = [await programOf(owner), await programOf(owner)];
  const responses = await Promise.all(
    Array.from({ length: 600 }, (_, index) =>
      index % 2 === 0 ? ask(one, `MISS-${index}`) : free(two, `MISS-${index}`),
    ),
  );
  expect(new Set(responses)).toEqual(new Set(["200 NOT_FOUND", "404 NOT_FOUND"]));
  const { status, headers, body } = await two.post("/api/verify", { key: "MISS", deviceId: "a", game: "FREE FIRE" });
  expect([status, headers.get("retry-after"), body]).toEqual([
    429,
    "600",
    {
      ...{ valid: false, code: "TOO_MANY_TRIES" },
      message: "Your programs looked up too many unknown keys. Please try again later.",
    },
  ]);
  expect(await look(one, "MISS")).toBe("429 TOO_MANY_TRIES");
  expect(await free(one, "MISS")).toBe("429 TOO_MANY_TRIES");
  expect(await ask(one, key)).toBe("200 VALID");
  // Neither players at the same address nor other accounts are affected.
  expect(await ask(panel.newClient(server), "MISS")).toBe("200 NOT_FOUND");
  expect(await free(panel.newClient(server), "MISS")).toBe("404 NOT_FOUND");
  expect(await ask(await programOf(await newReseller()), "MISS")).toBe("200 NOT_FOUND");
});

test("a server connects as many new devices as the key has slots", async () => {
  const owner = await newReseller();
  const key = await keyOf(owner, 100);
  const program = await programOf(owner);
  for (let device = 0; device < 15; device += 1) expect(await ask(program, key, `device-${device}`)).toBe("200 VALID");
});

test("an API key that may not verify is refused with valid: false, before the call is looked at", async () => {
  const owner = await newReseller();
  const key = await createApiKey(owner, "reseller", { scopes: ["keys:read"] });
  const without = withApiKey(panel.newClient(), key);
  const unknown = withApiKey(panel.newClient(), `lk_${"a".repeat(32)}`);
  for (const path of ["/api/verify", "/api/verify/release"]) {
    expect((await without.post(path, {})).body).toEqual({
      ...{ valid: false, code: "SCOPE_MISSING" },
      message: "This API key needs the scope verify for this call.",
    });
    expect((await unknown.post(path, {})).body).toMatchObject({ valid: false, code: "API_KEY_UNKNOWN" });
  }
  expect(await look(without, "MISS")).toBe("403 SCOPE_MISSING");
  expect(await look(unknown, "MISS")).toBe("401 API_KEY_UNKNOWN");
  // It is another's token, which a proxy may add.
  expect(await ask(withApiKey(panel.newClient(), "secret"), "MISS")).toBe("200 NOT_FOUND");
});

test.each([
  ["is sent from a foreign address", "403 ADDRESS_NOT_ALLOWED", () => {}],
  ["has expired", "401 API_KEY_EXPIRED", () => (panel.clock.now += 1_000)],
  ["was deleted", "401 API_KEY_UNKNOWN", (owner, id) => owner.call("DELETE", `/api/reseller/api-keys/${id}`)],
  [
    "is that of a suspended reseller",
    "401 API_KEY_UNKNOWN",
    (owner) => admin.post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive: false }),
  ],
] as [string, string, (owner: ResellerClient, apiKeyId: number) => unknown][])(
  "an API key that %s verifies and frees nothing, not even a cached key",
  async (name, refused, end) => {
    const owner = await newReseller();
    const key = await keyOf(owner);
    const addresses = name.includes("address") ? ["192.0.2.0/24"] : [server];
    const form = { scopes: ["verify"], addresses, expiresAt: isoOf(panel.clock.now + 1_000) };
    const program = withApiKey(panel.newClient(server), await createApiKey(owner, "reseller", form));
    for (const _ of [1, 2]) expect(await ask(panel.newClient(), key)).toBe("200 VALID");
    const [{ id }] = (await owner.get("/api/reseller/api-keys")).body;
    await end(owner, id);
    expect([await ask(program, key), await look(program, key), await free(program, key)]).toEqual(
      Array(3).fill(refused),
    );
    expect((await program.post("/api/verify", {})).body.valid).toBe(false);
    expect(await ask(panel.newClient(), key)).toBe("200 VALID");
  },
);
