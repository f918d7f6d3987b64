import { Database as Connection } from "bun:sqlite";
import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { msPerDay, msPerSecond } from "../../src/core/clock.ts";
import { createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import type { Drill } from "./harness/drill.ts";
import { supervise } from "./harness/supervisor.ts";

const keysPerOrder = 100;
const bytesPerDayMax = 2 ** 30;

/** rules.md: History of a key, and Webhooks. */
const notesPerKeyMax = 200;
const finishedPerWebhookMax = 10_000;
const webhooksPerAccount = 10;

/** What `slackDeliveries` of each webhook take, and pages that are filled a little more or less. */
const slackBytes = 2 ** 20;
/** Deliveries that ended after the surplus was erased. */
const slackDeliveries = 100;
const endsMsMax = 60_000;

const login = { username: "disk.growth", password: "test-reseller-password" };
const longest = { deviceId: "d".repeat(100), note: "n".repeat(190) };

export const drill: Drill<{ seconds: number; keys: number }> = {
  number: "R28",
  promise:
    "one account with 10,000 keys that does everything that writes makes no table, log or file grow by more than 1 GiB a day, or beyond its bound",
  waitsMostly: true,
  sizes: { short: { seconds: 30, keys: 4_000 }, long: { seconds: 600, keys: 10_000 } },
  async run({ seconds, keys }) {
    const server = await supervise({ environment: { WEBHOOK_ALLOW_PRIVATE: "on", RATE_LIMITS: "on" } });
    const receiver = Bun.serve({ port: 0, fetch: () => new Response("r".repeat(60_000)) });
    const admin = await signInAdmin(() => createClient(server.url));
    const reseller = await registerReseller(() => createClient(server.url), admin, { ...login, credits: keys });
    const orders = await buy(reseller, keys);
    await addWebhooks(reseller, `http://127.0.0.1:${receiver.port}/`);
    fillToTheBounds(server.file);
    const before = sizesOf(server.file, server.dataFolder, server.output());
    const begunMs = performance.now();
    const statuses = await attack(server.url, reseller, orders, begunMs + seconds * msPerSecond);
    await boundsKept(server.file);
    const elapsedMs = performance.now() - begunMs;
    const after = sizesOf(server.file, server.dataFolder, server.output());
    await server.close();
    await receiver.stop(true);

    const perDay = Object.entries(after)
      .map(([name, bytes]) => {
        const grown = Math.max(0, bytes - (before[name] ?? 0) - slackBytes);
        return { name, mib: Math.round((grown * msPerDay) / elapsedMs / 2 ** 20) };
      })
      .sort((one, other) => other.mib - one.mib);
    const tooFast = perDay.filter(({ mib }) => mib * 2 ** 20 > bytesPerDayMax);
    assert.equal(tooFast.length, 0, `More than 1 GiB a day: ${JSON.stringify(tooFast)}`);
    const idle = Object.entries(statuses).filter(([, { done }]) => done === 0);
    assert.equal(idle.length, 0, `Never succeeded: ${JSON.stringify(idle)}`);
    const done = Object.values(statuses).reduce((sum, each) => sum + each.done, 0);
    const fastest = perDay.slice(0, 3).map(({ name, mib }) => `${name} ${mib} MiB`);
    return `${keys.toLocaleString("en-US")} keys, ${done} calls of ${Object.keys(statuses).length} kinds in ${seconds} s; a day of it: ${fastest.join(", ")}`;
  },
};

interface Order {
  id: number;
  keys: { id: number; keyString: string }[];
}

async function buy(reseller: ResellerClient, keys: number): Promise<Order[]> {
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: keysPerOrder };
  const orders: Order[] = [];
  while (orders.length * keysPerOrder < keys) {
    const { body } = await reseller.post("/api/reseller/keys/generate", order);
    orders.push({ id: body.orderId, keys: body.keys });
  }
  return orders;
}

async function addWebhooks(reseller: ResellerClient, url: string): Promise<void> {
  const events = ["device.connected", "device.released", "key.refused", "key.revoked"];
  for (let made = 0; made < webhooksPerAccount; made += 1) {
    const { status, text } = await reseller.post("/api/reseller/webhooks", { kind: "standard", url, events });
    assert.equal(status, 201, text);
  }
}

