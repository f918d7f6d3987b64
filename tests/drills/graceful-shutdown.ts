import assert from "node:assert/strict";
import { connect } from "node:net";
import type { ResellerClient } from "../client.ts";
import { connectLive, type LiveSocket } from "../live-socket.ts";
import { parallel } from "../parallel.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

const requests = 50;
const metricsToken = "metrics-token-of-the-drill-0123456789";
const equalReadings = 20;
const socketsEach = 20;
const resellers = 5;
/**
 * Another process blocks all writes: in every second stop for this long after the signal, in the others until the end.
 */
const blockedMs = 500;
/** The limit of the long form. In the short form it is 6 seconds, after which the test kills the server. */
const exitMsMax = 5_000;

export const drill: Drill<{ stops: number }> = {
  number: "R16",
  promise:
    "on SIGTERM with 50 requests, 100 sockets and a half-sent request open, it exits with 0 within 5 s, loses no response and closes sockets with 1001",
  onPostgres: true,
  sizes: { short: { stops: 2 }, long: { stops: 50 } },
  async run({ stops }, form) {
    // The drill reads the metrics of one process.
    const server = await supervise({ processes: 1, environment: { METRICS_TOKEN: metricsToken } });
    const shop = await openShop(server.url, resellers);
    const witness = createWitness();
    let slowestMs = 0;
    let refused = 0;
    let bought = 0;
    for (let stopped = 0; stopped < stops; stopped += 1) {
      const sockets = (await Promise.all(shop.resellers.map(pagesOf))).flat();
      const halfSent = await sendHalf(server.url);
      const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 20 };
      const unblockWrites = await server.stored.blockWrites();
      const buying: ReturnType<ResellerClient["post"]>[] = [];
      const buy = () => {
        const reseller = shop.resellers[buying.length % resellers] as ResellerClient;
        buying.push(reseller.post("/api/reseller/keys/generate", order));
      };
      // Each reseller's first purchase waits for the lock, and the others wait behind it.
      while ((await writesWaiting(server.url)) === 0) buy();
      for (let sent = 0; sent < requests; sent += 1) buy();
      await allArrived(server.url);
      const isBlockedToTheEnd = stopped % 2 === 1;
      if (!isBlockedToTheEnd) setTimeout(unblockWrites, blockedMs);
      const startedAt = performance.now();
      const ended = server.stop().then((code) => ({ code, ms: performance.now() - startedAt }));

      const responses = await Promise.allSettled(buying);
      const lost = responses.filter(({ status }) => status === "rejected").length;
      assert.equal(lost, 0, `${lost} of ${buying.length} requests got no response.`);
      for (const response of responses) {
        if (response.status === "rejected") continue;
        const { status, text, body } = response.value;
        assert.ok(status === 503 || (status === 201 && !isBlockedToTheEnd), `A purchase got: ${text}`);
        if (status === 503) refused += 1;
        if (status !== 201) continue;
        bought += 1;
        for (const { keyString } of body.keys) witness.acknowledged("key", keyString);
      }
      const codes = new Set((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code));
      assert.deepEqual([...codes], [1001], "Sockets were closed with another code.");
      const { code, ms } = await ended;
      assert.equal(code, 0, "The exit code is not 0.");
      slowestMs = Math.max(slowestMs, ms);
      if (form === "long") assert.ok(slowestMs < exitMsMax, `It took ${slowestMs.toFixed(0)} ms to stop.`);
      halfSent.destroy();
      unblockWrites();
      await server.stored.assertIntegrity();
      await server.start();
      await witness.assertNothingLost(server.stored);
      assert.equal(await server.stored.count("orders"), bought, "A refused purchase took effect.");
    }
    await server.close();
    return `${stops} stops, each with at least ${requests} waiting purchases, ${resellers * socketsEach} sockets and half a request: all got a response (${refused} a 503), the slowest stop took ${(slowestMs / 1_000).toFixed(1)} s`;

    async function pagesOf(reseller: ResellerClient): Promise<LiveSocket[]> {
      return parallel(socketsEach, async () => {
        const socket = await connectLive(server.url, { cookie: reseller.cookie() });
        socket.send({ type: "auth", resellerId: reseller.id });
        assert.deepEqual(await socket.next(), { type: "auth_success" });
        return socket;
      });
    }
  },
};

/**
 * Waits until all requests have reached the server. The number that is already being committed is unknown, so it waits
 * until the number of waiting writes stays the same.
 */
async function allArrived(url: string): Promise<void> {
  let waiting = 0;
  for (let equal = 0; waiting < requests || equal < equalReadings; ) {
    const before = waiting;
    waiting = await writesWaiting(url);
    equal = waiting === before ? equal + 1 : 0;
  }
}

async function writesWaiting(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number((await response.text()).match(/^latchkey_writes_waiting (\d+)$/m)?.[1]);
}

/** Sends a request whose body is never complete. */
async function sendHalf(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const head = "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  await new Promise((sent) => socket.write(head, sent));
  return socket;
}
