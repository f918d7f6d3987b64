import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { Webhook as Verifier } from "standardwebhooks";
import {
  type Client,
  createApiKey,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { type Receiver, startReceiver } from "../../tests/webhook-receiver.ts";
import type { AuditEntry } from "../audit/schema.ts";
import { adminEventTypes, resellerEventTypes } from "../facts/webhook-events.ts";

let panel: Panel;
let admin: Client;
let receiver: Receiver;
let serial = 0;

beforeAll(async () => {
  panel = await openPanel();
  // The library that verifies signatures compares them with the real time.
  panel.clock.now = Date.now();
  admin = await signInAdmin(panel.newClient);
  receiver = startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await panel.close();
});
afterEach(() => {
  receiver.received.length = 0;
  receiver.respond = () => new Response("ok");
});

function newReseller(credits = 0): Promise<ResellerClient> {
  serial += 1;
  return registerReseller(panel.newClient, admin, { username: `shop${serial}`, credits });
}

const standard = () => ({ kind: "standard", url: receiver.url, events: ["order.created"] });
const telegram = { kind: "telegram", botToken: "123456:ABC-DEF1234", chatId: -1001234, events: ["key.revoked"] };
const create = (owner: Client, form: object) => owner.post("/api/reseller/webhooks", form);
const buy = (owner: Client) =>
  owner.post("/api/reseller/keys/generate", { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 });
const deliveriesOf = async (owner: Client, id: number) =>
  (await owner.get(`/api/reseller/webhooks/${id}/deliveries`)).body;
const lastEntries = async (limit: number): Promise<AuditEntry[]> =>
  (await admin.get(`/api/admin/audit?limit=${limit}`)).body;

describe("a webhook", () => {
  test("shows its secret once, which is kept encrypted", async () => {
    const owner = await newReseller();
    const { status, body } = await create(owner, standard());
    const { secret, ...row } = body;
    expect(status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(row).toEqual({
      ...{ ...standard(), id: row.id, chatId: null, isActive: true, creditsBelow: null, switchedOff: null },
      createdAt: new Date(panel.clock.now).toISOString(),
    });
    expect((await owner.get("/api/reseller/webhooks")).body).toEqual([row]);
    const [kept] = await panel.database.read<{ sealed: string }>`
      SELECT sealed_secret AS sealed FROM webhooks WHERE id = ${row.id}`;
    expect(kept?.sealed).not.toContain(secret.slice(6));
  });

  test("of Telegram never shows its token, and keeps it when it is changed", async () => {
    const owner = await newReseller();
    const { status, body, text } = await create(owner, telegram);
    expect([status, body.secret, body.url, body.chatId]).toEqual([201, null, null, "-1001234"]);
    const changed = await owner.call("PUT", `/api/reseller/webhooks/${body.id}`, { chatId: "@sales" });
    expect(changed.body).toMatchObject({ chatId: "@sales", events: ["key.revoked"] });
    for (const shown of [text, changed.text, JSON.stringify(await lastEntries(2))])
      expect(shown).not.toContain("ABC-DEF");
  });

  test.each([
    [{ kind: "slack" }, "kind", "kind must be standard, discord or telegram"],
    [{ url: undefined }, "url", "url is required"],
    [{ url: "ftp://example.com" }, "url", "The address must be an https address without a password"],
    [{ url: "https://name:password@example.com" }, "url", "The address must be an https address without a password"],
    [{ events: [] }, "events", `events must be one or more of ${resellerEventTypes.join(", ")}`],
    [{ events: ["backup.failed"] }, "events", `events must be one or more of ${resellerEventTypes.join(", ")}`],
    [{ events: ["credits.low"] }, "creditsBelow", "creditsBelow is required for credits.low"],
    [{ creditsBelow: 0.25 }, "creditsBelow", "Credits may have at most one decimal"],
    [{ chatId: "1" }, "chatId", "Only a Telegram webhook has a chatId"],
    [{ ...telegram, botToken: undefined }, "botToken", "botToken is required"],
    [{ ...telegram, botToken: "../x" }, "botToken", "The bot token must be like 123456:ABC-DEF1234"],
    [
      { ...telegram, url: undefined, chatId: "chat" },
      "chatId",
      "The chat must be a number or a name such as @latchkey_sales",
    ],
  ])("is refused with %p", async (wrong, path, message) => {
    const owner = await newReseller();
    const { status, body } = await create(owner, { ...standard(), ...wrong });
    expect([status, body.errors]).toEqual([422, expect.arrayContaining([{ path, message }])]);
  });

  test("is one of at most 10 of an account, and of one account only", async () => {
    const owner = await newReseller();
    const ids: number[] = [];
    for (let made = 0; made < 10; made += 1) ids.push((await create(owner, standard())).body.id);
    const { status, body } = await create(owner, standard());
    expect([status, body.code]).toEqual([409, "TOO_MANY_WEBHOOKS"]);
    const path = `/api/reseller/webhooks/${ids[0]}`;
    const other = await newReseller();
    for (const [method, call] of [
      ["PUT", path],
      ["DELETE", path],
      ["POST", `${path}/rotate`],
      ["POST", `${path}/test`],
      ["GET", `${path}/deliveries`],
      ["POST", `${path}/deliveries/unknown/resend`],
    ] as const) {
      expect([call, (await other.call(method, call, method === "PUT" ? {} : undefined)).status]).toEqual([call, 404]);
    }
    expect((await owner.call("DELETE", path)).status).toBe(200);
    expect((await create(owner, standard())).status).toBe(201);
  });

  test("is not open to API keys", async () => {
    const owner = await newReseller();
    const program = withApiKey(panel.newClient(), await createApiKey(owner, "reseller", { scopes: ["keys:read"] }));
    const { status, body } = await program.get("/api/reseller/webhooks");
    expect([status, body.code]).toEqual([403, "API_KEY_NOT_ALLOWED"]);
  });

  test("of an admin may have every event", async () => {
    const form = { ...standard(), events: adminEventTypes, creditsBelow: 5 };
    const { status, body } = await admin.post("/api/admin/webhooks", form);
    expect([status, body.events]).toEqual([201, [...adminEventTypes]]);
    expect((await admin.call("DELETE", `/api/admin/webhooks/${body.id}`)).status).toBe(200);
  });

  test("is in the audit log without its address and secret", async () => {
    const owner = await newReseller();
    const { body } = await create(owner, {
      ...standard(),
      url: "https://discord.com/api/webhooks/7/secret",
      kind: "discord",
    });
    await owner.call("PUT", `/api/reseller/webhooks/${body.id}`, { isActive: false });
    await owner.call("PUT", `/api/reseller/webhooks/${body.id}`, { isActive: false });
    await owner.call("DELETE", `/api/reseller/webhooks/${body.id}`);
    const details = { kind: "discord", host: "discord.com", events: "order.created" };
    expect(await lastEntries(3)).toMatchObject([
      { action: "webhook_deleted", target: `webhook ${body.id}`, details: { ...details, isActive: false } },
      { action: "webhook_changed", details: { ...details, isActive: false } },
      { action: "webhook_created", details: { ...details, isActive: true } },
    ]);
  });
});

test("an address in a private network is refused when it is set or changed, unless it was saved before", async () => {
  const guarded = await openPanel({ webhooks: { allowPrivate: false } });
  const owner = await signInAdmin(guarded.newClient);
  const at = (host: string) => ({ ...standard(), url: `https://${host}/hook` });
  const { id } = (await owner.post("/api/admin/webhooks", at("1.1.1.1"))).body;
  const path = `/api/admin/webhooks/${id}`;
  const message = "The address must not be in a private network";
  for (const host of [
    ...["127.0.0.1", "0x7f.1", "10.0.0.1:8443", "169.254.169.254", "[::1]", "[::ffff:10.0.0.1]"],
    ...["localhost", "LOCALHOST.", "a.localhost"],
  ]) {
    for (const { status, body } of [
      await owner.post("/api/admin/webhooks", at(host)),
      await owner.call("PUT", path, { url: at(host).url }),
    ]) {
      expect([host, status, body.errors]).toEqual([host, 422, [{ path: "url", message }]]);
    }
  }
  expect((await owner.call("PUT", path, { url: at("localhost.example.com").url })).status).toBe(200);
  const saved = at("localhost").url;
  await guarded.database.write`UPDATE webhooks SET url = ${saved}`;
  expect((await owner.call("PUT", path, { url: saved, isActive: false })).body).toMatchObject({ isActive: false });
  await guarded.close();
});

test("tests of webhooks are limited, because each calls another server", async () => {
  const limited = await openPanel({ rateLimits: true });
  const owner = await signInAdmin(limited.newClient);
  const { id } = (await owner.post("/api/admin/webhooks", standard())).body;
  const statuses: number[] = [];
  for (let sent = 0; sent < 61; sent += 1) statuses.push((await owner.post(`/api/admin/webhooks/${id}/test`)).status);
  expect([new Set(statuses.slice(0, 60)), statuses.at(-1)]).toEqual([new Set([202]), 429]);
  await limited.server.deliveries.run();
  await limited.close();
});

describe("an event", () => {
  test("arrives signed, with its list entry", async () => {
    const owner = await newReseller(10);
    const { id, secret } = (await create(owner, standard())).body;
    const bought = (await buy(owner)).body;
    await panel.server.deliveries.run();
    const [got] = receiver.received;
    if (!got) throw new Error("Nothing was received.");
    const signed = Object.fromEntries(got.headers);
    expect(() => new Verifier(secret).verify(got.text, { ...signed })).not.toThrow();
    expect(got.body).toMatchObject({
      type: "order.created",
      data: {
        ...{ resellerId: owner.id, username: owner.username, orderId: bought.orderId, count: 1 },
        ...{ keyIds: [bought.keys[0].id], amount: 0.5, balance: 9.5 },
      },
    });
    expect(got.text).not.toContain(bought.keys[0].keyString);
    expect(await deliveriesOf(owner, id)).toMatchObject([
      { id: got.id, webhookId: id, type: "order.created", nextAt: null, tries: [{ status: 200, answer: "" }] },
    ]);
  });
});
