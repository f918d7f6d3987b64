import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { adminRights, adminScopes, resellerRights, resellerScopes } from "../../src/accounts/scopes.ts";
import {
  type Client,
  createApiKey,
  createClient,
  createStaff,
  type ResellerClient,
  registerReseller,
  type StaffClient,
  signInAdmin,
  withApiKey,
} from "../client.ts";
import { testServer } from "../database.ts";
import { openPanel, type Panel } from "../panel.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

/** A mark that identifies all keys of a list that was still empty. */
const mark = Buffer.from("[0,9999999,false]").toString("base64url");

const staffForm = { username: "helper", rights: ["keys:read"], password: "wrong-password" };

const shopLink = {
  ...{ name: "Shop", game: "FREE FIRE", durationId: 4, deviceLimit: 1, saleId: ["id"], password: "wrong-password" },
};
const blockedDevice = { deviceId: "a-cheater", reason: "Cheating" };

const webhook = { kind: "standard", url: "https://example.com", events: ["order.created"] };

/**
 * The status of every API call for every caller. The test fails if /swagger documents a call that is missing here.
 * Columns: an anonymous client, the reseller that owns `{id}`, another reseller, a suspended reseller's old cookie, an
 * admin; and the scope with which a program may make the call, if any. `{key}` is a key of the first reseller, `{device}` a device on it, `{reseller}` the first reseller, `{update}`
 * an update.
 */
