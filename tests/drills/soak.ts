import assert from "node:assert/strict";
import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { msPerMinute } from "../../src/core/clock.ts";
import { game, keyText } from "../bench/key-space.ts";
import { type Client, createClient, type ResellerClient } from "../client.ts";
import { parallel } from "../parallel.ts";
import { runLatchkey, temporaryFolder } from "../process.ts";
import type { Drill } from "./harness/drill.ts";
import { superviseFilled } from "./harness/filled-server.ts";
import { linePlot } from "./harness/line-plot.ts";
import { type MemorySample, type Rise, riseOf, windowMinutes } from "./harness/memory-rise.ts";
import { beginMixedWrites, openShop } from "./harness/mixed-writes.ts";
import type { Supervised } from "./harness/supervisor.ts";
import { createWitness } from "./harness/witness.ts";

/** Few writes and many reads: memory for growing data would hide a leak. */
const writers = 4;
const writeRestMs = 2_000;
const players = 8;
const playRestMs = 80;

const riseMibPerHourMax = 5;
/** The range between the lowest and the highest window: it allows one step, but no leak that begins late. */
const rangeMibMax = 10;
const lookMs = 500;
/**
 * The last minutes of the run. Everything before is warm-up: caches fill, code is compiled, the heap reaches its size.
 */
const measuredMinutes = 42;
/**
 * By default each thread collects young objects every second and all objects every few minutes, when memory drops by 15
 * MiB. A slope of 5 MiB would be lost in that, so here every collection is a full one.
 */
const fullCollections = { BUN_JSC_useGenerationalGC: "0" };

/** The limit of a short run, which is all warm-up. */
const memoryMibMax = 500;
/** The limit after warm-up: a download prevents checkpoints, so the log grows with the traffic during it. */
const walMibMax = 48;
/** Clients' keep-alive connections and threads that start on demand, those of zlib too, each with two or more. */
const descriptorsMoreMax = 24;
/** Connections to PostgreSQL, which open on demand and stay open: the pool's and those of downloads. */
const connectionsMax = 10 + 4;

const plotFile = join(import.meta.dir, "../../docs/soak.svg");

interface Size {
  seconds: number;
  /** The number of keys at the start. */
  keys: number;
  kills: number;
  sampleMs: number;
  backupEveryMs: number;
}

/** A phase of the run. */
interface Phase {
  ms: number;
  /** A multiple of the normal traffic. */
  pace: number;
  end: "kill" | "none";
}

/**
 * Four minutes of the hour after the last start have as much traffic as more than an hour, so that everything bounded
 * fills up.
 */
const busyShare = 1 / 15;
const busyPace = 20;

interface Sample {
  minute: number;
  memoryMib: number;
  descriptors: number;
  walMib: number;
  p99Ms: number;
}

