import type { Socket } from "bun";
import { type Draw, type TrafficName, traffic } from "./traffic.ts";

/**
 * A process of its own, so that it has a core of its own: it sends one group's kind of request over each of the group's connections, checks every
 * answer, and prints what it measured as JSON. Here it drives as many requests a second as wrk does, and wrk believes every 200.
 */
export interface LoadOrder {
  port: number;
  seconds: number;
  /** Keys in the server's database. */
  keys: number;
  etag: string;
  groups: { traffic: TrafficName; connections: number; perSecond?: number }[];
}

export interface LoadReport {
  answers: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

interface Connection {
  askedAt: number;
  /** What has come of an answer that is not whole yet. */
  pending: string;
}

const order = JSON.parse(process.argv[2] ?? "") as LoadOrder;
const runName = crypto.randomUUID();
const startsAt = performance.now();
// At a rate, what is asked while connections open and this program is compiled is late by that, and more than one in a hundred of a short round.
const leadInMs = order.groups.some(({ perSecond }) => perSecond) ? 400 : 0;
const countsFrom = startsAt + leadInMs;
const endsAt = countsFrom + order.seconds * 1_000;
let asked = 0;

const reports = await Promise.all(order.groups.map(drive));
console.log(JSON.stringify(reports));
process.exit(0);

async function drive(group: LoadOrder["groups"][number]): Promise<LoadReport> {
  const kind = traffic[group.traffic];
  const begins = `HTTP/1.1 ${kind.status} `;
  const latencies: number[] = [];
  const draw: Omit<Draw, "unique"> = { keys: order.keys, below, etag: order.etag };
  // Where a rate is asked for: when the next request is due, whether or not a connection is free by then.
  const idle: Socket<Connection>[] = [];
  const dueEveryMs = group.perSecond ? 1_000 / group.perSecond : 0;
  let dueAt = startsAt;

  const pacing = dueEveryMs > 0 ? setInterval(askWhatIsDue, 1) : null;
  await Promise.all(Array.from({ length: group.connections }, connect));
  if (pacing) clearInterval(pacing);

  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  const perSecond = latencies.length / ((performance.now() - countsFrom) / 1_000);
  return { answers: latencies.length, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };

  async function connect(): Promise<void> {
    const closed = Promise.withResolvers<void>();
    await Bun.connect<Connection>({
      hostname: "127.0.0.1",
      port: order.port,
      data: { askedAt: 0, pending: "" },
      socket: { open: rest, data: receive, close: () => closed.resolve(), error: (_, error) => fail(String(error)) },
    });
    await closed.promise;
  }

  function ask(socket: Socket<Connection>, at: number): void {
    asked += 1;
    socket.data.askedAt = at;
    socket.write(kind.request({ ...draw, unique: `${runName}-${asked}` }));
  }

  function receive(socket: Socket<Connection>, bytes: Buffer): void {
    const text = socket.data.pending + bytes.toString("latin1");
    if (!isWhole(text)) {
      socket.data.pending = text;
      return;
    }
    if (!text.startsWith(begins) || !text.includes(kind.contains)) fail(`${group.traffic} was answered: ${text}`);
    if (socket.data.askedAt >= countsFrom) latencies.push(performance.now() - socket.data.askedAt);
    socket.data.pending = "";
    rest(socket);
  }

  function rest(socket: Socket<Connection>): void {
    const now = performance.now();
    if (now >= endsAt) socket.end();
    else if (dueEveryMs === 0) ask(socket, now);
    else {
      idle.push(socket);
      // Not only when the clock ticks: by that alone each connection asked once in a millisecond at most, and all of them late.
      askWhatIsDue();
    }
  }

  /** Latency counts from when a request was due: a server that stands still does not delay the question about it. */
  function askWhatIsDue(): void {
    const now = performance.now();
    if (now >= endsAt) for (const socket of idle.splice(0)) socket.end();
    // What could not be asked while all warmed up is let go: whatever came behind it would be late by it.
    if (now >= countsFrom) dueAt = Math.max(dueAt, countsFrom);
    for (; dueAt <= now && idle.length > 0; dueAt += dueEveryMs) ask(idle.pop() as Socket<Connection>, dueAt);
  }
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf("\r\n\r\n");
  if (headEnd === -1) return false;
  const bodyBytes = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  return text.length >= headEnd + 4 + bodyBytes;
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
