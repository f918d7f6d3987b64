import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import {
  type ApiResponse,
  type Client,
  type ResellerClient,
  registerReseller,
  signInAdmin,
} from "../../tests/client.ts";
import { testServer } from "../../tests/database.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { adminLogin } from "../../tests/process.ts";
import { createLink, linkForm, sell } from "../../tests/shop-link.ts";
import type { Action } from "../facts/audit-entry.ts";
import { adminEventTypes, resellerEventTypes, type WebhookEventType } from "../facts/webhook-events.ts";
import type { AuditEntry } from "./schema.ts";

const resellerPassword = "test-reseller-password";
const resellerApiKey = { name: "Shop", scopes: ["keys:read"], password: resellerPassword };
const adminApiKey = { ...resellerApiKey, password: adminLogin.password };

/** Gets none of the events of this file. */
const webhook = { kind: "standard", url: "https://example.com", events: ["key.expiring"] };

let panel: Panel;
let admin: Client;
/** The webhook of an admin, which gets every event. */
let adminWebhook = 0;
/** The reseller whom the call of this test is about, if any. */
let seller: Seller | null = null;
let serial = 0;
const newClient = () => panel.newClient();

beforeAll(async () => {
  panel = await openPanel({ realPasswordCost: true });
  admin = await signInAdmin(newClient);
  adminWebhook = (await admin.post("/api/admin/webhooks", webhookFor(adminEventTypes))).body.id;
});
afterAll(() => panel.close());

type Change =
  | [leaves: Action, tells: WebhookEventType | null, carriedOut: () => Promise<ApiResponse>]
  | [leaves: null, because: string];

/**
 * Every unsafe call of the application: its audit row, the event of which webhooks are told, and how it succeeds; or
 * `null` and the reason why it has no audit row. A `credits.low` depends on the balance (src/webhooks/events.test.ts).
 */
