import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connectLive } from "../live-socket.ts";
import { parallel } from "../parallel.ts";
import { type Attack, beginAttack } from "./harness/attack.ts";
import type { Drill } from "./harness/drill.ts";
import { playersP99, superviseFilledApart } from "./harness/filled-server.ts";

const keys = 50_000;
const p99TimesMax = 3;
const p99MsMin = 2;
const memoryMibMore = 300;

/** The server closes half a request and an unauthenticated socket after 10 seconds. */
const closedMsMax = 30_000;
const frameBytes = 1 << 20;
const pieceBytes = 1 << 20;

interface Size {
  slow: number;
  bodies: number;
  bodyMib: number;
  silent: number;
  frames: number;
  seconds: number;
}

export const drill: Drill<Size> = {
  number: "R15",
  promise:
    "with slow senders, giant bodies, silent connections and giant frames the players' p99 at most triples, memory is bounded, and each connection is closed in bounded time",
  sizes: {
    short: { slow: 200, bodies: 8, bodyMib: 100, silent: 100, frames: 20, seconds: 3 },
    long: { slow: 2_000, bodies: 100, bodyMib: 100, silent: 1_000, frames: 200, seconds: 15 },
  },
  async run({ seconds, ...size }, form) {
    const server = await superviseFilledApart(keys);
    const quiet = await playersP99(server, { keys, seconds });
    const memoryBefore = server.memoryMib();
    const order: Hostility = { ...size, url: server.url };
    const attackers = beginAttack<Closed>("hostile-connections", order);
    await attackers.begun;
    const attacked = await playersP99(server, { keys, seconds });
    const memoryMib = server.memoryMib();
    const { statuses, codes, closedMs } = await attackers.end();

    for (const status of statuses) assert.ok(status === 413 || status === null, `A giant body got ${status}.`);
    for (const code of codes) assert.ok([1006, 1009].includes(code), `A giant frame was closed with ${code}.`);
    assert.ok(closedMs !== null, `Some connections are open ${closedMsMax / 1_000} s later.`);
    const more = memoryMib - memoryBefore;
    assert.ok(more < memoryMibMore, `It took ${more.toFixed(0)} MiB.`);
    await server.close();
    const times = attacked / Math.max(quiet, p99MsMin);
    if (form === "long")
      assert.ok(times <= p99TimesMax, `p99 went from ${quiet.toFixed(1)} to ${attacked.toFixed(1)} ms.`);
    const { slow, bodies, bodyMib, silent, frames } = size;
    return `${slow} slow senders, ${bodies} bodies of ${bodyMib} MiB, ${silent} silent sockets, ${frames} giant frames: p99 of a verification ${quiet.toFixed(1)} ms, under attack ${attacked.toFixed(1)} ms; ${Math.max(0, more).toFixed(0)} MiB more; all closed after ${(closedMs / 1_000).toFixed(0)} s`;
  },
};

type Hostility = Omit<Size, "seconds"> & { url: string };

interface Closed {
  statuses: (number | null)[];
  codes: number[];
  /** When the last connection was closed, or `null` if some stayed open. */
  closedMs: number | null;
}

export const attack: Attack<Hostility, Closed> = async (order, { begun, over }) => {
  const { url, slow, bodies, bodyMib, silent, frames } = order;
  const beganAt = performance.now();
  const slowSenders = await parallel(slow, () => sendHalf(url));
  const silentSockets = await parallel(silent, () => connectLive(url));
  const giants = parallel(bodies, () => sendGiant(url, bodyMib));
  const floods = parallel(frames, async () => {
    const socket = await connectLive(url);
    socket.send("x".repeat(frameBytes));
    return (await socket.closed).code;
  });
  begun();
  const closed = Promise.all([...slowSenders, ...silentSockets].map(({ closed }) => closed));
  const closedMs = closed.then(() => performance.now() - beganAt);
  const [statuses, codes] = await Promise.all([giants, floods, over]);
  const late = Bun.sleep(closedMsMax).then(() => null);
  return { statuses, codes, closedMs: await Promise.race([closedMs, late]) };
};

/** Sends half a request and then nothing. */
async function sendHalf(url: string): Promise<{ closed: Promise<unknown> }> {
  const socket = await open(url);
  socket.write("POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Slow:");
  return { closed: once(socket.resume(), "close") };
}

/** Sends a body that is far too large until a response or the end of the connection. Returns the status or `null`. */
async function sendGiant(url: string, mib: number): Promise<number | null> {
  const socket = await open(url);
  let response = "";
  const responded = new Promise<void>((resolve) => {
    socket.on("data", (piece) => {
      response += piece;
      resolve();
    });
  });
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  const bytes = mib * 2 ** 20;
  socket.write(
    `POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  const piece = new Uint8Array(pieceBytes).fill(32);
  for (let sent = 0; sent < bytes && !socket.destroyed && response === ""; sent += piece.length) {
    await new Promise<void>((resolve) => {
      socket.write(piece, () => resolve());
    });
  }
  // A server that reads the whole body responds at its end.
  await Promise.race([responded, closed]);
  socket.destroy();
  await closed;
  const [, status] = response.match(/^HTTP\/1\.1 (\d+)/) ?? [];
  return status === undefined ? null : Number(status);
}

function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.on("error", () => {});
  });
}
