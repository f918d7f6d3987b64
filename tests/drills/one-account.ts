import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { type Client, createApiKey, createClient, registerReseller, signInAdmin, withApiKey } from "../client.ts";
import { connectLive } from "../live-socket.ts";
import { callShop, createLink, sellAuthBody, type TestLink } from "../shop-link.ts";
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
const requestsPaced = {
  kinds: ["searches", "unread lists", "notes", "wrong counts", "refused orders", "refused extensions", "selections"],
  ...{ atOnce: 600, perSecond: 100 },
};
const salesPaced = { kinds: ["failing sales"], atOnce: 60, perSecond: 20 };
const socketsPaced = { kinds: ["sockets"], atOnce: 60, perSecond: 20 };

const login = { username: "one.account", password: "test-reseller-password" };

/** Clients of each kind that attack at once. */
const clientsOfKind = 8;
const listsAtOnce = 250;

const strangersAtOnce = 150;

/** How long each kind of request is sent alone, in the long form. */
const aloneSeconds = 15;

/** What one call extends at most. */
const extendedKeys = 2_000;

/** An admin does not open lists as fast as a program, and another reseller does not buy as fast. */
const othersEveryMs = 100;
/** For another reseller's purchase, and until its webhook has it. */
const purchaseMsMax = 1_000;
const deliveryMsMax = 15_000;

interface Order {
  url: string;
  key: { id: number; keyString: string; orderId: number };
  /** With a limit of credits a day that is spent. */
  apiKey: string;
  /** Of it every sale fails. */
  link: TestLink;
  /** The one kind of requests to send; if it is left out, all. */
  only?: string;
}

/** The statuses of the attacker's responses, by kind. */
type Statuses = Record<string, Counts>;

type Counts = Record<string, number>;

function countOf(counts: Counts = {}): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export const drill: Drill<{ seconds: number }> = {
  number: "R27",
  promise:
    "under all that one reseller account and one stranger can send, at once and each kind alone, the players' p99 at most triples, admins' lists return, others' purchases and webhooks go on, and memory and logs are bounded",
  sizes: { short: { seconds: 5 }, long: { seconds: 45 } },
  async run({ seconds }, form) {
    const server = await superviseFilled(keys, { RATE_LIMITS: "on", WEBHOOK_ALLOW_PRIVATE: "on" });
    const admin = await signInAdmin(() => createClient(server.url));
    const order = await attackersOrder(server.url, admin);
    const other = await otherReseller(server.url, admin);
    const quiet = await playersP99(server, { keys, seconds });
    const alone: Record<string, number> = {};
    for (const only of form === "long" ? kinds : []) {
      const attackers = beginAttack<Statuses>("one-account", { ...order, only });
      await attackers.begun;
      alone[only] = await playersP99(server, { keys, seconds: aloneSeconds });
      await attackers.end();
    }
    const memoryBefore = server.memoryMib();
    const attackers = beginAttack<Statuses>("one-account", order);
    await attackers.begun;
    const begunMs = performance.now();
    const watched = watch(server, admin, other.buy);
    const attacked = await playersP99(server, { keys, seconds });
    const { lists, logMib, purchaseMs } = await watched.end();
    const more = Math.max(0, server.memoryMib() - memoryBefore);
    const statuses = await attackers.end();
    const attackSeconds = (performance.now() - begunMs) / 1_000;
    await other.allDelivered();
    const changes = await countChanges(admin);
    await server.close();

    assert.ok(lists > 0, "No list of the admin returned.");
    assert.ok(logMib < logMibMax, `The write-ahead log grew to ${logMib} MiB.`);
    assert.ok(more < memoryMibMore, `It took ${more.toFixed(0)} MiB.`);
    assert.ok(changes <= changesMax, `One account left ${changes} rows in the audit log.`);
    const faults = Object.entries(statuses).filter(([, counts]) => Object.keys(counts).includes("500"));
    assert.deepEqual(faults, [], "Some requests were a fault of the server.");
    for (const { kinds, atOnce, perSecond } of [requestsPaced, salesPaced, socketsPaced]) {
      const handled = kinds.reduce((sum, kind) => sum + countOf(statuses[kind]), 0);
      const allowed = Math.ceil(atOnce + perSecond * (attackSeconds + 1));
      assert.ok(handled <= allowed, `${handled} ${kinds.join(", ")} were handled, where ${allowed} are allowed.`);
    }
    if (form === "long") {
      for (const [kind, p99] of Object.entries({ ...alone, "everything at once": attacked })) {
        const times = p99 / Math.max(quiet, p99MsMin);
        assert.ok(times <= p99TimesMax, `With ${kind} p99 went from ${quiet.toFixed(1)} to ${p99.toFixed(1)} ms.`);
      }
      assert.ok(purchaseMs <= purchaseMsMax, `A purchase of another reseller took ${purchaseMs.toFixed(0)} ms.`);
    }
    const total = Object.values(statuses)
      .reduce((sum, counts) => sum + countOf(counts), 0)
      .toLocaleString("en-US");
    return `${total} requests of one account: p99 of a verification ${quiet.toFixed(1)} ms, under attack ${attacked.toFixed(1)} ms; ${lists} lists of the admin returned, another's purchase took ${purchaseMs.toFixed(0)} ms at most; ${more.toFixed(0)} MiB more, a log of ${logMib} MiB at most, ${changes} changes recorded`;
  },
};