const changes: Record<string, Change> = {
  "POST /api/verify": [null, "game clients are nobody who is signed in, and the key's history has their devices"],
  "POST /api/verify/release": [null, "players are not signed in, and the release is in the key's timeline"],
  "POST /k": [null, "it is the same for players without a game at hand"],
  "POST /api/auth/two-factor": [null, "a secret changes nothing until a code of it is confirmed"],
  "POST /api/auth/:role/login": ["signed_in", null, () => newClient().post("/api/auth/admin/login", adminLogin)],
  "POST /api/auth/logout": ["signed_out", null, async () => (await freshReseller()).post("/api/auth/logout")],
  "POST /api/auth/reseller/register": [
    "registered",
    "reseller.registered",
    async () => {
      const { body } = await admin.post("/api/admin/tokens/generate", { credits: 2 });
      await nothingElse();
      const form = { username: nextName(), password: resellerPassword, referralToken: body.token.token };
      return newClient().post("/api/auth/reseller/register", form);
    },
  ],
  "POST /api/auth/password": [
    "password_changed",
    null,
    async () => {
      const form = { currentPassword: resellerPassword, newPassword: "another-password" };
      return (await freshReseller()).post("/api/auth/password", form);
    },
  ],
  "DELETE /api/auth/sessions": [
    "sessions_ended",
    null,
    async () => (await withTwoSessions()).call("DELETE", "/api/auth/sessions"),
  ],
  "DELETE /api/auth/sessions/:id": [
    "sessions_ended",
    null,
    async () => {
      const reseller = await withTwoSessions();
      const { body } = await reseller.get("/api/auth/sessions");
      return reseller.call("DELETE", `/api/auth/sessions/${body[1].id}`);
    },
  ],
  "POST /api/auth/two-factor/confirm": [
    "two_factor_enabled",
    null,
    async () => {
      const reseller = await freshReseller();
      return reseller.post("/api/auth/two-factor/confirm", { code: await newCode(reseller) });
    },
  ],
  "DELETE /api/auth/two-factor": [
    "two_factor_disabled",
    null,
    async () => {
      const reseller = await freshReseller();
      await reseller.post("/api/auth/two-factor/confirm", { code: await newCode(reseller) });
      await nothingElse();
      return reseller.call("DELETE", "/api/auth/two-factor", { password: resellerPassword });
    },
  ],
  "POST /api/admin/api-keys": ["api_key_created", null, () => admin.post("/api/admin/api-keys", adminApiKey)],
  "DELETE /api/admin/api-keys/:id": [
    "api_key_deleted",
    null,
    async () => {
      const { body } = await admin.post("/api/admin/api-keys", adminApiKey);
      await nothingElse();
      return admin.call("DELETE", `/api/admin/api-keys/${body.id}`);
    },
  ],
  "POST /api/admin/staff": ["staff_created", null, async () => newStaff("admin", admin)],
  "PUT /api/admin/staff/:id": ["staff_changed", null, () => ofStaff("admin", "PUT", "", { isActive: false })],
  "DELETE /api/admin/staff/:id": ["staff_removed", null, () => ofStaff("admin", "DELETE", "")],
  "POST /api/admin/staff/:id/password": [
    "staff_password_reset",
    null,
    () => ofStaff("admin", "POST", "/password", { password: adminLogin.password }),
  ],
  "POST /api/reseller/staff": ["staff_created", null, async () => newStaff("reseller", await freshReseller())],
  "PUT /api/reseller/staff/:id": ["staff_changed", null, () => ofStaff("reseller", "PUT", "", { isActive: false })],
  "DELETE /api/reseller/staff/:id": ["staff_removed", null, () => ofStaff("reseller", "DELETE", "")],
  "POST /api/reseller/staff/:id/password": [
    "staff_password_reset",
    null,
    () => ofStaff("reseller", "POST", "/password", { password: resellerPassword }),
  ],
  ...Object.fromEntries((["admin", "reseller"] as const).flatMap((role) => Object.entries(linkChanges(role)))),
  "POST /api/shop/:ref": [
    "keys_generated",
    "order.created",
    async () => {
      const link = await createLink(await freshReseller(), "reseller");
      await nothingElse();
      return sell(newClient(), link, "sale");
    },
  ],
  "POST /api/admin/webhooks": ["webhook_created", null, () => admin.post("/api/admin/webhooks", webhook)],
  "PUT /api/admin/webhooks/:id": ["webhook_changed", null, async () => changed("admin", admin)],
  "DELETE /api/admin/webhooks/:id": ["webhook_deleted", null, async () => deleted("admin", admin)],
  "POST /api/admin/webhooks/:id/rotate": ["webhook_changed", null, async () => rotated("admin", admin)],
  "POST /api/admin/webhooks/:id/test": [null, "it sends an event, and changes nothing"],
  "POST /api/admin/webhooks/:id/deliveries/:deliveryId/resend": [null, "it sends an event again"],
  "POST /api/reseller/webhooks": [
    "webhook_created",
    null,
    async () => (await freshReseller()).post("/api/reseller/webhooks", webhook),
  ],
  "PUT /api/reseller/webhooks/:id": ["webhook_changed", null, async () => changed("reseller", await freshReseller())],
  "DELETE /api/reseller/webhooks/:id": [
    "webhook_deleted",
    null,
    async () => deleted("reseller", await freshReseller()),
  ],
  "POST /api/reseller/webhooks/:id/rotate": [
    "webhook_changed",
    null,
    async () => rotated("reseller", await freshReseller()),
  ],
  "POST /api/reseller/webhooks/:id/test": [null, "it sends an event, and changes nothing"],
  "POST /api/reseller/webhooks/:id/deliveries/:deliveryId/resend": [null, "it sends an event again"],
  "POST /api/reseller/api-keys": [
    "api_key_created",
    null,
    async () => (await freshReseller()).post("/api/reseller/api-keys", resellerApiKey),
  ],
  "DELETE /api/reseller/api-keys/:id": [
    "api_key_deleted",
    null,
    async () => {
      const reseller = await freshReseller();
      const { body } = await reseller.post("/api/reseller/api-keys", resellerApiKey);
      await nothingElse();
      return reseller.call("DELETE", `/api/reseller/api-keys/${body.id}`);
    },
  ],
  "POST /api/admin/tokens/generate": [
    "token_created",
    null,
    () => admin.post("/api/admin/tokens/generate", { credits: 2.5 }),
  ],
  "DELETE /api/admin/tokens/:id": [
    "token_revoked",
    null,
    async () => {
      const { body } = await admin.post("/api/admin/tokens/generate", { credits: 2.5 });
      await nothingElse();
      return admin.call("DELETE", `/api/admin/tokens/${body.token.id}`);
    },
  ],
  "POST /api/admin/resellers/credits": [
    "credit_granted",
    "credits.granted",
    async () => admin.post("/api/admin/resellers/credits", { resellerId: (await freshReseller()).id, amount: 5 }),
  ],
  "POST /api/admin/resellers/:id/credits/take-back": [
    "grant_taken_back",
    null,
    async () => {
      const reseller = await freshReseller();
      await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 5 });
      const [{ id: ledgerId }] = (await reseller.get("/api/reseller/ledger")).body;
      await nothingElse();
      return admin.post(`/api/admin/resellers/${reseller.id}/credits/take-back`, { ledgerId });
    },
  ],
  "POST /api/admin/resellers/:id/toggle-status": [
    "reseller_suspended",
    "reseller.suspended",
    async () => admin.post(`/api/admin/resellers/${(await freshReseller()).id}/toggle-status`, { isActive: false }),
  ],
  "POST /api/admin/resellers/:id/password": [
    "password_reset",
    null,
    async () => admin.post(`/api/admin/resellers/${(await freshReseller()).id}/password`),
  ],
  "DELETE /api/admin/resellers/:id/sessions": [
    "sessions_ended",
    null,
    async () => admin.call("DELETE", `/api/admin/resellers/${(await freshReseller()).id}/sessions`),
  ],
  "POST /api/admin/keys/generate": ["keys_generated", "order.created", makeAdminOrder],
  "POST /api/admin/keys/reset-devices": [
    "devices_reset",
    null,
    async () => {
      await freshKey();
      return admin.post("/api/admin/keys/reset-devices");
    },
  ],
  "POST /api/admin/blocked-devices": ["device_blocked", null, () => block("admin", admin)],
  "DELETE /api/admin/blocked-devices/:id": ["device_unblocked", null, () => unblock("admin", admin)],
  "POST /api/reseller/blocked-devices": ["device_blocked", null, async () => block("reseller", await freshReseller())],
  "DELETE /api/reseller/blocked-devices/:id": [
    "device_unblocked",
    null,
    async () => unblock("reseller", await freshReseller()),
  ],
  "POST /api/admin/keys/:id/devices/remove-all": [
    "device_removed",
    "device.released",
    async () => {
      const { key } = await freshKey();
      return admin.post(`/api/admin/keys/${key.id}/devices/remove-all`);
    },
  ],
  "POST /api/admin/keys/:id/devices/:deviceId/remove": [
    "device_removed",
    "device.released",
    async () => {
      const { key } = await freshKey();
      const { body } = await admin.get(`/api/admin/keys/${key.id}/details`);
      return admin.post(`/api/admin/keys/${key.id}/devices/${body.devices[0].id}/remove`);
    },
  ],
  "DELETE /api/admin/keys/:id": [
    "key_revoked",
    "key.revoked",
    async () => admin.call("DELETE", `/api/admin/keys/${(await freshKey()).key.id}`),
  ],
  "PUT /api/admin/keys/:id/note": [
    "note_changed",
    null,
    async () => admin.call("PUT", `/api/admin/keys/${(await freshAdminOrder()).keys[0].id}/note`, { note: "Testers" }),
  ],
  "POST /api/admin/keys/:id/extend": [
    "key_extended",
    "key.extended",
    async () => admin.post(`/api/admin/keys/${(await freshKey()).key.id}/extend`, { hours: 24 }),
  ],
  "PUT /api/admin/keys/:id/device-limit": [
    "device_limit_changed",
    null,
    async () => admin.call("PUT", `/api/admin/keys/${(await freshKey()).key.id}/device-limit`, { deviceLimit: 5 }),
  ],
  "POST /api/admin/keys/selected/extend": [
    "keys_extended",
    "key.extended",
    async () => {
      const { body } = await selectedAdminKeys();
      return admin.post("/api/admin/keys/selected/extend", { ...body, hours: 24 });
    },
  ],
  "POST /api/reseller/keys/:id/extend": [
    "key_extended",
    "key.extended",
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.post(`/api/reseller/keys/${key.id}/extend`, { days: 30 });
    },
  ],
  "PUT /api/reseller/keys/:id/device-limit": [
    "device_limit_changed",
    null,
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.call("PUT", `/api/reseller/keys/${key.id}/device-limit`, { deviceLimit: 100 });
    },
  ],
  "POST /api/reseller/keys/selected/extend": [
    "keys_extended",
    "key.extended",
    async () => {
      const { reseller } = await freshKey();
      const { mark } = (await reseller.post("/api/reseller/keys/selected", {})).body;
      return reseller.post("/api/reseller/keys/selected/extend", { mark, count: 1, days: 30 });
    },
  ],
  "POST /api/admin/keys/selected": [null, "it only says what is selected"],
  "POST /api/reseller/keys/selected": [null, "it only says what is selected"],
  "POST /api/admin/keys/selected/revoke": [
    "key_revoked",
    "key.revoked",
    async () => {
      const { body } = await selectedAdminKeys();
      return admin.post("/api/admin/keys/selected/revoke", body);
    },
  ],
  "PUT /api/admin/keys/selected/note": [
    "note_changed",
    null,
    async () => {
      const { body } = await selectedAdminKeys();
      return admin.call("PUT", "/api/admin/keys/selected/note", { ...body, note: "Testers" });
    },
  ],
  "POST /api/admin/keys/selected/download": [
    "data_downloaded",
    null,
    () => admin.post("/api/admin/keys/selected/download", { format: "csv" }),
  ],
  "POST /api/reseller/keys/selected/revoke": [
    "key_revoked",
    "key.revoked",
    async () => {
      const { reseller } = await freshKey();
      const { mark } = (await reseller.post("/api/reseller/keys/selected", {})).body;
      return reseller.post("/api/reseller/keys/selected/revoke", { mark, count: 1 });
    },
  ],
  "PUT /api/reseller/keys/selected/note": [
    "note_changed",
    null,
    async () => {
      const { reseller } = await freshKey();
      const { mark } = (await reseller.post("/api/reseller/keys/selected", {})).body;
      return reseller.call("PUT", "/api/reseller/keys/selected/note", { mark, count: 1, note: "Testers" });
    },
  ],
  "POST /api/reseller/keys/selected/download": [
    "data_downloaded",
    null,
    async () => (await freshReseller()).post("/api/reseller/keys/selected/download", { format: "txt" }),
  ],
  "PUT /api/admin/orders/:id/note": [
    "note_changed",
    null,
    async () => admin.call("PUT", `/api/admin/orders/${(await freshAdminOrder()).orderId}/note`, { note: "Testers" }),
  ],
  "POST /api/admin/orders/:id/revoke-unused": [
    "key_revoked",
    "key.revoked",
    async () => admin.post(`/api/admin/orders/${(await freshAdminOrder()).orderId}/revoke-unused`, { count: 3 }),
  ],
  "POST /api/reseller/keys/generate": [
    "keys_generated",
    "order.created",
    async () => {
      const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 2 };
      return (await freshReseller()).post("/api/reseller/keys/generate", order);
    },
  ],
  "PUT /api/reseller/keys/:id/note": [
    "note_changed",
    null,
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.call("PUT", `/api/reseller/keys/${key.id}/note`, { note: "Testers" });
    },
  ],
  "PUT /api/reseller/orders/:id/note": [
    "note_changed",
    null,
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.call("PUT", `/api/reseller/orders/${key.orderId}/note`, { note: "Testers" });
    },
  ],
  "POST /api/reseller/orders/:id/revoke-unused": [
    "key_revoked",
    "key.revoked",
    async () => {
      const reseller = await freshReseller();
      const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 2 };
      const { orderId } = (await reseller.post("/api/reseller/keys/generate", order)).body;
      await nothingElse();
      return reseller.post(`/api/reseller/orders/${orderId}/revoke-unused`, { count: 2 });
    },
  ],
  "POST /api/reseller/keys/:id/revoke": [
    "key_revoked",
    "key.revoked",
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.post(`/api/reseller/keys/${key.id}/revoke`);
    },
  ],
  "POST /api/reseller/keys/:id/devices/remove-all": [
    "device_removed",
    "device.released",
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.post(`/api/reseller/keys/${key.id}/devices/remove-all`);
    },
  ],
  "POST /api/reseller/keys/:id/devices/:deviceId/remove": [
    "device_removed",
    "device.released",
    async () => {
      const { reseller, key } = await freshKey();
      const { body } = await reseller.get(`/api/reseller/keys/${key.id}`);
      return reseller.post(`/api/reseller/keys/${key.id}/devices/${body.devices[0].id}/remove`);
    },
  ],
  "POST /api/reseller/keys/:id/pause": [
    "key_paused",
    null,
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.post(`/api/reseller/keys/${key.id}/pause`);
    },
  ],
  "POST /api/reseller/keys/:id/resume": [
    "key_resumed",
    null,
    async () => {
      const { reseller, key } = await freshKey();
      await reseller.post(`/api/reseller/keys/${key.id}/pause`);
      await nothingElse();
      return reseller.post(`/api/reseller/keys/${key.id}/resume`);
    },
  ],
  "POST /api/reseller/keys/:id/replace": [
    "key_replaced",
    "key.replaced",
    async () => {
      const { reseller, key } = await freshKey();
      return reseller.post(`/api/reseller/keys/${key.id}/replace`, {});
    },
  ],
  "POST /api/admin/keys/:id/replace": [
    "key_replaced",
    "key.replaced",
    async () => admin.post(`/api/admin/keys/${(await freshKey()).key.id}/replace`, {}),
  ],
  "POST /api/admin/keys/:id/pause": [
    "key_paused",
    null,
    async () => admin.post(`/api/admin/keys/${(await freshKey()).key.id}/pause`),
  ],
  "POST /api/admin/keys/:id/resume": [
    "key_resumed",
    null,
    async () => {
      const { key } = await freshKey();
      await admin.post(`/api/admin/keys/${key.id}/pause`);
      await nothingElse();
      return admin.post(`/api/admin/keys/${key.id}/resume`);
    },
  ],
  "POST /api/admin/interventions": ["intervention_started", "intervention.done", () => compensate()],
  "POST /api/admin/interventions/:id/undo": [
    "intervention_undone",
    null,
    async () => {
      const { body } = await compensate();
      await nothingElse();
      return admin.post(`/api/admin/interventions/${body.id}/undo`);
    },
  ],
  "POST /api/admin/imports": ["keys_imported", "keys.imported", () => importKey()],
  "POST /api/admin/imports/:id/undo": [
    "import_undone",
    null,
    async () => {
      const { body } = await importKey();
      await nothingElse();
      return admin.post(`/api/admin/imports/${body.id}/undo`);
    },
  ],
  "POST /api/admin/online-updates": [
    "update_created",
    null,
    () => admin.post("/api/admin/online-updates", { title: "News", message: "Hello" }),
  ],
  "PUT /api/admin/online-updates/:id": [
    "update_changed",
    null,
    async () =>
      admin.call("PUT", `/api/admin/online-updates/${await freshUpdate()}`, { title: "Newer", message: "Hello" }),
  ],
  "DELETE /api/admin/online-updates/:id": [
    "update_deleted",
    null,
    async () => admin.call("DELETE", `/api/admin/online-updates/${await freshUpdate()}`),
  ],
  "POST /api/admin/games": ["game_created", null, () => admin.post("/api/admin/games", { name: "Chess" })],
  "PUT /api/admin/games/:id": [
    "game_changed",
    null,
    () => admin.call("PUT", "/api/admin/games/1", { maintenance: "Soon." }),
  ],
  "POST /api/admin/durations": [
    "duration_created",
    null,
    () => admin.post("/api/admin/durations", { label: "An hour", hours: 1 }),
  ],
  "PUT /api/admin/durations/:id": [
    "duration_changed",
    null,
    () => admin.call("PUT", "/api/admin/durations/5", { label: "Two months" }),
  ],
  "POST /api/admin/price-lists": [
    "price_list_created",
    null,
    () => admin.post("/api/admin/price-lists", { name: "Friends" }),
  ],
  "PUT /api/admin/price-lists/:id": [
    "price_list_changed",
    null,
    () => admin.call("PUT", "/api/admin/price-lists/1", { name: "Usual" }),
  ],
  "PUT /api/admin/resellers/:id/price-list": [
    "price_list_assigned",
    null,
    async () => {
      const { body } = await admin.post("/api/admin/price-lists", { name: "Partners" });
      const reseller = await freshReseller();
      await nothingElse();
      return admin.call("PUT", `/api/admin/resellers/${reseller.id}/price-list`, { priceListId: body.id });
    },
  ],
  "POST /api/admin/backup/backups": testServer
    ? [null, "a PostgreSQL is backed up elsewhere"]
    : [
        "backup_made",
        null,
        async () => {
          const response = await admin.post("/api/admin/backup/backups");
          while ((await admin.get("/api/admin/backup/backups")).body.underWay) await Bun.sleep(5);
          return response;
        },
      ],
};

