import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Client, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { type Receiver, startReceiver } from "../../tests/webhook-receiver.ts";
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from "../core/clock.ts";
import { insertDeliveries } from "../facts/outbox-store.ts";

let panel: Panel;
let admin: Client;
let receiver: Receiver;
let webhook: number;

beforeAll(async () => {
  panel = await openPanel();
});
afterAll(() => panel.close());
beforeEach(async () => {
  admin = await signInAdmin(panel.newClient);
  receiver = startReceiver();
  webhook = await newWebhook(receiver.url);
});
afterEach(async () => {
  await panel.database.write`DELETE FROM webhooks`;
  await receiver.stop();
});

async function newWebhook(url: string): Promise<number> {
  const form = { kind: "standard", url, events: ["order.created"] };
  return (await admin.post("/api/admin/webhooks", form)).body.id;
}

const path = () => `/api/admin/webhooks/${webhook}`;
const deliver = () => panel.server.deliveries.run();
const refuse = (status: number, headers?: Record<string, string>) => {
  receiver.respond = () => new Response("no", { status, headers });
};
const deliveries = async () => (await admin.get(`${path()}/deliveries`)).body;
const switchedOff = async () => {
  const all = (await admin.get("/api/admin/webhooks")).body;
  return all.find(({ id }: { id: number }) => id === webhook)?.switchedOff?.reason ?? null;
};

/** An order, of which the webhook is told. */
async function order(): Promise<void> {
  const form = { game: "FREE FIRE", deviceLimit: 1, count: 1, starts: "first_use", durationHours: 24 };
  const { status, text } = await admin.post("/api/admin/keys/generate", form);
  if (status !== 201) throw new Error(text);
}

/** How long after the last attempt the next one is due, or null if none is. */
async function waitMs(): Promise<number | null> {
  const [{ nextAt }] = await deliveries();
  return nextAt === null ? null : Date.parse(nextAt) - panel.clock.now;
}

describe("an event that is refused", () => {
  test("is sent again with the same id and body after growing times, and the tenth failure switches the webhook off", async () => {
    refuse(500);
    await order();
    const waits: (number | null)[] = [];
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await deliver();
      waits.push(await waitMs());
      panel.clock.now += (waits.at(-1) ?? 0) - 1;
      await deliver();
      panel.clock.now += 1;
      admin = await signInAdmin(panel.newClient);
    }
    const hours = [2, 5, 10, 14, 20, 24].map((each) => each * msPerHour);
    expect(waits).toEqual([5 * msPerSecond, 5 * msPerMinute, 30 * msPerMinute, ...hours, null]);
    expect(new Set(receiver.received.map(({ id, text }) => `${id} ${text}`)).size).toBe(1);
    expect(receiver.received).toHaveLength(10);
    expect(await switchedOff()).toBe("FAILED");
    const [entry] = (await admin.get("/api/admin/audit?action=webhook_switched_off")).body;
    expect(entry).toMatchObject({
      ...{ actor: null, address: null, target: `webhook ${webhook}` },
      details: { by: "server", reason: "FAILED", owner: "admin", kind: "standard", isActive: false },
    });
    expect((await admin.get("/api/admin/condition")).body).toMatchObject({ webhooksOff: 1 });
  });

  test("waits as long as Retry-After says", async () => {
    refuse(429, { "retry-after": "600" });
    await order();
    await deliver();
    expect(await waitMs()).toBe(600 * msPerSecond);
  });

  test("is delivered by any 2xx, and by no redirect", async () => {
    refuse(301, { location: receiver.url });
    await order();
    await deliver();
    refuse(299);
    panel.clock.now += 5 * msPerSecond;
    await deliver();
    expect(await deliveries()).toMatchObject([{ nextAt: null, tries: [{ status: 301 }, { status: 299 }] }]);
    expect(receiver.received).toHaveLength(2);
  });

  test("with a 410 switches the webhook off, which ends what is waiting, until it is switched on", async () => {
    refuse(500);
    await order();
    await deliver();
    refuse(410);
    await order();
    await deliver();
    expect(await switchedOff()).toBe("GONE");
    expect((await deliveries()).map(({ nextAt }: { nextAt: string | null }) => nextAt)).toEqual([null, null]);
    await order();
    expect(await deliveries()).toHaveLength(2);
    expect((await admin.call("PUT", path(), { isActive: true })).body.switchedOff).toBeNull();
    refuse(200);
    await order();
    await deliver();
    expect(await deliveries()).toHaveLength(3);
  });
});

