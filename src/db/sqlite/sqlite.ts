import { dirname } from "node:path";
import { queryWorkerProgram } from "../../config/program.ts";
import { atMost } from "../../core/clock.ts";
import { type DatabaseEvent, deliver, type Listener } from "../../core/events.ts";
import type { Metrics } from "../../core/metrics.ts";
import { busy } from "../../core/refusal.ts";
import { asRefusal, busyTimeoutMs, connect, isBusy, templateOn } from "../connection.ts";
import { type Database, nothing, type Unit } from "../contract.ts";
import { addFileMetrics, createWriteMetrics } from "../database-metrics.ts";
import { lockName } from "../files.ts";
import { createQueryWorker } from "../worker/worker.ts";
import { scheduleCheckpoints } from "./checkpoints.ts";
import { createReads } from "./reads.ts";
import { createProbe } from "./sqlite-probe.ts";

const cacheKib = 4_096;

/**
 * How often a commit tries again to get the lock from another process. SQLite's own wait would block the whole server.
 */
const busyRetryMs = 10;

/** Units that share one commit, which bounds how much is rolled back together if the disk refuses it. */
const unitsPerCommitMax = 256;

/**
 * After this much work a commit starts no more units: the first of 256 batches of keys would wait over a second for the
 * last.
 */
const workMsPerCommitMax = 100;

/** After this much work within a commit the event loop gets a turn, so that reads continue. */
const workMsPerTurn = 1;

/** Units that may wait for a commit. Beyond this the server refuses at once instead of responding minutes later. */
const unitsWaitingMax = 10_000;

/** How long a unit may wait before it starts. */
const waitMsMax = 4_000;

/** Closing the last connection writes the log back to the file, which rarely takes longer than this. */
const closeMs = 500;

export interface SqliteOptions {
  /** Receives the keys that the units of a commit have changed, before any caller of that commit continues. */
  keysChanged?: KeysChanged;
  /** Commands leave it out, because they have no monitoring. */
  metrics?: Metrics;
  /** The program of the worker that queries and streams. */
  queryWorker?: URL;
  lockWaitMsMax?: number;
  unitWaitMsMax?: number;
  heldLogPagesMax?: number;
  monotonicMs?: () => number;
}

export type KeysChanged = (keyIds: ReadonlySet<number>) => void;

interface WaitingUnit {
  /** Runs the unit and returns how to settle its caller's promise, which happens after COMMIT. */
  run(): Promise<() => void>;
  reject(error: unknown): void;
  lateAtMs: number;
}

/**
 * SQLite with one writing connection. Units that wait at the same moment share one commit, and so one flush to disk;
 * each runs in its own savepoint, so that its failure does not affect the others. No caller continues before the shared
 * commit is on disk.
 */