/** As after days of the attack: each webhook has all finished deliveries that are kept, and each key all notes. */
function fillToTheBounds(file: string): void {
  write(file, (connection) => {
    connection.run("PRAGMA synchronous = OFF");
    connection.run(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${finishedPerWebhookMax})
      INSERT INTO webhook_deliveries (webhook_id, message_id, type, data, at)
      SELECT w.id, 'filled_' || n.i, 'device.connected', json_object('keyId', 1, 'deviceId', '${longest.deviceId}'), 0
      FROM webhooks w, n`);
    connection.run(`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${notesPerKeyMax})
      INSERT INTO key_events (key_id, what, made_by, created_at)
      SELECT k.id, 'NOTED', k.reseller_id, 0 FROM license_keys k CROSS JOIN n`);
    connection.run("UPDATE license_keys SET note = ?1, note_folded = ?1", [`${longest.note}0`]);
  });
}

/** Waits until deliveries have ended and the server has erased the surplus. */
async function boundsKept(file: string): Promise<void> {
  const lateAt = performance.now() + endsMsMax;
  for (;;) {
    const broken = write(file, (connection) =>
      connection
        .query(`
          SELECT 'notes' AS what, key_id AS id, count(*) AS count FROM key_events WHERE what = 'NOTED'
          GROUP BY key_id HAVING count(*) > ${notesPerKeyMax}
          UNION ALL SELECT 'deliveries', webhook_id, count(*) FROM webhook_deliveries
          GROUP BY webhook_id HAVING count(*) > ${finishedPerWebhookMax + slackDeliveries} OR count(next_at) > 0 LIMIT 3`)
        .all(),
    );
    if (broken.length === 0) return;
    assert.ok(performance.now() < lateAt, `Bounds are exceeded: ${JSON.stringify(broken)}`);
    await Bun.sleep(1_000);
  }
}

/** In bytes: of each table with its indexes, of the log, and of each other file. */
function sizesOf(file: string, folder: string, output: string): Record<string, number> {
  const rows = write(file, (connection) =>
    connection
      .query(`
        SELECT s.tbl_name AS name, sum(d.pgsize - d.unused) AS bytes
        FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name`)
      .all(),
  ) as { name: string; bytes: number }[];
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("latchkey.db"))
    .map((entry) => join(entry.parentPath, entry.name));
  return {
    ...Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])),
    ...Object.fromEntries(files.map((path) => [path, statSync(path).size])),
    "the log": Buffer.byteLength(output),
  };
}

/** The server runs meanwhile. */
function write<Result>(file: string, work: (connection: Connection) => Result): Result {
  const connection = new Connection(file);
  try {
    connection.run("PRAGMA busy_timeout = 30000");
    return work(connection);
  } finally {
    connection.close();
  }
}

type Statuses = Record<string, { done: number; refused: number }>;

/** Everything that writes and costs nothing, each kind as fast as it is allowed. */
async function attack(url: string, reseller: ResellerClient, orders: Order[], overMs: number): Promise<Statuses> {
  const statuses: Statuses = {};
  const keys = orders.flatMap((order) => order.keys);
  const keyAt = (turn: number) => keys[turn % keys.length] as (typeof keys)[number];
  const player = createClient(url);
  const apiKey = { scopes: ["keys:read"], password: login.password };
  const kinds: Record<string, (turn: number) => Promise<{ status: number }>> = {
    "note of a selection": async (turn) => {
      const { body } = await reseller.post("/api/reseller/keys/selected", {});
      const form = { mark: body.mark, count: body.selected, note: `${longest.note}${turn}` };
      return reseller.call("PUT", "/api/reseller/keys/selected/note", form);
    },
    "note of a key": (turn) =>
      reseller.call("PUT", `/api/reseller/keys/${keyAt(turn).id}/note`, { note: `${longest.note} ${turn}` }),
    "note of an order": (turn) => {
      const { id } = orders[turn % orders.length] as Order;
      return reseller.call("PUT", `/api/reseller/orders/${id}/note`, { note: `${longest.note} ${turn}` });
    },
    pause: async (turn) => {
      const key = keyAt(turn * 2);
      await reseller.post(`/api/reseller/keys/${key.id}/pause`);
      return reseller.post(`/api/reseller/keys/${key.id}/resume`);
    },
    device: async (turn) => {
      const { id, keyString } = keyAt(turn * 2 + 1);
      const request = { key: keyString, game: "FREE FIRE", deviceId: `${longest.deviceId}${turn}` };
      await player.post("/api/verify", request);
      await player.post("/api/verify", { ...request, deviceId: `${request.deviceId}, too many` });
      const { body } = await reseller.get(`/api/reseller/keys/${id}`);
      return reseller.post(`/api/reseller/keys/${id}/devices/${body.devices?.[0]?.id}/remove`);
    },
    "API key": async (turn) => {
      const { body } = await reseller.post("/api/reseller/api-keys", { ...apiKey, name: `${turn}` });
      return reseller.call("DELETE", `/api/reseller/api-keys/${body.id}`);
    },
    download: () => reseller.get("/api/reseller/ledger?format=csv"),
    "sign-in": () => createClient(url).post("/api/auth/reseller/login", login),
    "failed sign-in": async (turn) => {
      const { status } = await createClient(url).post("/api/auth/reseller/login", {
        ...login,
        password: `wrong ${turn}`,
      });
      return { status: status === 401 ? 200 : status };
    },
  };
  await Promise.all(
    Object.entries(kinds).map(async ([kind, send]) => {
      const counts = { done: 0, refused: 0 };
      statuses[kind] = counts;
      for (let turn = 0; performance.now() < overMs; turn += 1) {
        const { status } = await send(turn);
        assert.ok(status < 500, `${kind}: ${status}`);
        counts[status < 400 ? "done" : "refused"] += 1;
      }
    }),
  );
  return statuses;
}