describe("a person", () => {
  test("sends an event again, with the same id and body", async () => {
    await order();
    await deliver();
    const [{ id }] = await deliveries();
    const { status, body } = await admin.post(`${path()}/deliveries/${id}/resend`);
    expect([status, body.id]).toEqual([202, id]);
    await deliver();
    const [first, second] = receiver.received;
    expect([second?.id, second?.text]).toEqual([first?.id, first?.text]);
    expect(await deliveries()).toMatchObject([{ nextAt: null, tries: [{ status: 200 }, { status: 200 }] }]);
  });

  test("tests a webhook that is off, once", async () => {
    refuse(500);
    await admin.call("PUT", path(), { isActive: false });
    expect((await admin.post(`${path()}/test`)).status).toBe(202);
    await deliver();
    expect(receiver.received.map(({ body }) => [body.type, body.data])).toEqual([["webhook.test", {}]]);
    expect(await deliveries()).toMatchObject([{ type: "webhook.test", nextAt: null, tries: [{ status: 500 }] }]);
  });

  test("ends what is waiting by switching a webhook off or deleting it", async () => {
    refuse(500);
    await order();
    await deliver();
    await admin.call("PUT", path(), { isActive: false });
    panel.clock.now += msPerHour;
    await deliver();
    expect(receiver.received).toHaveLength(1);
    await admin.call("DELETE", path());
    expect(await panel.database.read`SELECT id FROM webhook_deliveries`).toEqual([]);
  });

  test("rotates the secret: for a day both sign", async () => {
    const signatures = async () => {
      receiver.received.length = 0;
      await order();
      await deliver();
      return receiver.received[0]?.headers.get("webhook-signature")?.split(" ").length;
    };
    expect(await signatures()).toBe(1);
    await admin.post(`${path()}/rotate`);
    await admin.post(`${path()}/rotate`);
    expect(await signatures()).toBe(2);
    panel.clock.now += msPerDay;
    admin = await signInAdmin(panel.newClient);
    expect(await signatures()).toBe(1);
  });
});

test("a webhook gets at most 4 requests at once, and one that hangs delays no other", async () => {
  const other = startReceiver();
  await newWebhook(other.url);
  const hanging = Promise.withResolvers<Response>();
  receiver.respond = async () => (await hanging.promise).clone();
  const orders = 6;
  for (let made = 0; made < orders; made += 1) await order();
  const delivering = deliver();
  while (other.received.length < orders || receiver.received.length < 4) await Bun.sleep(1);
  expect(receiver.received).toHaveLength(4);
  hanging.resolve(new Response("ok"));
  await delivering;
  expect(receiver.received).toHaveLength(orders);
  await other.stop();
});

test("a webhook whose last attempt failed gets one request at a time until one succeeds", async () => {
  refuse(500);
  await order();
  await deliver();
  panel.clock.now += 5 * msPerSecond;
  const hanging = Promise.withResolvers<Response>();
  receiver.respond = async () => (await hanging.promise).clone();
  for (let made = 0; made < 3; made += 1) await order();
  const other = startReceiver();
  await newWebhook(other.url);
  await order();
  const delivering = deliver();
  while (other.received.length < 1 || receiver.received.length < 2) await Bun.sleep(1);
  expect(receiver.received).toHaveLength(2);
  hanging.resolve(new Response("ok"));
  await delivering;
  expect(receiver.received).toHaveLength(6);
  await other.stop();
});

test("10,000 events that wait for a dead webhook delay neither another one nor a sale, and more switch it off", async () => {
  const other = startReceiver();
  await newWebhook(other.url);
  receiver.respond = () => new Promise(() => {});
  const at = panel.clock.now;
  for (let hundred = 0; hundred < 100; hundred += 1) {
    const rows = Array.from({ length: 100 }, () => {
      const messageId = crypto.randomUUID();
      return { webhookId: webhook, messageId, type: "order.created", data: "{}", at, nextAt: at };
    });
    await insertDeliveries(panel.database.write, rows);
  }
  const delivering = deliver();
  for (let made = 0; made < 20; made += 1) await order();
  while (other.received.length < 20) await Bun.sleep(1);
  expect(receiver.received).toHaveLength(4);
  await panel.server.deliveries.limitBacklogs();
  const [, waiting] = /^latchkey_webhook_deliveries_waiting (\d+)$/m.exec(panel.metrics.text()) ?? [];
  expect(Number(waiting)).toBeGreaterThan(10_000);
  expect(await switchedOff()).toBe("BACKLOG");
  expect((await deliveries()).every(({ nextAt }: { nextAt: string | null }) => nextAt === null)).toBe(true);
  await receiver.stop();
  await delivering;
  await other.stop();
});

/** Events that are due, or that wait for as long as is given. */
function insertDue(webhookId: number, count: number, waitMs = 0) {
  const at = panel.clock.now;
  const rows = Array.from({ length: count }, () => {
    const messageId = crypto.randomUUID();
    return { webhookId, messageId, type: "order.created", data: "{}", at, nextAt: at + waitMs };
  });
  return insertDeliveries(panel.database.write, rows);
}