/** Calls that only read have a row if they download data. */
const downloads: Record<string, () => Promise<ApiResponse>> = {
  "GET /api/admin/backup/download/:name": () => admin.get("/api/admin/backup/download/license_keys"),
  "GET /api/admin/backup/download-all": () => admin.get("/api/admin/backup/download-all"),
  "GET /api/admin/resellers/:id/ledger": async () =>
    admin.get(`/api/admin/resellers/${(await freshReseller()).id}/ledger?format=csv`),
  "GET /api/reseller/ledger": async () => (await freshReseller()).get("/api/reseller/ledger?format=csv"),
  "GET /api/admin/audit": () => admin.get("/api/admin/audit?format=csv"),
  "GET /api/admin/export": () => admin.get("/api/admin/export"),
};

test("the table of this file has exactly the unsafe calls of the application", () => {
  const safe = new Set(["GET", "HEAD", "OPTIONS", "WS", "$INTERNALWS"]);
  const unsafe = panel.app.routes.filter(({ method }) => !safe.has(method));
  expect(unsafe.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(changes).sort());
});

for (const [call, change] of Object.entries(changes)) {
  if (change[0] === null) continue;
  const [leaves, tells, carriedOut] = change;
  test(`${call} leaves one row, ${leaves}, and tells webhooks of ${tells ?? "nothing"}`, async () => {
    seller = null;
    await nothingElse();
    expect((await carriedOut()).status).toBeWithin(200, 203);
    expect((await newRows()).map(({ action }) => action)).toEqual([leaves]);
    expect(await newEvents()).toEqual(tells ? webhooksFor(tells).map((webhookId) => ({ type: tells, webhookId })) : []);
  });
}

