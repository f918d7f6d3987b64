import type { Socket } from "bun";
import { newNonce } from "../read-proof.ts";
import { connectedDevice, game, keyText, unknownKeyText } from "./key-space.ts";
import { onLoadCore } from "./server.ts";

export interface LoadOrder {
  port: number;
  kind: keyof typeof kinds;
  seconds: number;
  /** The keys to draw from: each `step`-th one from number `first` on. */
  keys: { first?: number; count: number; step?: number };
  /** Each key once and in order, however long it takes. Otherwise keys are drawn at random for the given time. */
  once?: boolean;
  connections?: number;
  /** Without a rate, each connection sends the next request as soon as it has a response. */
  requestsPerSecond?: number;
  etag?: string;
}

export interface LoadReport {
  /** All responses, including those of the warm-up. */
  responses: number;
  perSecond: number;
  p99Ms: number;
}

/** Runs the load in a separate process on the load's core. Throws if a response was wrong. */
export async function load(order: LoadOrder): Promise<LoadReport> {
  const command = [process.execPath, import.meta.path, JSON.stringify(order)];
  const child = Bun.spawn(onLoadCore(command), { stdout: "pipe", stderr: "inherit" });
  const [report, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  if (code !== 0) throw new Error(`The load of ${order.kind} failed. The reason is printed above.`);
  return JSON.parse(report);
}

interface Kind {
  request(number: number, unique: string): string;
  /** What a correct response contains, status line included. */
  expected: RegExp;
}

const runName = crypto.randomUUID();
const valid = /^HTTP\/1\.1 200 .*"code":"VALID"/s;
const randomByte = () => Math.floor(Math.random() * 256);

const kinds = {
  connected: { request: (number) => post(keyText(number), connectedDevice(number)), expected: valid },
  signed: {
    request: (number) => post(keyText(number), connectedDevice(number), { nonce: newNonce() }),
    expected: /^HTTP\/1\.1 200 .*"code":"VALID".*"proof":"lk1\./s,
  },
  newDevice: { request: (number, unique) => post(keyText(number), `new-${runName}-${unique}`), expected: valid },
  preview: {
    request: (number) => get(`/api/verify/${keyText(number)}/${encodeURIComponent(game)}/${connectedDevice(number)}`),
    expected: valid,
  },
  // Even 65,536 addresses reach the limit for guesses on a fast machine.
  unknownKey: {
    request: (number) =>
      post(
        unknownKeyText(number),
        "guesser",
        {},
        `X-Forwarded-For: 10.${randomByte()}.${randomByte()}.${randomByte()}\r\n`,
      ),
    expected: /^HTTP\/1\.1 200 .*"code":"NOT_FOUND"/s,
  },
  unchangedUpdates: {
    request: () => get("/api/updates", `If-None-Match: ${order.etag}\r\n`),
    expected: /^HTTP\/1\.1 304 /,
  },
} satisfies Record<string, Kind>;

function post(key: string, deviceId: string, options = {}, headers = ""): string {
  const body = JSON.stringify({ key, deviceId, game, ...options });
  return `POST /api/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

function get(path: string, headers = ""): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
}

/** Requests sent while connections open and code is compiled are not part of the figures. */
const warmUpMs = 300;
const connectionsDefault = 64;

interface Connection {
  sentAt: number;
  pending: string;
}

let order: LoadOrder;

async function drive(): Promise<LoadReport> {
  const { port, seconds, keys, once = false, connections = connectionsDefault, requestsPerSecond } = order;
  const { request, expected }: Kind = kinds[order.kind];
  const { first = 0, count, step = 1 } = keys;
  const countsFrom = performance.now() + warmUpMs;
  const endsAt = once ? Number.POSITIVE_INFINITY : countsFrom + seconds * 1_000;
  const dueEveryMs = 1_000 / (requestsPerSecond ?? Number.POSITIVE_INFINITY);
  const idle: Socket<Connection>[] = [];
  const latencies: number[] = [];
  let [responses, sent, dueAt] = [0, 0, performance.now()];

  const pacing = setInterval(sendWhatIsDue, 1);
  await Promise.all(Array.from({ length: connections }, connect));
  clearInterval(pacing);
  const perSecond = latencies.length / ((performance.now() - countsFrom) / 1_000);
  latencies.sort((a, b) => a - b);
  return { responses, perSecond, p99Ms: latencies[Math.floor((latencies.length - 1) * 0.99)] ?? Number.NaN };

  async function connect(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    await Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port,
      data: { sentAt: 0, pending: "" },
      socket: { open: ready, data: receive, close: () => closed.resolve(), error: (_, error) => fail(error.message) },
    });
    await closed.promise;
  }

  function ready(socket: Socket<Connection>): void {
    idle.push(socket);
    sendWhatIsDue();
  }

  /**
   * Latency counts from when a request was due, so a server that stalls does not delay the measurement of the stall.
   */
  function sendWhatIsDue(): void {
    const now = performance.now();
    if (now >= endsAt || (once && sent >= count)) for (const socket of idle.splice(0)) socket.end();
    // Without a rate, a request is due as soon as a connection is idle. Requests missed during the warm-up are dropped.
    if (dueEveryMs === 0) dueAt = now;
    else if (now >= countsFrom) dueAt = Math.max(dueAt, countsFrom);
    while (dueAt <= now && idle.length > 0 && !(once && sent >= count)) {
      const socket = idle.pop() as Socket<Connection>;
      sent += 1;
      socket.data.sentAt = dueAt;
      const place = once ? sent - 1 : Math.floor(Math.random() * count);
      socket.write(request(first + place * step, String(sent)));
      dueAt += dueEveryMs;
    }
  }

  function receive(socket: Socket<Connection>, bytes: Buffer): void {
    const text = socket.data.pending + bytes.toString("latin1");
    socket.data.pending = isWhole(text) ? "" : text;
    if (socket.data.pending) return;
    if (!expected.test(text)) fail(`A wrong response to ${order.kind}: ${text}`);
    responses += 1;
    if (socket.data.sentAt >= countsFrom) latencies.push(performance.now() - socket.data.sentAt);
    ready(socket);
  }
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf("\r\n\r\n");
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return headEnd !== -1 && text.length >= headEnd + 4 + bodyBytes;
}

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

if (import.meta.main) {
  order = JSON.parse(process.argv[2] as string);
  console.log(JSON.stringify(await drive()));
  process.exit(0);
}