export const drill: Drill<Size> = {
  number: "R20",
  promise:
    "in an hour of mixed traffic with kills, backups and downloads, memory rises by less than 5 MB an hour after warm-up, descriptors are released, and the log stays small",
  onPostgres: true,
  waitsMostly: true,
  sizes: {
    short: { seconds: 60, keys: 4_000, kills: 1, sampleMs: 500, backupEveryMs: 15_000 },
    long: {
      seconds: 3_600,
      keys: 300_000,
      kills: 4,
      sampleMs: 10_000,
      backupEveryMs: (windowMinutes * msPerMinute) / 2,
    },
  },
  async run(size, form) {
    const server = await superviseFilled(size.keys, fullCollections);
    const isEmbedded = server.stored.engine === "sqlite";
    const shop = await openShop(server.url);
    const witness = createWitness();
    const atRest = server.descriptors();
    const samples: Sample[] = [];
    let sampledAt = performance.now();
    const memorySamples: MemorySample[] = [];
    const killedAt: number[] = [];
    const startedAt = performance.now();
    const minute = () => (performance.now() - startedAt) / msPerMinute;
    const phases = phasesOf(size);

    for (const [index, { ms, pace, end }] of phases.entries()) {
      const latencies: number[] = [];
      const writing = beginMixedWrites({ url: server.url, shop, witness, writers, restMs: writeRestMs / pace });
      const reading = beginReading(server, shop.resellers[0] as ResellerClient, latencies, playRestMs / pace);
      const copying = beginCopying(server, shop.admin, size.backupEveryMs);
      const isFreshStart = phases[index - 1]?.end !== "none";
      const warming = isFreshStart ? warmUp(server, shop.admin, size.keys).catch(ignoreKilled) : null;
      const endsAt = performance.now() + ms;
      while (performance.now() < endsAt) {
        await Bun.sleep(Math.min(lookMs, Math.max(1, endsAt - performance.now())));
        memorySamples.push({ minute: minute(), mib: server.memoryMib() });
        if (performance.now() < sampledAt + size.sampleMs) continue;
        sampledAt = performance.now();
        samples.push({ minute: minute(), ...measured(server), p99Ms: p99Of(latencies.splice(0)) });
      }
      if (end === "kill") {
        killedAt.push(minute());
        await server.kill();
      }
      await Promise.all([writing.stop(), reading.stop(), copying.stop(), warming]);
      if (end !== "kill") continue;
      await server.stored.assertIntegrity();
      await server.start();
      await witness.assertNothingLost(server.stored);
    }

    const found = {
      ...judgedOf(samples),
      ...riseOf(memorySamples.filter(isJudged)),
      walMib: walMibOf(samples.filter(isJudged)),
      walMibAtAll: walMibOf(samples),
      atRest,
    };
    if (form === "long" && isEmbedded) writeFileSync(plotFile, plotOf(samples, killedAt));
    await descriptorsReleased(server, atRest + descriptorsMoreMax + (isEmbedded ? 0 : connectionsMax));
    const descriptors = server.descriptors();
    await witness.assertNothingLost(server.stored);
    assert.equal(await server.stop(), 0);
    await server.stored.assertIntegrity();
    await server.close();

    const risen = riseText(found);
    if (form === "long") {
      assert.ok(found.perHourAtMost < riseMibPerHourMax, `Memory may leak: ${risen}.`);
      assert.ok(found.rangeMib < rangeMibMax, `Memory changes by ${found.rangeMib.toFixed(1)} MiB: ${risen}.`);
    }
    assert.ok(found.memoryMib < memoryMibMax, `It holds ${found.memoryMib.toFixed(0)} MiB.`);
    assert.ok(found.walMib < walMibMax, `The log grew to ${found.walMib.toFixed(0)} MiB.`);
    return `${(size.seconds / 60).toFixed(1)} minutes, ${size.kills} kill${size.kills === 1 ? "" : "s"}, ${witness.count().toLocaleString("en-US")} acknowledged writes, 0 lost; memory at most ${found.memoryMib.toFixed(0)} MiB, ${form === "long" ? `${risen}, ` : ""}descriptors ${atRest} → ${descriptors}, ${isEmbedded ? `log at most ${found.walMib.toFixed(1)} MiB (${found.walMibAtAll.toFixed(1)} with the warm-up), ` : ""}p99 of a verification ${found.p99Ms.toFixed(1)} ms (median of samples)`;
  },
};

/** The kills come in the first tenth, so that the last phase is long enough to measure a slope. */
function phasesOf({ seconds, kills }: Size): Phase[] {
  const ms = seconds * 1_000;
  const killed: Phase[] = Array.from({ length: kills }, () => ({ ms: ms / 10 / kills, pace: 1, end: "kill" }));
  const busy: Phase = { ms: ms * busyShare, pace: busyPace, end: "none" };
  return [...killed, busy, { ms: ms * (1 - 1 / 10 - busyShare), pace: 1, end: "none" }];
}

/**
 * Every eighth key is verified. A database page holds more keys than that, so all pages of the tables and indexes are
 * read.
 */
const keysPerVisit = 8;
const visitorsAtOnce = 8;
/** Different pages of about 20,000 characters each: more than the cache holds. */
const pagesOpened = 600;

/**
 * A bounded cache that is still filling looks like a leak, so all caches are filled first. SQLite connections cache
 * pages of the file: the database is larger than each cache (including the reader's 64 MiB), and all of it is read and
 * written once. A new device on a key is looked up and written; a search without matches reads whole tables. Rendered
 * pages of the panel are cached; the reseller's page alone, which changes with the balance, would take half an hour to
 * fill that cache.
 */
async function warmUp({ url }: Supervised, admin: Client, keys: number): Promise<void> {
  const client = createClient(url);
  await admin.get("/api/admin/keys?limit=50&search=nothing-is-called-so");
  for (let id = 1; id <= pagesOpened; id += 1) {
    const { status } = await admin.get(`/admin/keys/${id}`);
    assert.equal(status, 200);
  }
  let next = 0;
  await parallel(visitorsAtOnce, async () => {
    for (; next < keys; ) {
      const key = keyText(next);
      next += keysPerVisit;
      const { body } = await client.post("/api/verify", { key, deviceId: crypto.randomUUID(), game });
      assert.equal(body?.code, "VALID");
    }
  });
}