test("starting to set up two-factor and verifying a key leave no row", async () => {
  const { key, reseller } = await freshKey();
  await newCode(reseller);
  await newClient().post("/api/verify", { key: key.keyString, deviceId: "tablet", game: "FREE FIRE" });
  expect(await newRows()).toEqual([]);
});

for (const [call, carriedOut] of Object.entries(downloads)) {
  test(`${call} as a download leaves one row`, async () => {
    await nothingElse();
    expect((await carriedOut()).status).toBe(200);
    expect((await newRows()).map(({ action }) => action)).toEqual([
      call.endsWith("/export") ? "keys_exported" : "data_downloaded",
    ]);
  });
}

let seenUpTo = 0;

/** The rows since the last call, oldest first. */
async function newRows(): Promise<AuditEntry[]> {
  const { body } = await admin.get("/api/admin/audit?limit=50");
  const rows = body.filter(({ id }: AuditEntry) => id > seenUpTo).reverse();
  seenUpTo = rows.at(-1)?.id ?? seenUpTo;
  return rows;
}

/** The events that wait for webhooks. */
function newEvents(): Promise<{ type: string; webhookId: number }[]> {
  return panel.database.read`SELECT type, webhook_id AS "webhookId" FROM webhook_deliveries ORDER BY webhook_id`;
}

