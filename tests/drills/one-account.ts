import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { type Client, createClient, registerReseller, signInAdmin } from "../client.ts";
import { connectLive } from "../live-socket.ts";
import { type Attack, beginAttack } from "./harness/attack.ts";
import type { Drill } from "./harness/drill.ts";
import { playersP99, superviseFilled } from "./harness/filled-server.ts";
import type { Supervised } from "./harness/supervisor.ts";

const keys = 50_000;
const p99TimesMax = 3;
const p99MsMin = 2;
const memoryMibMore = 500;
/** Twice what slow readers may hold, because the server checks only once a second. */
const logMibMax = 512;
/** For each fixed minute. The attack may reach into a second and a third one. */
const changesMax = 3 * 600;
/** rules.md: Shares, Live socket. */
const requestsPaced = { kinds: ["searches", "unread lists", "notes", "wrong counts"], atOnce: 600, perSecond: 100 };
const socketsPaced = { kinds: ["sockets"], atOnce: 60, perSecond: 20 };

const login = { username: "one.account", password: "test-reseller-password" };

/** Clients of each kind that attack at once. */
const clientsOfKind = 8;
const listsAtOnce = 250;

/** An admin does not open lists as fast as a program. */
const adminEveryMs = 100;

interface Order {
  url: string;
  key: { id: number; keyString: string; orderId: number };
}

/** The statuses of the attacker's responses, by kind. */
type Statuses = Record<string, Counts>;

type Counts = Record<string, number>;

function countOf(counts: Counts = {}): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export const drill: Drill<{ seconds: number }> = {
  number: "R13",
  promise:
    "under everything at once that one reseller account can send, the players' p99 at most triples, lists of admins return, and memory, the write-ahead log and the audit log are bounded",
  sizes: { short: { seconds: 5 }, long: { seconds: 45 } },
  async run({ seconds }, form) {
    const server = await superviseFilled(keys, { RATE_LIMITS: "on" });
    const admin = await signInAdmin(() => createClient(server.url));
    const reseller = await registerReseller(() => createClient(server.url), admin, { ...login, credits: 1_000 });
    const bought = { game: "FREE FIRE", deviceLimit: 100, days: 30, count: 1 };
    const { body } = await reseller.post("/api/reseller/keys/generate", bought);
    const quiet = await playersP99(server, { keys, seconds });
    const memoryBefore = server.memoryMib();
    const attackers = beginAttack<Statuses>("one-account", { url: server.url, key: body.keys[0] });
    await attackers.begun;
    const begunMs = performance.now();
    const watched = watch(server, admin);
    const attacked = await playersP99(server, { keys, seconds });
    const { lists, logMib } = await watched.end();
    const more = Math.max(0, server.memoryMib() - memoryBefore);
    const statuses = await attackers.end();
    const attackSeconds = (performance.now() - begunMs) / 1_000;
    const changes = await countChanges(admin);
    await server.close();

    assert.ok(lists > 0, "No list of the admin returned.");
    assert.ok(logMib < logMibMax, `The write-ahead log grew to ${logMib} MiB.`);
    assert.ok(more < memoryMibMore, `It took ${more.toFixed(0)} MiB.`);
    assert.ok(changes <= changesMax, `One account left ${changes} rows in the audit log.`);
    const faults = Object.entries(statuses).filter(([, counts]) => Object.keys(counts).includes("500"));
    assert.deepEqual(faults, [], "Some requests were a fault of the server.");
    for (const { kinds, atOnce, perSecond } of [requestsPaced, socketsPaced]) {
      const handled = kinds.reduce((sum, kind) => sum + countOf(statuses[kind]), 0);
      const allowed = Math.ceil(atOnce + perSecond * (attackSeconds + 1));
      assert.ok(handled <= allowed, `${handled} ${kinds.join(", ")} were handled, where ${allowed} are allowed.`);
    }
    const times = attacked / Math.max(quiet, p99MsMin);
    if (form === "long")
      assert.ok(times <= p99TimesMax, `p99 went from ${quiet.toFixed(1)} to ${attacked.toFixed(1)} ms.`);
    const total = Object.values(statuses)
      .reduce((sum, counts) => sum + countOf(counts), 0)
      .toLocaleString("en-US");
    return `${total} requests of one account: p99 of a verification ${quiet.toFixed(1)} ms, under attack ${attacked.toFixed(1)} ms; ${lists} lists of the admin returned; ${more.toFixed(0)} MiB more, a log of ${logMib} MiB at most, ${changes} changes recorded`;
  },
};