/** Gives the attacker as many keys as one call extends, and webhooks whose endpoint never responds. */
async function attackersOrder(url: string, admin: Client): Promise<Order> {
  const reseller = await registerReseller(() => createClient(url), admin, { ...login, credits: extendedKeys });
  const order = { game: "FREE FIRE", deviceLimit: 100, days: 5, count: 100 };
  let key: Order["key"] | undefined;
  for (let made = 0; made < extendedKeys; made += order.count) {
    const { body } = await reseller.post("/api/reseller/keys/generate", order);
    key = body.keys[0];
  }
  const hanging = Bun.serve({ port: 0, idleTimeout: 0, fetch: () => new Promise<Response>(() => {}) });
  hanging.unref();
  for (let made = 0; made < 10; made += 1) {
    const events = ["device.connected", "key.revoked", "key.refused"];
    await reseller.post("/api/reseller/webhooks", { kind: "standard", url: hanging.url.href, events });
  }
  const apiKey = await createApiKey(reseller, "reseller", { scopes: ["keys:order"], creditsPerDay: 0.1 });
  const link = await createLink(reseller, "reseller");
  return { url, key: key as Order["key"], apiKey, link };
}

/** Another reseller, and its webhook. */
async function otherReseller(url: string, admin: Client) {
  const reseller = await registerReseller(() => createClient(url), admin, { username: "other", credits: 10_000 });
  const heard = new Set<number>();
  const receiver = Bun.serve({
    port: 0,
    async fetch(request) {
      const { data } = (await request.json()) as { data: { orderId: number } };
      heard.add(data.orderId);
      return new Response();
    },
  });
  receiver.unref();
  const events = ["order.created"];
  await reseller.post("/api/reseller/webhooks", { kind: "standard", url: receiver.url.href, events });
  const sold: number[] = [];
  return {
    async buy() {
      const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
      const { status, body } = await reseller.post("/api/reseller/keys/generate", order);
      assert.equal(status, 201, `A purchase of another reseller got ${status} ${body?.code}.`);
      sold.push(body.orderId);
    },
    async allDelivered() {
      const lateAt = performance.now() + deliveryMsMax;
      while (sold.some((id) => !heard.has(id))) {
        assert.ok(performance.now() < lateAt, "The webhook of another reseller was not told of its orders.");
        await Bun.sleep(50);
      }
    },
  };
}