/** The webhooks that must get an event of this type. */
function webhooksFor(type: WebhookEventType): number[] {
  const isForSeller = (resellerEventTypes as readonly string[]).includes(type);
  return [adminWebhook, ...(seller && isForSeller ? [seller.webhook] : [])];
}

/** Skips the rows and the events of the preparation. */
async function nothingElse(): Promise<void> {
  await newRows();
  await panel.database.write`DELETE FROM webhook_deliveries`;
}

function nextName(): string {
  serial += 1;
  return `seller.${serial}`;
}

function webhookFor(types: readonly WebhookEventType[]) {
  return { ...webhook, events: types.filter((type) => type !== "credits.low") };
}

interface Seller extends ResellerClient {
  /** It gets every event that a reseller can get. */
  webhook: number;
}

async function freshReseller(): Promise<Seller> {
  const reseller = await registerReseller(newClient, admin, { username: nextName(), credits: 20 });
  const { body } = await reseller.post("/api/reseller/webhooks", webhookFor(resellerEventTypes));
  await nothingElse();
  seller = { ...reseller, webhook: body.id };
  return seller;
}

type Role = "admin" | "reseller";

/** Makes a webhook, and returns its path. */
async function newWebhook(role: Role, owner: Client): Promise<string> {
  const { body } = await owner.post(`/api/${role}/webhooks`, webhook);
  await nothingElse();
  return `/api/${role}/webhooks/${body.id}`;
}