/** Meanwhile an admin opens lists, one after the other. Throws if one is refused. */
function watch(server: Supervised, admin: Client) {
  let isOver = false;
  let logMib = 0;
  let lists = 0;
  const log = `${server.file}-wal`;
  const sizes = setInterval(() => {
    if (existsSync(log)) logMib = Math.max(logMib, Math.round(statSync(log).size / 2 ** 20));
  }, 100);
  const done = (async () => {
    while (!isOver) {
      for (const path of ["/api/admin/resellers?limit=50", "/api/admin/keys/manage?limit=50", "/api/admin/stats"]) {
        const { status, body } = await admin.get(path);
        assert.equal(status, 200, `A list of the admin got ${status} ${body?.code}.`);
        lists += 1;
        await Bun.sleep(adminEveryMs);
      }
    }
  })();
  done.catch(() => {});
  return {
    async end() {
      isOver = true;
      await done.finally(() => clearInterval(sizes));
      return { lists, logMib };
    },
  };
}

async function countChanges(admin: Client): Promise<number> {
  const { text } = await admin.get(`/api/admin/audit?format=csv&search=${login.username}`);
  return text.split("\n").filter((line) => /,(note_changed|key_revoked),/.test(line)).length;
}

export const attack: Attack<Order, Statuses> = async ({ url, key }, { begun, over }) => {
  // The sign-ins below end the oldest sessions, so all requests use the newest one.
  let reseller = await signedIn(url);
  let isOver = false;
  over.then(() => {
    isOver = true;
  });
  const statuses: Statuses = {};
  const many = (kind: string, count: number, send: (index: number) => Promise<number>) =>
    Array.from({ length: count }, async (_, index) => {
      statuses[kind] ??= {};
      const counts = statuses[kind];
      for (let turn = index; !isOver; turn += count) {
        const status = await send(turn).catch(() => 0);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    });
  const statusOf = async (response: Promise<{ status: number }>) => (await response).status;
  const call = (method: string, path: string, body?: object) => statusOf(reseller.call(method, path, body));

  const running = [
    ...many("searches", listsAtOnce, (turn) => call("GET", `/api/reseller/search?q=zz${turn}`)),
    ...many("unread lists", clientsOfKind, () => unreadList(url, { cookie: reseller.cookie() }, () => isOver)),
    ...many("sockets", clientsOfKind, () => floodSocket(url, { cookie: reseller.cookie() })),
    ...many("notes", clientsOfKind, (turn) => call("PUT", `/api/reseller/keys/${key.id}/note`, { note: `n${turn}` })),
    ...many("wrong counts", clientsOfKind, () =>
      call("POST", `/api/reseller/orders/${key.orderId}/revoke-unused`, { count: 77 }),
    ),
    ...many("sign-ins", 2, async () => {
      reseller = await signedIn(url);
      return 200;
    }),
    ...many("new devices", clientsOfKind, (turn) =>
      statusOf(
        createClient(url).post("/api/verify", { key: key.keyString, game: "FREE FIRE", deviceId: `device-${turn}` }),
      ),
    ),
    ...many("documents", 2, () => statusOf(fetch(`${url}/swagger/json`).then(read))),
    ...many("names", 2, () => statusOf(fetch(`${url}/api/verify`, manyNames).then(read))),
    ...many("pipelines", 2, () => pipeline(url)),
  ];
  begun();
  await Promise.all(running);
  return statuses;
};

async function signedIn(url: string): Promise<Client> {
  const client = createClient(url);
  const { status } = await client.post("/api/auth/reseller/login", login);
  assert.equal(status, 200);
  return client;
}

async function read(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}

const manyNames: RequestInit = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [index, 1]))),
};

/** Begins a whole list and reads nothing of it for two seconds. */
async function unreadList(url: string, headers: Record<string, string>, isOver: () => boolean): Promise<number> {
  const aborting = new AbortController();
  const response = await fetch(`${url}/api/reseller/keys`, { headers, signal: aborting.signal });
  for (let waited = 0; waited < 20 && !isOver(); waited += 1) await Bun.sleep(100);
  aborting.abort();
  return response.status;
}

/** Says hello again and again until the server closes the socket. Returns its close code. */
async function floodSocket(url: string, headers: Record<string, string>): Promise<number> {
  const socket = await connectLive(url, headers);
  let isOpen = true;
  socket.closed.then(() => {
    isOpen = false;
  });
  for (let sent = 0; sent < 10_000 && isOpen; sent += 1) {
    socket.send({ type: "auth", resellerId: 1 });
    if (sent % 100 === 0) await new Promise(setImmediate);
  }
  return (await socket.closed).code;
}

const pipelined = 500;

async function pipeline(url: string): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write("GET /api/updates HTTP/1.1\r\nHost: x\r\n\r\n".repeat(pipelined));
  let bytes = 0;
  await new Promise<void>((resolve) => {
    socket.on("close", () => resolve());
    socket.on("data", (piece) => {
      bytes += piece.length;
      if (bytes > pipelined * 100) socket.destroy();
    });
  });
  return bytes > 0 ? 200 : 0;
}