test("resellers with hanging receivers leave 8 places to admins, and the webhook that waited longest is next", async () => {
  const webhooksOf = async (username: string, url: string, count: number) => {
    const owner = await registerReseller(panel.newClient, admin, { username });
    const form = { kind: "standard", url, events: ["order.created"] };
    const made = Array.from({ length: count }, () => owner.post("/api/reseller/webhooks", form));
    return (await Promise.all(made)).map(({ body }) => body.id as number);
  };
  const slow = startReceiver();
  slow.respond = () => new Response("no", { status: 500 });
  for (const username of ["slow.one", "slow.two", "slow.three", "slow.four"])
    for (const id of await webhooksOf(username, slow.url, 8)) await insertDue(id, 2);
  await deliver();
  panel.clock.now += 5 * msPerSecond;
  slow.received.length = 0;
  const release: ((response: Response) => void)[] = [];
  slow.respond = () => new Promise((resolve) => void release.push(resolve));
  const delivering = deliver();
  while (slow.received.length < 24) await Bun.sleep(1);

  const quick = startReceiver();
  const [quickWebhook = 0] = await webhooksOf("quick", quick.url, 1);
  const [delivery = 0] = await insertDue(quickWebhook, 1);
  await insertDue(webhook, 20);
  while (receiver.received.length < 20) await Bun.sleep(1);
  const [row] = await panel.database.read<{ nextAt: number }>`
    SELECT next_at AS "nextAt" FROM webhook_deliveries WHERE id = ${delivery}`;
  expect([slow.received.length, row?.nextAt]).toEqual([24, panel.clock.now]);
  // The eight webhooks of the fourth reseller have waited for longer, and those of the first have more to send.
  for (const each of release.splice(0, 9)) each(new Response("no", { status: 500 }));
  while (quick.received.length === 0) await Bun.sleep(1);
  expect(slow.received.length).toBeLessThanOrEqual(24 + 8);
  await slow.stop();
  await delivering;
  await quick.stop();
});

test("of a webhook's finished deliveries the newest 10,000 are kept, and all that wait", async () => {
  await panel.server.deliveries.eraseSurplus();
  await panel.database.write`
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10250)
    INSERT INTO webhook_deliveries (webhook_id, message_id, type, data, at)
    SELECT ${webhook}, CAST(i AS TEXT), 'order.created', '{}', ${panel.clock.now} FROM n`;
  await insertDue(webhook, 3, msPerHour);
  await panel.server.deliveries.eraseSurplus();
  const rows = await panel.database.read<{ messageId: string; nextAt: number | null }>`
    SELECT message_id AS "messageId", next_at AS "nextAt" FROM webhook_deliveries ORDER BY id`;
  expect(rows.filter(({ nextAt }) => nextAt !== null)).toHaveLength(3);
  expect([rows.length, rows[0]?.messageId]).toEqual([10_003, "251"]);
});

test("a chat that Telegram moved is followed and kept", async () => {
  const telegram = startReceiver();
  const moved = { ok: false, error_code: 400, parameters: { migrate_to_chat_id: -1009876543210 } };
  telegram.respond = ({ body }) =>
    body.chat_id === "-123" ? Response.json(moved, { status: 400 }) : Response.json({ ok: true });
  const other = await openPanel({ webhooks: { telegramApi: new URL(telegram.url).origin } });
  const owner = await signInAdmin(other.newClient);
  const form = { kind: "telegram", botToken: "123456:ABC-DEF1234", chatId: -123, events: ["order.created"] };
  const { id } = (await owner.post("/api/admin/webhooks", form)).body;
  for (let test = 0; test < 3; test += 1) await owner.post(`/api/admin/webhooks/${id}/test`);
  await other.server.deliveries.run();
  const [{ chatId }] = (await owner.get("/api/admin/webhooks")).body;
  expect(chatId).toBe("-1009876543210");
  expect((await owner.get(`/api/admin/webhooks/${id}/deliveries`)).body).toMatchObject(
    Array.from({ length: 3 }, () => ({ nextAt: null, tries: [{ status: 200 }] })),
  );
  expect((await owner.get("/api/admin/audit?action=webhook_changed")).body).toMatchObject([
    { actor: null, target: `webhook ${id}`, details: { by: "server", chatId, owner: "admin", kind: "telegram" } },
  ]);
  await other.close();
  await telegram.stop();
});

test("deliveries are listed newest first in pages, and kept for 30 days", async () => {
  for (let made = 0; made < 3; made += 1) {
    await order();
    panel.clock.now += msPerSecond;
  }
  await deliver();
  const { body, headers } = await admin.get(`${path()}/deliveries?limit=2`);
  const next = headers.get("link")?.match(/<(.+)>/)?.[1] ?? "";
  const all = [...body, ...(await admin.get(next)).body];
  expect(all).toEqual(await deliveries());
  expect(all.map(({ id }) => id).sort()).toEqual(receiver.received.map(({ id }) => id).sort());
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .sort()
      .reverse(),
  );
  panel.clock.now += 30 * msPerDay - 3 * msPerSecond;
  await panel.server.deliveryRetention.eraseOld();
  admin = await signInAdmin(panel.newClient);
  expect(await deliveries()).toHaveLength(3);
  panel.clock.now += 1;
  await panel.server.deliveryRetention.eraseOld();
  expect(await deliveries()).toHaveLength(2);
});