export function openSqlite(
  file: string,
  {
    keysChanged = () => {},
    metrics,
    queryWorker = queryWorkerProgram,
    lockWaitMsMax = busyTimeoutMs,
    unitWaitMsMax = waitMsMax,
    heldLogPagesMax,
    monotonicMs = () => performance.now(),
  }: SqliteOptions = {},
): Database {
  const writer = connect(file);
  writer.run("PRAGMA busy_timeout = 0");
  writer.run(`PRAGMA cache_size = -${cacheKib}`);
  // Savepoints of many pages would otherwise go to a temporary file, and there may be no place for one.
  writer.run("PRAGMA temp_store = MEMORY");
  const write = templateOn(writer);
  // Each unit uses them, and `run` would parse their text each time.
  const savepoint = writer.prepare("SAVEPOINT unit");
  const release = writer.prepare("RELEASE unit");
  const reads = createReads(writer, file, cacheKib);
  // A connection does not count its own commits. All writes of this process use the writer, so this counts other
  // processes' commits.
  const dataVersion = writer.prepare<{ data_version: number }, []>("PRAGMA data_version");
  const worker = createQueryWorker({ file, program: queryWorker });
  const stopCheckpoints = scheduleCheckpoints(writer, worker.streams, heldLogPagesMax);
  const writeMetrics = metrics && createWriteMetrics(metrics, () => waiting.length);
  if (metrics) addFileMetrics(metrics, file);
  const listeners: Listener[] = [];
  const waiting: WaitingUnit[] = [];
  let changed = new Set<number>();
  let committing: Promise<void> | null = null;
  let version: number | null = null;
  let isVersionOfThisTurn = false;
  let isRefusing = false;
  let isClosed = false;

  return {
    file,
    probe: createProbe({ file, transaction }),
    read: reads.read,
    query: worker.query,
    snapshot: worker.snapshot,
    stream: worker.stream,
    write: (strings, ...values) => transaction(null, ({ sql }) => sql(strings, ...values)),
    transaction,
    versionByOthers,
    subscribe: (listener) => void listeners.push(listener),
    async exclusive(name, work, withCommands = false) {
      // The data folder belongs to one server, and so do its periodic jobs.
      const unlock = withCommands ? lockName(dirname(file), name) : () => {};
      if (unlock) await work().finally(unlock);
    },
    refuseWork() {
      isRefusing = true;
      for (const unit of waiting.splice(0)) unit.reject(busy());
      worker.refuseAll();
      return () => {
        isRefusing = false;
      };
    },
    close,
  };

  /** There is one writer, so units run one after another whatever their queue. */
  function transaction<Result>(_queue: string | null, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (isClosed || isRefusing || waiting.length >= unitsWaitingMax) return reject(busy());
      const lateAtMs = monotonicMs() + unitWaitMsMax;
      waiting.push({ run: () => runInSavepoint(work, resolve, reject), reject, lateAtMs });
      committing ??= commitWaiting();
    });
  }

  /** Never throws: each unit's own promise reports what went wrong. */
  async function commitWaiting(): Promise<void> {
    while (waiting.length > 0) {
      // Requests that have already arrived join this commit.
      await turn();
      if (waiting.length > 0) await commit();
    }
    committing = null;
  }

  async function turn(): Promise<void> {
    await new Promise(setImmediate);
    const nowMs = monotonicMs();
    // The first in the queue have waited longest.
    while (waiting[0] && waiting[0].lateAtMs <= nowMs) waiting.shift()?.reject(busy());
  }

  async function commit(): Promise<void> {
    const startedMs = writeMetrics?.ms() ?? 0;
    const units: WaitingUnit[] = [];
    let settle: (() => void)[] = [];
    try {
      await begin();
      // Turns of the event loop do not count, or a commit would have fewest units when most requests arrive.
      for (let workMs = 0, msAtTurn = 0; units.length < unitsPerCommitMax && workMs < workMsPerCommitMax; ) {
        const unit = waiting.shift();
        if (!unit) break;
        units.push(unit);
        const beganMs = monotonicMs();
        settle.push(await unit.run());
        workMs += monotonicMs() - beganMs;
        if (workMs - msAtTurn < workMsPerTurn) continue;
        msAtTurn = workMs;
        await turn();
      }
      writer.run("COMMIT");
      writeMetrics?.commits.since(startedMs);
      if (writeMetrics) writeMetrics.writes.value += units.length;
    } catch (error) {
      rollBack();
      // If no transaction could begin, the units that waited for it failed.
      const failed = units.length > 0 ? units : waiting.splice(0, unitsPerCommitMax);
      settle = failed.map((unit) => () => unit.reject(asRefusal(error)));
    }
    reads.returnToWriter();
    // After a failed commit as well: it may have reached the disk.
    if (changed.size > 0) keysChanged(changed);
    changed = new Set();
    for (const each of settle) each();
  }

  async function begin(): Promise<void> {
    reads.leaveWriter();
    if (writer.inTransaction) writer.run("ROLLBACK");
    for (const until = performance.now() + lockWaitMsMax; ; await Bun.sleep(busyRetryMs)) {
      try {
        return void writer.run("BEGIN IMMEDIATE");
      } catch (error) {
        if (!isBusy(error) || isRefusing || performance.now() >= until) throw error;
      }
    }
  }

  async function runInSavepoint<Result>(
    work: (unit: Unit) => Promise<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): Promise<() => void> {
    const events: DatabaseEvent[] = [];
    const unit: Unit = {
      sql: write,
      forShare: nothing,
      keyChanged: (keyId) => void changed.add(keyId),
      publish: (event) => void events.push(event),
    };
    savepoint.run();
    try {
      const result = await work(unit);
      release.run();
      return () => {
        for (const event of events) deliver(listeners, event);
        resolve(result);
      };
    } catch (error) {
      // On some errors, a full disk among them, SQLite rolls back the whole commit.
      if (!writer.inTransaction) throw error;
      writer.run("ROLLBACK TO unit");
      release.run();
      return () => reject(error);
    }
  }

  function rollBack(): void {
    try {
      if (writer.inTransaction) writer.run("ROLLBACK");
    } catch {
      // A failing disk may fail this too. Nothing was committed, and the next commit begins by rolling back.
    }
  }

  /** Asks SQLite once per turn of the event loop: a request that arrives later sees what was committed before. */
  function versionByOthers(): number | null {
    if (isVersionOfThisTurn) return version;
    isVersionOfThisTurn = true;
    setImmediate(() => {
      isVersionOfThisTurn = false;
    });
    // In a snapshot it would not count the latest commits.
    reads.endSnapshot();
    try {
      version = dataVersion.get()?.data_version ?? null;
    } catch {
      version = null;
    }
    return version;
  }

  async function close(msMax = Number.POSITIVE_INFINITY): Promise<void> {
    const endsAtMs = performance.now() + msMax;
    const msLeft = () => endsAtMs - performance.now();
    isClosed = true;
    stopCheckpoints();
    while (committing && msLeft() > 0) await atMost(msLeft(), committing);
    await worker.close(msLeft());
    // Without time for the last checkpoint the files stay open until the process ends, because what was committed is on
    // disk.
    if (msLeft() < closeMs) return;
    reads.close();
    try {
      writer.run("PRAGMA optimize");
    } catch {
      // These are only statistics: a full disk does not keep the server from stopping.
    }
    writer.close(true);
  }
}