const table: [
  call: string,
  body: unknown,
  anonymous: number,
  owner: number,
  other: number,
  suspended: number,
  admin: number,
  scope: string | null,
][] = [
  ["GET /api/auth/session", undefined, 200, 200, 200, 200, 200, null],
  ["POST /api/auth/{role}/login", { username: "nobody", password: "wrong-password" }, 401, 401, 401, 401, 401, null],
  ["POST /api/auth/logout", undefined, 200, 200, 200, 200, 200, null],
  [
    "POST /api/auth/reseller/register",
    { username: "someone", password: "secret1", referralToken: "unknown" },
    422,
    422,
    422,
    422,
    422,
    null,
  ],
  [
    "POST /api/auth/password",
    { currentPassword: "wrong-password", newPassword: "secret1" },
    401,
    401,
    401,
    401,
    401,
    null,
  ],
  ["GET /api/auth/sessions", undefined, 401, 200, 200, 401, 200, null],
  ["DELETE /api/auth/sessions", undefined, 401, 200, 200, 401, 200, null],
  ["DELETE /api/auth/sessions/{id}", undefined, 401, 404, 404, 401, 404, null],
  ["GET /api/auth/two-factor", undefined, 401, 200, 200, 401, 200, null],
  ["POST /api/auth/two-factor", { password: "wrong-password" }, 401, 401, 401, 401, 401, null],
  ["POST /api/auth/two-factor/confirm", { code: "123456" }, 401, 409, 409, 401, 409, null],
  ["DELETE /api/auth/two-factor", { password: "wrong-password" }, 401, 401, 401, 401, 401, null],
  ["GET /api/admin/api-keys", undefined, 401, 403, 403, 401, 200, null],
  [
    "POST /api/admin/api-keys",
    { name: "Shop", scopes: ["verify"], password: "wrong-password" },
    401,
    403,
    403,
    401,
    401,
    null,
  ],
  ["DELETE /api/admin/api-keys/{id}", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/reseller/api-keys", undefined, 401, 200, 200, 401, 403, null],
  [
    "POST /api/reseller/api-keys",
    { name: "Shop", scopes: ["verify"], password: "wrong-password" },
    401,
    401,
    401,
    401,
    403,
    null,
  ],
  ["DELETE /api/reseller/api-keys/{id}", undefined, 401, 404, 404, 401, 403, null],
  ["GET /api/admin/staff", undefined, 401, 403, 403, 401, 200, null],
  ["POST /api/admin/staff", staffForm, 401, 403, 403, 401, 401, null],
  ["PUT /api/admin/staff/{id}", { isActive: false }, 401, 403, 403, 401, 404, null],
  ["DELETE /api/admin/staff/{id}", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/staff/{id}/password", { password: "wrong-password" }, 401, 403, 403, 401, 401, null],
  ["GET /api/reseller/staff", undefined, 401, 200, 200, 401, 403, null],
  ["POST /api/reseller/staff", staffForm, 401, 401, 401, 401, 403, null],
  ["PUT /api/reseller/staff/{id}", { isActive: false }, 401, 404, 404, 401, 403, null],
  ["DELETE /api/reseller/staff/{id}", undefined, 401, 404, 404, 401, 403, null],
  ["POST /api/reseller/staff/{id}/password", { password: "wrong-password" }, 401, 401, 401, 401, 403, null],
  ["GET /api/admin/webhooks", undefined, 401, 403, 403, 401, 200, null],
  ["POST /api/admin/webhooks", webhook, 401, 403, 403, 401, 201, null],
  ["PUT /api/admin/webhooks/{id}", {}, 401, 403, 403, 401, 404, null],
  ["DELETE /api/admin/webhooks/{id}", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/webhooks/{id}/rotate", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/webhooks/{id}/test", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/admin/webhooks/{id}/deliveries", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/resend", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/reseller/webhooks", undefined, 401, 200, 200, 401, 403, null],
  ["POST /api/reseller/webhooks", webhook, 401, 201, 201, 401, 403, null],
  ["PUT /api/reseller/webhooks/{id}", {}, 401, 404, 404, 401, 403, null],
  ["DELETE /api/reseller/webhooks/{id}", undefined, 401, 404, 404, 401, 403, null],
  ["POST /api/reseller/webhooks/{id}/rotate", undefined, 401, 404, 404, 401, 403, null],
  ["POST /api/reseller/webhooks/{id}/test", undefined, 401, 404, 404, 401, 403, null],
  ["GET /api/reseller/webhooks/{id}/deliveries", undefined, 401, 404, 404, 401, 403, null],
  ["POST /api/reseller/webhooks/{id}/deliveries/{deliveryId}/resend", undefined, 401, 404, 404, 401, 403, null],
  ["GET /api/admin/shop-links", undefined, 401, 403, 403, 401, 200, null],
  ["POST /api/admin/shop-links", shopLink, 401, 403, 403, 401, 401, null],
  ["PUT /api/admin/shop-links/{id}", {}, 401, 403, 403, 401, 404, null],
  ["DELETE /api/admin/shop-links/{id}", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/shop-links/{id}/secret", { password: "wrong-password" }, 401, 403, 403, 401, 401, null],
  ["GET /api/admin/shop-links/{id}/sales", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/reseller/shop-links", undefined, 401, 200, 200, 401, 403, null],
  ["POST /api/reseller/shop-links", shopLink, 401, 401, 401, 401, 403, null],
  ["PUT /api/reseller/shop-links/{id}", {}, 401, 404, 404, 401, 403, null],
  ["DELETE /api/reseller/shop-links/{id}", undefined, 401, 404, 404, 401, 403, null],
  ["POST /api/reseller/shop-links/{id}/secret", { password: "wrong-password" }, 401, 401, 401, 401, 403, null],
  ["GET /api/reseller/shop-links/{id}/sales", undefined, 401, 404, 404, 401, 403, null],
  ["POST /api/shop/{ref}", {}, 404, 404, 404, 404, 404, null],
  ["GET /api/catalogue", undefined, 401, 200, 200, 401, 200, "any"],
  ["GET /api/games", undefined, 401, 200, 200, 401, 200, "any"],
  ["GET /api/admin/games", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["POST /api/admin/games", { name: "Chess" }, 401, 403, 403, 401, 201, null],
  ["PUT /api/admin/games/{id}", { isRetired: false }, 401, 403, 403, 401, 200, null],
  ["GET /api/admin/durations", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["POST /api/admin/durations", { label: "An hour", hours: 1 }, 401, 403, 403, 401, 201, null],
  ["PUT /api/admin/durations/{id}", { isRetired: false }, 401, 403, 403, 401, 200, null],
  ["GET /api/admin/price-lists", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["POST /api/admin/price-lists", { name: "Friends" }, 401, 403, 403, 401, 201, null],
  ["PUT /api/admin/price-lists/{id}", { name: "Standard" }, 401, 403, 403, 401, 200, null],
  ["PUT /api/admin/resellers/{id}/price-list", { priceListId: 1 }, 401, 403, 403, 401, 200, "resellers:manage"],
  ["GET /api/admin/stats", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["GET /api/admin/resellers", undefined, 401, 403, 403, 401, 200, "resellers:read"],
  [
    "POST /api/admin/resellers/credits",
    { resellerId: "{reseller}", amount: 1 },
    401,
    403,
    403,
    401,
    200,
    "resellers:manage",
  ],
  [
    "POST /api/admin/resellers/{id}/credits/take-back",
    { ledgerId: 999_999 },
    401,
    403,
    403,
    401,
    404,
    "resellers:manage",
  ],
  ["POST /api/admin/resellers/{id}/toggle-status", { isActive: true }, 401, 403, 403, 401, 200, "resellers:manage"],
  ["GET /api/admin/resellers/{id}", undefined, 401, 403, 403, 401, 200, "resellers:read"],
  ["GET /api/admin/resellers/{id}/keys", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/admin/resellers/{id}/ledger", undefined, 401, 403, 403, 401, 200, "credits:read"],
  ["POST /api/admin/resellers/{id}/password", undefined, 401, 403, 403, 401, 200, null],
  ["DELETE /api/admin/resellers/{id}/sessions", undefined, 401, 403, 403, 401, 200, null],
  [
    "POST /api/admin/keys/generate",
    { game: "FREE FIRE", deviceLimit: 5, expiryDate: "{tomorrow}", count: 1 },
    401,
    403,
    403,
    401,
    201,
    "keys:order",
  ],
  ["GET /api/admin/keys/manage", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["POST /api/admin/keys/reset-devices", undefined, 401, 403, 403, 401, 200, "keys:manage"],
  ["GET /api/admin/keys/{id}/details", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/admin/keys/{id}/timeline", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/admin/blocked-devices", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["POST /api/admin/blocked-devices", blockedDevice, 401, 403, 403, 401, 201, "keys:manage"],
  ["DELETE /api/admin/blocked-devices/{id}", undefined, 401, 403, 403, 401, 404, "keys:manage"],
  ["POST /api/admin/keys/{id}/devices/{deviceId}/remove", undefined, 401, 403, 403, 401, 200, "keys:manage"],
  ["POST /api/admin/keys/{id}/devices/remove-all", undefined, 401, 403, 403, 401, 200, "keys:manage"],
  ["GET /api/admin/shared-keys", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["DELETE /api/admin/keys/{id}", undefined, 401, 403, 403, 401, 200, "keys:manage"],
  ["PUT /api/admin/keys/{id}/note", { note: "Tournament" }, 401, 403, 403, 401, 404, "keys:manage"],
  ["POST /api/admin/keys/{id}/extend", { hours: 24 }, 401, 403, 403, 401, 200, "keys:order"],
  ["PUT /api/admin/keys/{id}/device-limit", { deviceLimit: 5 }, 401, 403, 403, 401, 200, "keys:order"],
  ["POST /api/admin/keys/selected/extend", { mark, count: 999, hours: 24 }, 401, 403, 403, 401, 409, "keys:order"],
  ["POST /api/admin/keys/selected", {}, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/admin/export", undefined, 401, 403, 403, 401, 200, null],
  ["POST /api/admin/keys/selected/download", { format: "txt" }, 401, 403, 403, 401, 200, null],
  ["POST /api/admin/keys/selected/revoke", { mark, count: 999 }, 401, 403, 403, 401, 409, "keys:manage"],
  [
    "PUT /api/admin/keys/selected/note",
    { mark, count: 999, note: "Tournament" },
    401,
    403,
    403,
    401,
    200,
    "keys:manage",
  ],
  ["POST /api/admin/keys/{id}/pause", undefined, 401, 403, 403, 401, 200, "keys:manage"],
  ["POST /api/admin/keys/{id}/resume", undefined, 401, 403, 403, 401, 200, "keys:manage"],
  ["POST /api/admin/keys/{id}/replace", {}, 401, 403, 403, 401, 200, "keys:manage"],
  ["GET /api/admin/interventions", undefined, 401, 403, 403, 401, 200, null],
  [
    "POST /api/admin/interventions",
    { kind: "pause", scope: { all: true }, reason: "Outage", dryRun: true },
    401,
    403,
    403,
    401,
    200,
    null,
  ],
  ["POST /api/admin/interventions/{id}/undo", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/admin/pauses", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/reseller/pauses", undefined, 401, 200, 200, 401, 403, "keys:read"],
  ["GET /api/admin/imports", undefined, 401, 403, 403, 401, 200, null],
  ["GET /api/admin/imports/{id}/causes", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/imports", undefined, 401, 403, 403, 401, 415, null],
  ["GET /api/admin/imports/{id}", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/admin/imports/{id}/report", undefined, 401, 403, 403, 401, 404, null],
  ["POST /api/admin/imports/{id}/undo", undefined, 401, 403, 403, 401, 404, null],
  ["GET /api/admin/orders", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/admin/orders/{id}", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["PUT /api/admin/orders/{id}/note", { note: "Tournament" }, 401, 403, 403, 401, 404, "keys:manage"],
  ["POST /api/admin/orders/{id}/revoke-unused", { count: 100 }, 401, 403, 403, 401, 409, "keys:manage"],
  ["GET /api/admin/resellers/{id}/orders", undefined, 401, 403, 403, 401, 200, "keys:read"],
  ["GET /api/admin/tokens", undefined, 401, 403, 403, 401, 200, "tokens:manage"],
  ["POST /api/admin/tokens/generate", undefined, 401, 403, 403, 401, 201, "tokens:manage"],
  ["DELETE /api/admin/tokens/{id}", undefined, 401, 403, 403, 401, 404, "tokens:manage"],
  ["GET /api/admin/online-updates", undefined, 401, 403, 403, 401, 200, "updates:manage"],
  ["POST /api/admin/online-updates", { title: "News", message: "Hello" }, 401, 403, 403, 401, 201, "updates:manage"],
  [
    "PUT /api/admin/online-updates/{id}",
    { title: "News", message: "Hello" },
    401,
    403,
    403,
    401,
    200,
    "updates:manage",
  ],
  ["DELETE /api/admin/online-updates/{id}", undefined, 401, 403, 403, 401, 200, "updates:manage"],
  ["GET /api/admin/condition", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["GET /api/admin/figures", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["GET /api/admin/search", undefined, 401, 403, 403, 401, 422, "keys:read"],
  ["GET /api/admin/audit", undefined, 401, 403, 403, 401, 200, "audit:read"],
  ["GET /api/admin/backup/backups", undefined, 401, 403, 403, 401, 200, null],
  // Latchkey makes no backups on PostgreSQL.
  ["POST /api/admin/backup/backups", undefined, 401, 403, 403, 401, testServer ? 409 : 200, null],
  ["GET /api/admin/backup/collections", undefined, 401, 403, 403, 401, 200, null],
  ["GET /api/admin/backup/download/{name}", undefined, 401, 403, 403, 401, 200, null],
  ["GET /api/admin/backup/download-all", undefined, 401, 403, 403, 401, 200, null],
  ["GET /api/admin/figures/resellers", undefined, 401, 403, 403, 401, 200, "stats:read"],
  ["GET /api/reseller/figures", undefined, 401, 200, 200, 401, 403, "credits:read"],
  ["GET /api/reseller/search", undefined, 401, 422, 422, 401, 403, "keys:read"],
  ["GET /api/reseller/profile", undefined, 401, 200, 200, 401, 403, "credits:read"],
  ["GET /api/reseller/ledger", undefined, 401, 200, 200, 401, 403, "credits:read"],
  ["GET /api/reseller/keys", undefined, 401, 200, 200, 401, 403, "keys:read"],
  [
    "POST /api/reseller/keys/generate",
    { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 },
    401,
    201,
    201,
    401,
    403,
    "keys:order",
  ],
  ["GET /api/reseller/keys/{id}", undefined, 401, 200, 404, 401, 403, "keys:read"],
  ["PUT /api/reseller/keys/{id}/note", { note: "Tournament" }, 401, 200, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/keys/{id}/extend", { days: 30 }, 401, 200, 404, 401, 403, "keys:order"],
  ["PUT /api/reseller/keys/{id}/device-limit", { deviceLimit: 100 }, 401, 200, 404, 401, 403, "keys:order"],
  ["GET /api/reseller/keys/{id}/device-limit", undefined, 401, 422, 422, 401, 403, "keys:read"],
  ["POST /api/reseller/keys/selected/extend", { mark, count: 999, days: 30 }, 401, 409, 409, 401, 403, "keys:order"],
  ["POST /api/reseller/keys/selected", {}, 401, 200, 200, 401, 403, "keys:read"],
  ["POST /api/reseller/keys/selected/download", { format: "csv" }, 401, 200, 200, 401, 403, null],
  ["POST /api/reseller/keys/selected/revoke", { mark, count: 999 }, 401, 409, 409, 401, 403, "keys:manage"],
  [
    "PUT /api/reseller/keys/selected/note",
    { mark, count: 999, note: "Tournament" },
    401,
    200,
    200,
    401,
    403,
    "keys:manage",
  ],
  ["GET /api/reseller/orders", undefined, 401, 200, 200, 401, 403, "keys:read"],
  ["GET /api/reseller/orders/{id}", undefined, 401, 200, 404, 401, 403, "keys:read"],
  ["PUT /api/reseller/orders/{id}/note", { note: "Tournament" }, 401, 200, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/orders/{id}/revoke-unused", { count: 100 }, 401, 409, 404, 401, 403, "keys:manage"],
  ["GET /api/reseller/keys/{id}/timeline", undefined, 401, 200, 404, 401, 403, "keys:read"],
  ["POST /api/reseller/keys/{id}/revoke", undefined, 401, 200, 404, 401, 403, "keys:manage"],
  ["GET /api/reseller/blocked-devices", undefined, 401, 200, 200, 401, 403, "keys:read"],
  ["POST /api/reseller/blocked-devices", blockedDevice, 401, 201, 201, 401, 403, "keys:manage"],
  ["DELETE /api/reseller/blocked-devices/{id}", undefined, 401, 404, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/keys/{id}/pause", undefined, 401, 200, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/keys/{id}/resume", undefined, 401, 200, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/keys/{id}/replace", {}, 401, 200, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/keys/{id}/devices/{deviceId}/remove", undefined, 401, 200, 404, 401, 403, "keys:manage"],
  ["POST /api/reseller/keys/{id}/devices/remove-all", undefined, 401, 200, 404, 401, 403, "keys:manage"],
  ["GET /api/reseller/shared-keys", undefined, 401, 200, 200, 401, 403, "keys:read"],
  ["POST /api/verify", { key: "UNKNOWN", deviceId: "phone", game: "FREE FIRE" }, 200, 200, 200, 200, 200, "verify"],
  [
    "POST /api/verify/release",
    { key: "UNKNOWN", game: "FREE FIRE", ref: "unknown" },
    404,
    404,
    404,
    404,
    404,
    "verify",
  ],
  ["GET /api/verify/{key}/{game}/{deviceId}", undefined, 200, 200, 200, 200, 200, "verify"],
  ["GET /api/updates", undefined, 200, 200, 200, 200, 200, "any"],
];

let latchkey: Latchkey;
let admin: Client;
const newClient = () => createClient(latchkey.url);

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
});
afterAll(() => latchkey.stop());

test("the table has every documented call exactly once", async () => {
  const { body } = await newClient().get("/swagger/json");
  const documented = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(table.map(([call]) => call).sort()).toEqual(documented.sort());
});

test("the document gives each call the scope that it needs", async () => {
  const { body } = await newClient().get("/swagger/json");
  const scopes = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods as object).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      operation["x-scope"],
    ]),
  );
  expect(Object.fromEntries(scopes)).toEqual(
    Object.fromEntries(table.map(([call, , , , , , , scope]) => [call, scope])),
  );
});

let serial = 0;
type Callers = Record<"anonymous" | "admin", Client> & Record<"owner" | "other" | "suspended", ResellerClient>;
let kept: Callers | undefined;

/** Returns the callers of the previous row, or new ones if that row ended one of their sessions. */
async function signedInCallers(): Promise<Callers> {
  if (kept && (await areSignedIn([kept.owner, kept.other, kept.admin]))) return kept;
  serial += 1;
  // A row may have ended this session as one of the admin's other sessions.
  if (!(await areSignedIn([admin]))) admin = await signInAdmin(newClient);
  kept = {
    anonymous: newClient(),
    owner: await registerReseller(newClient, admin, { username: `owner${serial}`, credits: 5_000 }),
    other: await registerReseller(newClient, admin, { username: `other${serial}`, credits: 50 }),
    suspended: await registerReseller(newClient, admin, { username: `suspended${serial}`, credits: 50 }),
    admin: await signInAdmin(newClient),
  };
  await admin.post(`/api/admin/resellers/${kept.suspended.id}/toggle-status`, { isActive: false });
  return kept;
}

async function areSignedIn(clients: Client[]): Promise<boolean> {
  const sessions = await Promise.all(clients.map((client) => client.get("/api/auth/session")));
  return sessions.every(({ body }) => body.isAuthenticated);
}

async function createThings(owner: ResellerClient) {
  const order = { game: "PUBG MOBILE", deviceLimit: 2, days: 5, count: 1 };
  const { body: bought } = await owner.post("/api/reseller/keys/generate", order);
  const [key] = bought.keys;
  await owner.post("/api/verify", { key: key.keyString, deviceId: "phone", game: "PUBG MOBILE" });
  const { body: opened } = await owner.get(`/api/reseller/keys/${key.id}`);
  const { body: update } = await admin.post("/api/admin/online-updates", { title: "News", message: "Hello" });
  return { key, device: opened.devices[0], update };
}

describe.each(table)("%s", (call, body, anonymous, owner, other, suspended, asAdmin) => {
  test(`responds with ${anonymous} to an anonymous client, ${owner} to the owner, ${other} to another reseller, ${suspended} to a suspended reseller, ${asAdmin} to an admin`, async () => {
    const callers = await signedInCallers();
    const expected = { anonymous, owner, other, suspended, admin: asAdmin };
    const found: Record<string, number> = {};
    // The owner and the admin come last, because their calls change what the others must not reach.
    for (const who of ["anonymous", "suspended", "other", "owner", "admin"] as const) {
      const { key, device, update } = await createThings(await signedIn(callers.owner));
      const [method = "", path = ""] = call.split(" ");
      const id = idFor(path, { reseller: callers.owner.id, update: update.id, key: key.id, order: key.orderId });
      const address = path
        .replace("{role}", "admin")
        .replace("{key}", key.keyString)
        .replace("{game}", "PUBG%20MOBILE")
        .replace("{name}", "license_keys")
        .replace("{deviceId}", path.startsWith("/api/verify") ? "tablet" : String(device.id))
        .replace("{id}", String(id));
      const sent = body && JSON.parse(filled(JSON.stringify(body), callers.owner.id));
      found[who] = (await callers[who].call(method, address, sent)).status;
    }
    expect(found).toEqual(expected);
  });
});

describe("a program", () => {
  const programs = new Map<string, Client>();

  beforeAll(async () => {
    const owner = await registerReseller(newClient, admin, { username: "programs", credits: 5_000 });
    const signedInAdmin = await signInAdmin(newClient);
    for (const [role, client, scopes] of [
      ["reseller", owner, resellerScopes],
      ["admin", signedInAdmin, adminScopes],
    ] as const) {
      for (const scope of scopes) {
        const key = await createApiKey(client, role, { scopes: [scope] });
        programs.set(`${role} ${scope}`, withApiKey(newClient(), key));
      }
    }
  });

  // No API key finds what these ids name, so that no call has an effect on the next.
  test.each(table)("of every scope is refused or allowed as declared: %s", async (call, body, ...declared) => {
    const needed = declared.at(-1) as string | null;
    const [method = "", path = ""] = call.split(" ");
    const address = path
      .replace("{role}", "admin")
      .replace(/\{(id|deviceId)\}/g, "999999")
      .replace("{key}", "UNKNOWN")
      .replace("{game}", "PUBG%20MOBILE")
      .replace("{name}", "license_keys");
    const sent = body && JSON.parse(filled(JSON.stringify(body), 999_999));
    for (const [name, program] of programs) {
      const [role = "", scope] = name.split(" ");
      const { status, body: response } = await program.call(method, address, sent);
      const found = status === 401 || status === 403 ? response.code : "allowed";
      expect([name, found]).toEqual([name, expectedOf(path, role, { scope, needed })]);
    }
  });

  function expectedOf(
    path: string,
    role: string,
    { scope, needed }: { scope?: string; needed: string | null },
  ): string {
    if (path === "/api/auth/session" || path.startsWith("/api/shop/")) return "allowed";
    const area = /^\/api\/(admin|reseller)\//.exec(path)?.[1];
    if (area !== undefined && area !== role) return "FORBIDDEN";
    if (needed === null) return "API_KEY_NOT_ALLOWED";
    return needed === "any" || needed === scope ? "allowed" : "SCOPE_MISSING";
  }
});

/** The rights of which a staff account needs one for a call, where they are not its scope. */
const rightsOfCalls: Record<string, string[]> = {
  "GET /api/reseller/profile": ["credits:read", "keys:order"],
  "POST /api/admin/keys/reset-devices": [],
  "POST /api/admin/keys/selected/download": ["keys:read"],
  "POST /api/reseller/keys/selected/download": ["keys:read"],
};

describe("staff", () => {
  let panel: Panel;
  const helpers: { role: string; rights: readonly string[]; client: StaffClient }[] = [];

  beforeAll(async () => {
    panel = await openPanel();
    const signedInAdmin = await signInAdmin(panel.newClient);
    const owner = await registerReseller(panel.newClient, signedInAdmin, { username: "night.owl", credits: 5_000 });
    for (const [role, client, all] of [
      ["reseller", owner, resellerRights],
      ["admin", signedInAdmin, adminRights],
    ] as const) {
      const sets = all.flatMap((right) => [[right], all.filter((other) => other !== right)]);
      for (const rights of sets) {
        const username = `helper.${helpers.length}`;
        helpers.push({ role, rights, client: await createStaff(panel.newClient, client, role, { username, rights }) });
      }
    }
  });
  afterAll(() => panel.close());

  test.each(table)(
    "with one right, or all but one, is refused or allowed as declared: %s",
    async (call, body, ...declared) => {
      const [method = "", path = ""] = call.split(" ");
      const address = path
        .replace(/\{(id|deviceId|deliveryId)\}/g, "999999")
        .replace("{key}", "UNKNOWN")
        .replace("{game}", "PUBG%20MOBILE")
        .replace("{name}", "license_keys");
      const sent = body && JSON.parse(filled(JSON.stringify(body), 999_999));
      for (const { role, rights, client } of helpers) {
        const to = address.replace("{role}", role);
        const { status, body: response } = await client.call(method, to, sent);
        const found = status === 403 || response?.code === "NOT_SIGNED_IN" ? response.code : "allowed";
        const needed = rightsOfCalls[call] ?? [declared.at(-1)];
        expect([role, rights, found]).toEqual([role, rights, expectedOf(path, role, rights, needed)]);
        if (path === "/api/auth/logout") await client.post(`/api/auth/${role}/login`, client);
      }
    },
  );

  function expectedOf(path: string, role: string, rights: readonly string[], needed: unknown[]): string {
    const area = /^\/api\/(admin|reseller)\//.exec(path)?.[1];
    if (area === undefined) return "allowed";
    if (area !== role) return "FORBIDDEN";
    return rights.some((right) => needed.includes(right)) ? "allowed" : "RIGHT_MISSING";
  }
});

/** The id for a path's `{id}`. Sessions, tokens, interventions and imports get an id that does not exist. */
function idFor(path: string, ids: { reseller: number; update: number; key: number; order: number }): number {
  if (/^\/api\/auth\/|tokens|interventions|imports|api-keys|staff/.test(path)) return 999_999;
  if (path.includes("resellers")) return ids.reseller;
  if (path.includes("orders")) return ids.order;
  // The first ones of a new database.
  if (/games|durations|price-lists/.test(path)) return 1;
  return path.includes("online-updates") ? ids.update : ids.key;
}

/** Signs the owner in again if a row ended the session. */
async function signedIn(owner: ResellerClient): Promise<ResellerClient> {
  if (!(await areSignedIn([owner]))) {
    await owner.post("/api/auth/reseller/login", { username: owner.username, password: "test-reseller-password" });
  }
  return owner;
}

function filled(text: string, resellerId: number): string {
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  return text.replace('"{reseller}"', String(resellerId)).replace("{tomorrow}", tomorrow);
}
