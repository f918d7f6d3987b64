import { afterAll, beforeAll, expect, test } from "bun:test";
import { unzipSync } from "fflate";
import { type TOTP, URI } from "otpauth";
import { type Client, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { adminLogin } from "../../tests/process.ts";
import { isoOf, msPerHour } from "../core/clock.ts";

let panel: Panel;
let admin: Client;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  const seller = await registerReseller(panel.newClient, admin, {
    username: `quote"s`.replace('"', "_"),
    credits: 900,
  });
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 100 };
  for (let batch = 0; batch < 12; batch += 1) await seller.post("/api/reseller/keys/generate", order);
  const { body } = await seller.get("/api/reseller/keys?limit=1");
  const device = { key: body[0].keyString, deviceId: `phone"with'quotes`, deviceName: "Pixel 8", game: "FREE FIRE" };
  await panel.newClient().post("/api/verify", device);
  const { body: setup } = await admin.post("/api/auth/two-factor", { password: adminLogin.password });
  const code = URI.parse(setup.uri) as TOTP;
  await admin.post("/api/auth/two-factor/confirm", { code: code.generate({ timestamp: panel.clock.now }) });
});
afterAll(() => panel.close());

/** Returns the raw response, because the tests' client reads text and the archive is binary. */
async function bytesOf(path: string) {
  const response = await panel.app.fetch(
    new Request(`http://localhost${path}`, { headers: { cookie: admin.cookie() } }),
  );
  return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

test("collections have row counts, sizes and the time of the last change", async () => {
  const { body } = await admin.get("/api/admin/backup/collections");
  const keys = body.find(({ name }: { name: string }) => name === "license_keys");
  expect(keys).toEqual({
    name: "license_keys",
    count: 1_200,
    size: expect.any(Number),
    modified: "2025-03-05T14:30:00.000Z",
  });
  const { bytes } = await bytesOf("/api/admin/backup/download/license_keys");
  expect(keys.size / bytes.length).toBeWithin(0.5, 2);
  expect(body.find(({ name }: { name: string }) => name === "key_events")).toMatchObject({
    count: 0,
    size: 0,
    modified: null,
  });
});

test("a download is a JSON file of every row, under the collection's name", async () => {
  const { headers, bytes } = await bytesOf("/api/admin/backup/download/license_keys");
  expect(headers.get("content-disposition")).toBe('attachment; filename="license_keys.json"');
  const rows = JSON.parse(new TextDecoder().decode(bytes));
  expect(rows).toHaveLength(1_200);
  expect(rows[0]).toMatchObject({ game: "FREE FIRE", createdAt: "2025-03-05T14:30:00.000Z", revokedAt: null });
  const devices = await bytesOf("/api/admin/backup/download/key_devices");
  expect(JSON.parse(new TextDecoder().decode(devices.bytes))).toEqual([
    expect.objectContaining({ name: "Pixel 8", lastSeen: "2025-03-05", firstConnectedAt: "2025-03-05T14:30:00.000Z" }),
  ]);
  const empty = await bytesOf("/api/admin/backup/download/key_events");
  expect(JSON.parse(new TextDecoder().decode(empty.bytes))).toEqual([]);
});

test.each([
  "sessions",
  "accounts",
  "known_addresses",
  "signing_keys",
  "two_factor",
  "recovery_codes",
  "idempotency_keys",
  "sqlite_schema",
  "..%2Fsecret",
])("%s cannot be downloaded", async (name) => {
  expect((await admin.get(`/api/admin/backup/download/${name}`)).status).toBe(404);
});

test("the archive has every collection, with correct counts and checksums in its manifest", async () => {
  const { headers, bytes } = await bytesOf("/api/admin/backup/download-all");
  expect(headers.get("content-disposition")).toBe('attachment; filename="latchkey-backup-2025-03-05T14-30-00Z.zip"');
  const files = unzipSync(bytes);
  const manifest = JSON.parse(new TextDecoder().decode(files["manifest.json"]));
  const { body: collections } = await admin.get("/api/admin/backup/collections");
  expect(manifest.collections.map(({ name }: { name: string }) => name)).toEqual(
    collections.map(({ name }: { name: string }) => name),
  );
  for (const { file, count, sha256 } of manifest.collections) {
    const content = files[file] as Uint8Array;
    expect(JSON.parse(new TextDecoder().decode(content))).toHaveLength(count);
    expect(new Bun.CryptoHasher("sha256").update(content).digest("hex")).toBe(sha256);
  }
});

test("a download shows only the beginning of unused tokens, and used ones in full", async () => {
  const unused = (await admin.post("/api/admin/tokens/generate", { credits: 5, label: "for Ana" })).body.token.token;
  const { bytes } = await bytesOf("/api/admin/backup/download/referral_tokens");
  const rows: { token: string; usedBy: number | null; label: string }[] = JSON.parse(new TextDecoder().decode(bytes));
  expect(rows.filter(({ usedBy }) => usedBy === null).map(({ token, label }) => [token, label])).toEqual([
    [`${unused.slice(0, 6)}…`, "for Ana"],
  ]);
  for (const { token } of rows.filter(({ usedBy }) => usedBy !== null)) expect(token).toMatch(/^[\w-]{20,}$/);
  const all = await bytesOf("/api/admin/backup/download-all");
  for (const content of Object.values(unzipSync(all.bytes)))
    expect(new TextDecoder().decode(content)).not.toContain(unused);
});

test("downloads contain no secrets", async () => {
  const { bytes } = await bytesOf("/api/admin/backup/download-all");
  const everything = Object.values(unzipSync(bytes))
    .map((content) => new TextDecoder().decode(content))
    .join("");
  const secrets = await panel.database.read<{ secret: string }>`
    SELECT password_hash AS secret FROM accounts UNION SELECT secret FROM sessions UNION SELECT address FROM sessions
    UNION SELECT address FROM known_addresses UNION SELECT sealed_secret FROM two_factor UNION SELECT sealed_secret FROM signing_keys
    UNION SELECT code_hash FROM recovery_codes`;
  expect(secrets.length).toBeGreaterThan(13);
  for (const { secret } of secrets) expect(everything).not.toContain(secret);
  expect(everything).not.toContain("argon2");
});

test("interventions are a collection, and what they change counts as a change of the keys", async () => {
  panel.clock.now += msPerHour;
  const at = isoOf(panel.clock.now);
  const form = { kind: "compensate", scope: { gameId: 3 }, hours: 24, reason: "Outage", dryRun: false };
  await admin.post("/api/admin/interventions", form);
  await panel.server.interventionWork.run();
  const { body } = await admin.get("/api/admin/backup/collections");
  const modified = Object.fromEntries(
    body.map((each: { name: string; modified: string }) => [each.name, each.modified]),
  );
  expect(modified).toMatchObject({ license_keys: at, interventions: at, orders: "2025-03-05T14:30:00.000Z" });
  const { bytes } = await bytesOf("/api/admin/backup/download/interventions");
  const [intervention] = JSON.parse(new TextDecoder().decode(bytes));
  const done = { game: "FREE FIRE", resellerId: null, hours: 24, sinceAt: null, reason: "Outage", createdAt: at };
  expect(intervention).toMatchObject({ ...done, keyCount: 1_200, doneCount: 1_200, state: "finished" });
});
