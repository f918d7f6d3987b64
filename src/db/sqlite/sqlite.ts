import { checkpointerProgram, scannerProgram } from "../../config/files.ts";
import { atMost } from "../../core/at-most.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { Listener, Tell } from "../../core/news.ts";
import { Refusal } from "../../core/refusal.ts";
import { asRefusal, busyTimeoutMs, connect, isBusy } from "../connection.ts";
import type { Database, KeyAsRead, Sql } from "../contract.ts";
import { createScans } from "../worker/scan.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { createAsRead, createInstants } from "./instants.ts";
import { watchSqlite } from "./sqlite-metrics.ts";
import { createProbe } from "./sqlite-probe.ts";
import { openReader } from "./sqlite-reader.ts";
import { createUnits, type Unit } from "./units.ts";
import { createVersionByOthers } from "./version-by-others.ts";

/** A write that waits for another process asks again this often, and others are answered meanwhile. SQLite's own wait would stop them all. */
const busyRetryMs = 10;

/**
 * What look-ups and writes find their pages in. At the end of each commit in which a page was split SQLite looks through all of it, and each page that
 * it touches can cost a virtual machine 8 µs: with 16 MiB that stopped everybody for up to 35 ms, again and again.
 */
const writerCacheKib = 4_096;

/** Turns of the event loop for which a commit waits while more units come in each: fewer fsyncs, and nobody waits where nobody comes. */
const turnsToGatherMax = 4;

/** Units that share one commit. A bound on how much is undone together when the disk refuses that commit. */
const unitsPerCommitMax = 256;

/**
 * A commit begins no further unit after so much work: the first of 256 batches of keys waited for more than a second for the last. New devices
 * come to their number long before.
 */
const workMsPerCommitMax = 100;

/** After so many units of a commit, or so much work, the event loop turns: whoever only reads waits for some new devices, or for one batch of keys. */
const unitsPerTurn = 64;
const workMsPerTurn = 2;

/** How long a commit lets a chore go first: that asks at least every 100 ms. Once it has begun, the commit waits for it in any case. */
const giveWayMsMax = 150;

/** Units that may wait. Past it the server says at once that it is busy, instead of answering minutes later. */
const unitsWaitingMax = 10_000;

/**
 * How long a unit waits until it is begun: those of a whole batch of keys are so long that fewer than may wait would be answered minutes later. Who
 * would wait longer is refused at once, as far as the units before tell.
 */
const turnMsMax = 4_000;

/**
 * How much the last unit says of how long one takes, and as how long it counts at most: one or two that were long by chance keep nobody out.
 */
const lastUnitShare = 0.05;
const unitMsMax = 25;

/** The last connection takes the log in before it lets go of the file, which stops everything for as long as that takes: rarely longer than this. */
const lettingGoMs = 500;

interface SqliteOptions {
  writeWaitMsMax?: number;
  writeTurnMsMax?: number;
  monotonicMs?: () => number;
  /** The program of the thread that scans and streams. */
  scanner?: URL;
  /** Left out where nobody watches: at the command line. */
  metrics?: Metrics;
}

/**
 * The embedded engine: one writer connection behind a queue, by which look-ups go as well, another for those that come while it writes, a thread
 * for what reads long, and one that writes the log back.
 *
 * Units that wait together commit together: one transaction and one fsync, and the failure of one leaves the others whole. Nobody is answered before
 * the shared commit is on the disk.
 */