async function changed(role: Role, owner: Client): Promise<ApiResponse> {
  return owner.call("PUT", await newWebhook(role, owner), { isActive: false });
}

async function deleted(role: Role, owner: Client): Promise<ApiResponse> {
  return owner.call("DELETE", await newWebhook(role, owner));
}

async function rotated(role: Role, owner: Client): Promise<ApiResponse> {
  return owner.post(`${await newWebhook(role, owner)}/rotate`);
}

function linkChanges(role: Role): Record<string, Change> {
  const own = async (call: (owner: Client, path: string) => Promise<ApiResponse>) => {
    const owner = role === "admin" ? admin : await freshReseller();
    const { id } = await createLink(owner, role);
    await nothingElse();
    return call(owner, `/api/${role}/shop-links/${id}`);
  };
  const password = role === "admin" ? adminLogin.password : resellerPassword;
  const path = `/api/${role}/shop-links`;
  const form = { ...linkForm, password };
  return {
    [`POST ${path}`]: [
      "shop_link_created",
      null,
      async () => (role === "admin" ? admin : await freshReseller()).post(path, form),
    ],
    [`PUT ${path}/:id`]: [
      "shop_link_changed",
      null,
      () => own((owner, link) => owner.call("PUT", link, { name: "A" })),
    ],
    [`DELETE ${path}/:id`]: ["shop_link_deleted", null, () => own((owner, link) => owner.call("DELETE", link))],
    [`POST ${path}/:id/secret`]: [
      "shop_link_changed",
      null,
      () => own((owner, link) => owner.post(`${link}/secret`, { password })),
    ],
  };
}

