import assert from "node:assert/strict";
import { createClient, type ResellerClient } from "../client.ts";
import { parallel } from "../parallel.ts";
import type { Drill } from "./harness/drill.ts";
import { openShop } from "./harness/mixed-writes.ts";
import { supervise } from "./harness/supervisor.ts";

const writers = 8;
const resellers = 4;

/** The time between two kills, at most. */
const aliveMsMax = 4_000;

/** An attempt that a kill interrupts is due again after 30 s, and one that fails or hangs for 10 s after another 5. */
const arrivesMsMax = 90_000;

/** The receiver misbehaves the first time that it gets an event, more rarely where that costs more time. */
const misbehaves = 0.2;
const hangs = 0.02;

interface Event {
  type: "order.created" | "device.connected" | "key.revoked";
  data: { orderId: number; keyId: number; deviceId: string };
}

export const drill: Drill<{ events: number; kills: number }> = {
  number: "R23",
  promise:
    "through kills, and with a receiver that fails, hangs, lies and recovers, each event is delivered at least once, none before its commit, with the same id and body on every attempt",
  onPostgres: true,
  waitsMostly: true,
  sizes: { short: { events: 150, kills: 3 }, long: { events: 1_000, kills: 30 } },
  async run({ events, kills }) {
    const server = await supervise({ environment: { WEBHOOK_ALLOW_PRIVATE: "on", RATE_LIMITS: "off" } });
    const shop = await openShop(server.url, resellers);
    const receiver = startReceiver();
    const form = { kind: "standard", url: receiver.url, events: ["order.created", "device.connected", "key.revoked"] };
    const made = await shop.admin.post("/api/admin/webhooks", form);
    assert.equal(made.status, 201, made.text);

    /** The events of changes that the server has acknowledged. */
    const acknowledged = new Set<string>();
    for (let killed = 0; killed < kills || acknowledged.size < events; killed += 1) {
      const wanted = Math.ceil(((killed + 1) * events) / kills);
      const writing = parallel(writers, (writer) =>
        write(shop.resellers[writer % resellers] as ResellerClient, wanted),
      );
      const alive = Bun.sleep(Math.random() * aliveMsMax);
      await Promise.race([alive, writing]);
      if (acknowledged.size >= wanted) await alive;
      await server.kill();
      await writing;
      await server.start();
    }

    const lateAt = performance.now() + arrivesMsMax;
    while ([...acknowledged].some((event) => !receiver.accepted.has(event))) {
      assert.ok(performance.now() < lateAt, `${countLost()} of ${acknowledged.size} events were not accepted.`);
      await Bun.sleep(100);
    }
    for (const [event, ids] of receiver.seen) {
      assert.equal(ids.size, 1, `${event} came with ${ids.size} ids or bodies.`);
      assert.equal(await countOf(event), 1, `${event} was sent, and did not happen.`);
    }
    assert.equal(receiver.early.length, 0, `Sent before they were committed: ${receiver.early.join()}.`);
    await server.stop();
    receiver.stop();
    await server.stored.assertIntegrity();
    await server.close();
    return `${acknowledged.size} events, ${kills} kills, ${receiver.attempts()} attempts: each event arrived, with one id, after its commit`;

    function countLost(): number {
      return [...acknowledged].filter((event) => !receiver.accepted.has(event)).length;
    }

    async function write(reseller: ResellerClient, wanted: number): Promise<void> {
      const client = createClient(server.url);
      while (acknowledged.size < wanted) {
        try {
          const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
          const bought = await reseller.post("/api/reseller/keys/generate", order);
          assert.equal(bought.status, 201, bought.text);
          acknowledged.add(`order.created ${bought.body.orderId}`);
          const [{ id, keyString }] = bought.body.keys;
          const deviceId = crypto.randomUUID();
          const { body } = await client.post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE" });
          assert.ok(body.valid, body.message);
          acknowledged.add(`device.connected ${deviceId}`);
          const revoked = await reseller.post(`/api/reseller/keys/${id}/revoke`);
          assert.equal(revoked.status, 200, revoked.text);
          acknowledged.add(`key.revoked ${id}`);
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          return;
        }
      }
    }

    /** 1 if the change that an event reports is committed, otherwise 0. */
    function countOf(event: string): Promise<number> {
      const [type, subject] = event.split(" ");
      if (type === "order.created") return server.stored.count(`orders WHERE id = ${subject}`);
      if (type === "key.revoked") return server.stored.count(`license_keys WHERE id = ${subject} AND revoked_at > 0`);
      return server.stored.count(`key_devices WHERE device_id = '${subject}'`);
    }

    function startReceiver() {
      const seen = new Map<string, Set<string>>();
      const accepted = new Set<string>();
      const early: string[] = [];
      let count = 0;
      const bun = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        idleTimeout: 0,
        async fetch(request) {
          const id = request.headers.get("webhook-id");
          const text = await request.text();
          const event = nameOf(JSON.parse(text));
          count += 1;
          if ((await countOf(event)) === 0) early.push(event);
          const before = seen.get(event);
          seen.set(event, new Set([...(before ?? []), `${id} ${text}`]));
          const response = before ? new Response("ok") : await firstResponse(request);
          if (response.ok) accepted.add(event);
          return response;
        },
      });
      return {
        url: `http://127.0.0.1:${bun.port}`,
        seen,
        accepted,
        early,
        attempts: () => count,
        stop: () => bun.stop(true),
      };
    }
  },
};

function nameOf({ type, data: { orderId, keyId, deviceId } }: Event): string {
  return `${type} ${{ "order.created": orderId, "device.connected": deviceId, "key.revoked": keyId }[type]}`;
}

/** Accepts most events. The others it has, but it says otherwise, or nothing. */
async function firstResponse(request: Request): Promise<Response> {
  const luck = Math.random();
  if (luck < hangs) {
    await new Promise((resolve) => request.signal.addEventListener("abort", resolve));
    return new Response("too late", { status: 504 });
  }
  if (luck < misbehaves / 2) return new Response("an error", { status: 500 });
  return luck < misbehaves
    ? new Response("busy", { status: 429, headers: { "retry-after": "1" } })
    : new Response("ok");
}