/** Players who verify repeatedly, and a reseller who reads lists. */
function beginReading(server: Supervised, reseller: ResellerClient, latencies: number[], restMs: number) {
  let stopping = false;
  const player = async () => {
    const client = createClient(server.url);
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
    const bought = await reseller.post("/api/reseller/keys/generate", order);
    const request = { key: bought.body.keys[0].keyString, deviceId: crypto.randomUUID(), game: "FREE FIRE" };
    for (let sent = 0; !stopping; sent += 1) {
      const startedAt = performance.now();
      const { body } = await client.post("/api/verify", request);
      latencies.push(performance.now() - startedAt);
      assert.equal(body?.code, "VALID");
      if (sent % 20 === 0) await reseller.get("/api/reseller/keys?limit=50&search=FIRE");
      if (sent % 25 === 0) await reseller.get("/reseller");
      await Bun.sleep(restMs);
    }
  };
  const ended = Promise.all(Array.from({ length: players }, () => player().catch(ignoreKilled)));
  return {
    stop() {
      stopping = true;
      return ended;
    },
  };
}

/** An operator who makes backups (not on PostgreSQL, which has its own), and an admin who downloads everything. */
function beginCopying(server: Supervised, admin: Client, everyMs: number) {
  let stopping = false;
  const copy = async () => {
    const folder = temporaryFolder();
    const beganAt = performance.now();
    for (let made = 0; !stopping; made += 1) {
      // At fixed times, however long each copy takes.
      const nextAt = beganAt + (made + 1) * everyMs;
      while (performance.now() < nextAt && !stopping) await Bun.sleep(100);
      if (stopping) break;
      const file = join(folder, `${made}.db`);
      if (server.stored.engine === "sqlite") {
        const { code, stderr } = await runLatchkey(["backup", file], { environment: { DATA_DIR: server.dataFolder } });
        assert.equal(code, 0, stderr);
        rmSync(file);
      }
      await admin.get("/api/admin/backup/download-all");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const ended = copy().catch(ignoreKilled);
  return {
    stop() {
      stopping = true;
      return ended;
    },
  };
}

/** Ignores connection errors after a kill. */
function ignoreKilled(error: unknown): void {
  if (error instanceof assert.AssertionError) throw error;
}

function measured(server: Supervised): Pick<Sample, "memoryMib" | "descriptors" | "walMib"> {
  const walMib = (statSync(`${server.file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20;
  return { memoryMib: server.memoryMib(), descriptors: server.descriptors(), walMib };
}

/** Waits until closed connections have released their descriptors. */
async function descriptorsReleased(server: Supervised, most: number): Promise<void> {
  const lateAt = performance.now() + 30_000;
  while (server.descriptors() > most) {
    assert.ok(performance.now() < lateAt, `${server.descriptors()} descriptors stay open.`);
    await Bun.sleep(200);
  }
}

function walMibOf(samples: Sample[]): number {
  return Math.max(...samples.map(({ walMib }) => walMib));
}

function judgedOf(samples: Sample[]): { memoryMib: number; p99Ms: number } {
  const p99s = samples.map(({ p99Ms }) => p99Ms).sort((a, b) => a - b);
  return {
    memoryMib: Math.max(...samples.map(({ memoryMib }) => memoryMib)),
    p99Ms: p99s[Math.floor(p99s.length / 2)] ?? 0,
  };
}

function isJudged({ minute }: { minute: number }, _: number, all: { minute: number }[]): boolean {
  return minute > (all.at(-1)?.minute ?? 0) - measuredMinutes;
}

function riseText({ perHour, perHourAtMost, stepMib }: Rise): string {
  const step = stepMib === 0 ? "" : ` besides one step of ${stepMib.toFixed(1)} MiB`;
  return `it rises by ${perHour.toFixed(1)} MiB an hour (with 95 % confidence by less than ${perHourAtMost.toFixed(1)})${step}`;
}

function p99Of(latencies: number[]): number {
  const sorted = latencies.sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0;
}

function plotOf(samples: Sample[], marks: number[]): string {
  return linePlot({
    title: "An hour of mixed traffic with kills, backups and downloads",
    minutes: samples.map(({ minute }) => minute),
    marks,
    lines: [
      { title: "Memory", unit: "MiB", values: samples.map(({ memoryMib }) => memoryMib) },
      { title: "Open descriptors", unit: "", values: samples.map(({ descriptors }) => descriptors) },
      { title: "Write-ahead log", unit: "MiB", values: samples.map(({ walMib }) => walMib) },
      { title: "p99 of a verification", unit: "ms", values: samples.map(({ p99Ms }) => p99Ms) },
    ],
  });
}