function newStaff(role: Role, owner: Client): Promise<ApiResponse> {
  const password = role === "admin" ? adminLogin.password : resellerPassword;
  return owner.post(`/api/${role}/staff`, { username: nextName(), rights: ["keys:read"], password });
}

/** Makes a staff account and calls something of it. */
async function ofStaff(role: Role, method: string, path: string, body?: object): Promise<ApiResponse> {
  const owner = role === "admin" ? admin : await freshReseller();
  const made = await newStaff(role, owner);
  await nothingElse();
  return owner.call(method, `/api/${role}/staff/${made.body.id}${path}`, body);
}

function block(role: Role, owner: Client): Promise<ApiResponse> {
  return owner.post(`/api/${role}/blocked-devices`, { deviceId: nextName(), reason: "Key resold" });
}

async function unblock(role: Role, owner: Client): Promise<ApiResponse> {
  const { body } = await block(role, owner);
  await nothingElse();
  return owner.call("DELETE", `/api/${role}/blocked-devices/${body.id}`);
}

async function withTwoSessions(): Promise<ResellerClient> {
  const reseller = await freshReseller();
  await newClient().post("/api/auth/reseller/login", { username: reseller.username, password: resellerPassword });
  const { body } = await reseller.get("/api/auth/sessions");
  expect(body).toHaveLength(2);
  await nothingElse();
  // Newest first: the second is the reseller's own.
  return { ...reseller };
}

