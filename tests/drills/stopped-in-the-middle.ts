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
const looksAlike = 20;
const socketsEach = 20;
const resellers = 5;
/** In every second stop writes are held up by another process for so long after the signal, in the others until the end. */
const heldMs = 500;
/** Of a short run the supervisor's patience of 6 seconds is the bound: who is ended by it does not exit with 0. */
const exitMsMax = 5_000;

export const drill: Drill<{ stops: number }> = {
  number: "R16",
  promise:
    "SIGTERM with 50 requests, 100 sockets and a half-sent request open: exit 0 within 5 s, no answer lost, sockets closed with 1001",
  onPostgres: true,
  sizes: { short: { stops: 2 }, long: { stops: 50 } },
  async run({ stops }, form) {
    // It looks at one process's metrics.
    const server = await supervise({ processes: 1, environment: { METRICS_TOKEN: metricsToken } });
    const shop = await openShop(server.url, resellers);
    const witness = createWitness();
    let slowestMs = 0;
    let refused = 0;
    let carriedOut = 0;
    for (let stopped = 0; stopped < stops; stopped += 1) {
      const sockets = (await Promise.all(shop.resellers.map(pagesOf))).flat();
      const halfSent = await sendHalf(server.url);
      const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 20 };
      const endOther = await server.stored.holdWrites();
      const buying: ReturnType<ResellerClient["post"]>[] = [];
      const buy = () => {
        const reseller = shop.resellers[buying.length % resellers] as ResellerClient;
        buying.push(reseller.post("/api/reseller/keys/generate", order));
      };
      // The first purchase of each reseller waits for the lock, and the others wait behind it.
      while ((await writesWaiting(server.url)) === 0) buy();
      for (let sent = 0; sent < requests; sent += 1) buy();
      await allArrived(server.url);
      const isHeldToTheEnd = stopped % 2 === 1;
      if (!isHeldToTheEnd) setTimeout(endOther, heldMs);
      const startedAt = performance.now();
      const ended = server.stop().then((code) => ({ code, ms: performance.now() - startedAt }));

      const answers = await Promise.allSettled(buying);
      const lost = answers.filter(({ status }) => status === "rejected").length;
      assert.equal(lost, 0, `${lost} of ${buying.length} requests got no answer.`);
      for (const answer of answers) {
        if (answer.status === "rejected") continue;
        const { status, text, body } = answer.value;
        assert.ok(status === 503 || (status === 201 && !isHeldToTheEnd), `A purchase was answered: ${text}`);
        if (status === 503) refused += 1;
        if (status !== 201) continue;
        carriedOut += 1;
        for (const { keyString } of body.keys) witness.acknowledged("key", keyString);
      }
      const codes = new Set((await Promise.all(sockets.map(({ closed }) => closed))).map(({ code }) => code));
      assert.deepEqual([...codes], [1001], "Sockets were closed with another code.");
      const { code, ms } = await ended;
      assert.equal(code, 0, "The exit code is another.");
      slowestMs = Math.max(slowestMs, ms);
      if (form === "long") assert.ok(slowestMs < exitMsMax, `It took ${slowestMs.toFixed(0)} ms to stop.`);
      halfSent.destroy();
      endOther();
      await server.stored.holdWhole();
      await server.start();
      await witness.holdNothingLost(server.stored);
      assert.equal(await server.stored.count("orders"), carriedOut, "What was refused was carried out all the same.");
    }
    await server.close();
    return `${stops} stops, each with ${requests} purchases and more that wait to be written, ${resellers * socketsEach} sockets and half a request: all answered (${refused} by a 503), the slowest end after ${(slowestMs / 1_000).toFixed(1)} s`;

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

/** How many have arrived that wait for the next commit. */
/**
 * Who has not arrived when the server stops was never its to answer. How many of the first are in the commit is not told, so it is until as many wait
 * in look after look.
 */
async function allArrived(url: string): Promise<void> {
  let waiting = 0;
  for (let alike = 0; waiting < requests || alike < looksAlike; ) {
    const before = waiting;
    waiting = await writesWaiting(url);
    alike = waiting === before ? alike + 1 : 0;
  }
}

async function writesWaiting(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  return Number((await answer.text()).match(/^latchkey_writes_waiting (\d+)$/m)?.[1]);
}

/** A request whose body never comes whole. */
async function sendHalf(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  const head = "POST /api/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  await new Promise((sent) => socket.write(head, sent));
  return socket;
}