/** Meanwhile an admin opens lists and another reseller buys, one after the other. Throws if one is refused. */
function watch(server: Supervised, admin: Client, buy: () => Promise<void>) {
  let isOver = false;
  let logMib = 0;
  let lists = 0;
  let purchaseMs = 0;
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
        await Bun.sleep(othersEveryMs);
      }
      const begunMs = performance.now();
      await buy();
      purchaseMs = Math.max(purchaseMs, performance.now() - begunMs);
    }
  })();
  done.catch(() => {});
  return {
    async end() {
      isOver = true;
      await done.finally(() => clearInterval(sizes));
      return { lists, logMib, purchaseMs };
    },
  };
}

async function countChanges(admin: Client): Promise<number> {
  const { text } = await admin.get(`/api/admin/audit?format=csv&search=${login.username}`);
  return text.split("\n").filter((line) => /,(note_changed|key_revoked),/.test(line)).length;
}

const kinds = [
  ...[
    ...requestsPaced.kinds,
    ...salesPaced.kinds,
    ...socketsPaced.kinds,
    "sign-ins",
    "new devices",
    "documents",
    "names",
    "pipelines",
  ],
  "strangers",
];

export const attack: Attack<Order, Statuses> = async ({ url, key, apiKey, link, only }, { begun, over }) => {
  // The sign-ins below end the oldest sessions, so all requests use the newest one.
  let reseller = await signedIn(url);
  let isOver = false;
  over.then(() => {
    isOver = true;
  });
  const statuses: Statuses = {};
  const many = (kind: string, count: number, send: (index: number) => Promise<number>) =>
    Array.from({ length: only === undefined || only === kind ? count : 0 }, async (_, index) => {
      statuses[kind] ??= {};
      const counts = statuses[kind];
      for (let turn = index; !isOver; turn += count) {
        const status = await send(turn).catch(() => 0);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    });
  const statusOf = async (response: Promise<{ status: number }>) => (await response).status;
  const call = (method: string, path: string, body?: object) => statusOf(reseller.call(method, path, body));

  const shop = createClient(url);
  const program = withApiKey(createClient(url), apiKey);
  const tooMany = { game: "FREE FIRE", deviceLimit: 100, days: 5, count: 100 };
  const { mark, selected } = (await reseller.post("/api/reseller/keys/selected", {})).body;
  const all = { mark, count: selected };

  const running = [
    ...many("searches", listsAtOnce, (turn) => call("GET", `/api/reseller/search?q=zz${turn}`)),
    ...many("unread lists", clientsOfKind, () => unreadList(url, { cookie: reseller.cookie() }, () => isOver)),
    ...many("sockets", clientsOfKind, () => floodSocket(url, { cookie: reseller.cookie() })),
    ...many("notes", clientsOfKind, (turn) => call("PUT", `/api/reseller/keys/${key.id}/note`, { note: `n${turn}` })),
    ...many("wrong counts", clientsOfKind, () =>
      call("POST", `/api/reseller/orders/${key.orderId}/revoke-unused`, { count: 77 }),
    ),
    ...many("refused orders", clientsOfKind, () => statusOf(program.post("/api/reseller/keys/generate", tooMany))),
    ...many("refused extensions", clientsOfKind, () =>
      call("POST", "/api/reseller/keys/selected/extend", { ...all, days: 60 }),
    ),
    ...many("failing sales", clientsOfKind, (turn) => statusOf(callShop(shop, link, largeSale(turn)))),
    ...many("selections", clientsOfKind, (turn) =>
      call("PUT", "/api/reseller/keys/selected/note", { ...all, note: `n${turn}` }),
    ),
    ...many("strangers", strangersAtOnce, () => {
      const body = new URLSearchParams({ key: key.keyString });
      return statusOf(fetch(`${url}/k`, { method: "POST", body }).then(read));
    }),
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

const manyFields = JSON.stringify(Array.from({ length: 15_000 }, () => ({})));

/** Asks for more keys than a sale may have, in as many fields as a body holds. */
function largeSale(turn: number): string {
  return `{"rest":${manyFields},${sellAuthBody(`sale.${turn}`, 100).slice(1)}`;
}

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