async function freshKey() {
  const reseller = await freshReseller();
  const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 1 };
  const key = (await reseller.post("/api/reseller/keys/generate", order)).body.keys[0];
  await newClient().post("/api/verify", { key: key.keyString, deviceId: "phone", game: "FREE FIRE" });
  await nothingElse();
  return { reseller, key };
}

function makeAdminOrder(): Promise<ApiResponse> {
  const expiryDate = new Date(panel.clock.now + 30 * 86_400_000).toISOString();
  return admin.post("/api/admin/keys/generate", { game: "FREE FIRE", deviceLimit: 5, expiryDate, count: 3 });
}

async function freshAdminOrder() {
  const { body } = await makeAdminOrder();
  await nothingElse();
  return body;
}

/** Selects the keys of a new order and returns the form for changing them. */
async function selectedAdminKeys() {
  const { keys } = await freshAdminOrder();
  const ids = keys.map(({ id }: { id: number }) => id);
  const { mark } = (await admin.post("/api/admin/keys/selected", { ids })).body;
  return { body: { ids, mark, count: ids.length } };
}

async function compensate(): Promise<ApiResponse> {
  const form = { kind: "compensate", scope: { all: true }, hours: 1, reason: "Outage", dryRun: false };
  const response = await admin.post("/api/admin/interventions", form);
  await panel.server.interventionWork.run();
  return response;
}

async function importKey(): Promise<ApiResponse> {
  const file = `key,game,expires,device_limit\n${nextName()},FREE FIRE,2030-01-31,1`;
  const response = await admin.post("/api/admin/imports", file, { "content-type": "text/csv" });
  await panel.server.importWork.run();
  return response;
}

async function freshUpdate(): Promise<number> {
  const { body } = await admin.post("/api/admin/online-updates", { title: "News", message: "Hello" });
  await nothingElse();
  return body.id;
}

/** Starts to set up two-factor and returns a code that confirms it. */
async function newCode(client: Client): Promise<string> {
  const { body } = await client.post("/api/auth/two-factor", { password: resellerPassword });
  return (URI.parse(body.uri) as TOTP).generate({ timestamp: panel.clock.now });
}