export function openSqlite(
  file: string,
  {
    writeWaitMsMax = busyTimeoutMs,
    writeTurnMsMax = turnMsMax,
    monotonicMs = () => performance.now(),
    scanner = scannerProgram,
    metrics,
  }: SqliteOptions = {},
): Database {
  const writer = connect(file);
  writer.run("PRAGMA busy_timeout = 0");
  writer.run(`PRAGMA cache_size = -${writerCacheKib}`);
  // What a savepoint would put back, from 15 pages on: otherwise in a file where the system keeps passing ones, and there may be none to write to.
  writer.run("PRAGMA temp_store = MEMORY");
  // Prepared once: to run a text means to parse it, and these go with every commit.
  const [beginImmediate, commit] = [writer.prepare("BEGIN IMMEDIATE"), writer.prepare("COMMIT")];
  const reader = openReader(file, writer);
  const others = createVersionByOthers({
    look: reader.dataVersion,
    lookAgain() {
      reader.renew();
      return reader.dataVersion();
    },
  });
  const instant = createInstants({ look: reader.dataVersion, commits: () => commits });
  const scans = createScans({ file, program: scanner, others });
  const checkpoints = createCheckpoints({ file, writer, program: checkpointerProgram });
  /** Those that are not begun yet, in the order in which they came. */
  const waiting: Unit[] = [];
  let committing: Promise<void> | null = null;
  let commits = 0;
  /** Of their work alone: what else the event loop did in the turns of a moment says nothing of the next. */
  let msPerUnit = 0;
  let closed = false;
  let isRefusing = false;
  const watch = metrics && watchSqlite(metrics, { file, unitsWaiting: () => waiting.length });
  const listeners: Listener[] = [];
  const carryOut = createUnits({ writer, listeners });
  const transaction: Database["transaction"] = (work) => inTurn(work, null);

  return {
    file,
    probe: createProbe({ file, transaction }),
    read: reader.read,
    scan: scans.scan,
    ask: scans.ask,
    stream: scans.stream,
    aside: scans.aside,
    versionByOthers: others.now,
    commits: () => commits,
    transaction,
    // There is one writer, so everything is as if alone.
    beside: (key, work) => inTurn((sql, _tell, isAsRead) => work(sql, isAsRead), key),
    instant,
    listen: (listener) => void listeners.push(listener),
    // The data folder is one process's, and so are its limits.
    alone: (_name, work) => work(),
    shareLimits: (local) => local,
    refuseWork() {
      isRefusing = true;
      for (const unit of waiting.splice(0)) unit.reject(busy());
      scans.refuseAll();
      return () => {
        isRefusing = false;
      };
    },
    async close(msMax = Number.POSITIVE_INFINITY) {
      const endsAt = performance.now() + msMax;
      const msLeft = () => endsAt - performance.now();
      closed = true;
      while (committing && msLeft() > 0) await atMost(msLeft(), committing);
      await Promise.all([scans.close(msLeft()), checkpoints.close(msLeft())]);
      if (msLeft() < lettingGoMs) return;
      reader.close();
      try {
        writer.run("PRAGMA optimize");
      } catch {
        // Statistics only: a disk that is full keeps nobody from stopping.
      }
      writer.close();
      checkpoints.letGo();
    },
  };

  function inTurn<Result>(
    work: (sql: Sql, tell: Tell, isAsRead: boolean) => Promise<Result>,
    key: KeyAsRead | null,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const isFull = waiting.length >= unitsWaitingMax || waiting.length * msPerUnit > writeTurnMsMax;
      if (closed || isRefusing || isFull) return reject(busy());
      const lateAt = monotonicMs() + writeTurnMsMax;
      waiting.push({ work, key, resolve: resolve as Unit["resolve"], reject, lateAt });
      committing ??= commitAllWaiting();
    });
  }

  /** Never throws: whoever waits is answered by its own promise. */
  async function commitAllWaiting(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
      await giveWay();
      await checkpoints.lastRound();
      await commitTogether();
    }
    committing = null;
  }

  /** A turn of the event loop lets every request that has already arrived join this commit, and the next whoever came during that one. */
  async function gather(): Promise<void> {
    for (let before = -1, turns = 0; waiting.length > before && turns < turnsToGatherMax; turns += 1) {
      before = waiting.length;
      await turn();
    }
  }

  async function turn(): Promise<void> {
    await new Promise(setImmediate);
    refuseLate();
  }

  /** A chore waits on another thread for the moment in which no commit is under way. The turn between two is so short that it would hardly ever meet one. */
  async function giveWay(): Promise<void> {
    const chore = scans.choreUnderWay();
    if (chore) await atMost(giveWayMsMax, chore);
  }

  /** The first in the queue have waited longest. */
  function refuseLate(): void {
    const now = monotonicMs();
    const inTime = waiting.findIndex(({ lateAt }) => lateAt > now);
    for (const late of waiting.splice(0, inTime === -1 ? waiting.length : inTime)) late.reject(busy());
  }

  async function commitTogether(): Promise<void> {
    // Who comes while this commit is under way waits for the next.
    const unitsMax = Math.min(waiting.length, unitsPerCommitMax);
    const begun: Unit[] = [];
    const answers: (() => void)[] = [];
    const committed = watch?.begin();
    try {
      await begin();
      const isAsRead = createAsRead(instant());
      // The turns in between are not counted: a commit would be smallest where most others want to be answered.
      let turnedAt = 0;
      let startedAt = monotonicMs();
      for (let workMs = 0; begun.length < unitsMax && workMs < workMsPerCommitMax; ) {
        const unit = waiting.shift();
        if (!unit) break;
        begun.push(unit);
        answers.push(await carryOut(unit, isAsRead(unit.key)));
        const endedAt = monotonicMs();
        const tookMs = endedAt - startedAt;
        startedAt = endedAt;
        workMs += tookMs;
        msPerUnit += (Math.min(tookMs, unitMsMax) - msPerUnit) * lastUnitShare;
        if (begun.length % unitsPerTurn === 0 || workMs - turnedAt >= workMsPerTurn) {
          turnedAt = workMs;
          await turn();
          startedAt = monotonicMs();
        }
      }
      reader.renew();
      // Counted first: a commit that failed may yet have happened.
      commits += 1;
      commit.run();
      committed?.(begun.length);
    } catch (error) {
      rollBack();
      // Where nothing could be begun at all, it is those who waited for that.
      for (const unit of begun.length > 0 ? begun : waiting.splice(0, unitsMax)) unit.reject(asRefusal(error));
      return;
    }
    for (const answer of answers) answer();
    checkpoints.committed(begun.length);
  }

  async function begin(): Promise<void> {
    const begunAt = performance.now();
    for (;;) {
      try {
        reader.renew();
        if (writer.inTransaction) writer.run("ROLLBACK");
        beginImmediate.run();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() - begunAt >= writeWaitMsMax || isRefusing) throw error;
        if (scans.choreUnderWay()) await giveWay();
        else await new Promise((resolve) => setTimeout(resolve, busyRetryMs));
      }
    }
  }

  function rollBack(): void {
    try {
      if (writer.inTransaction) writer.run("ROLLBACK");
    } catch {
      // A disk that fails may fail this too. Nothing was committed, and the next transaction begins with another attempt.
    }
  }
}

function busy(): Refusal {
  return new Refusal("BUSY", "The server is busy or stopping. Nothing was changed; please try again.");
}
