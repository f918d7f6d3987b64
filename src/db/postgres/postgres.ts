import { atMost } from "../../core/clock.ts";
import { createFairSemaphore, type Requester } from "../../core/fair-semaphore.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { RandomBytes } from "../../core/random.ts";
import { busy } from "../../core/refusal.ts";
import { type Database, part, type Sql, type SqlArgument, type Unit } from "../contract.ts";
import { createWriteMetrics } from "../database-metrics.ts";
import { createPostgresEvents, publishOn } from "./postgres-events.ts";
import { asRefusal, isClosed, isConflict, isUniqueViolation } from "./postgres-faults.ts";
import { exclusiveOn } from "./postgres-locks.ts";
import { createPostgresPool, plainRows, type Run, statementOf } from "./postgres-pool.ts";
import { createPostgresStreams } from "./postgres-streams.ts";

/** Units that may wait or run. Beyond this the server refuses at once instead of responding minutes later. */
const unitsMax = 10_000;

/** How long after its submission a unit may start, or start again after a conflict. */
const unitMsMax = 4_000;

/** The longest wait before a unit runs again. It doubles with each conflict. */
const backoffMsMin = 2;
const backoffMsMax = 100;

/** How long a process that loses its connection within a transaction can keep its locks. */
const idleInTransactionMs = 5_000;

/** Lets several statements read the same instant. */
const beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/**
 * The settings are sent each time, because a pooler keeps no settings of a session. A sequential scan of a small table
 * would conflict with every unit that writes to it. Plans that still have one look so expensive then that jit would
 * compile them. What was acknowledged survives a power cut, whatever the server's own default is.
 */
function beginUnit(msLeft: number): string {
  return `BEGIN ISOLATION LEVEL SERIALIZABLE;
    SET LOCAL lock_timeout = ${Math.ceil(msLeft)}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs};
    SET LOCAL enable_seqscan = off; SET LOCAL jit = off;
    SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
      THEN set_config('synchronous_commit', 'on', true) END;`;
}

export interface PostgresAddress {
  url: string;
  /** An address where LISTEN works: `url`, or one that bypasses a pooler. */
  listenUrl: string;
  /** Connections of this process, at least 2. Notifications and streams use a few more. */
  poolSize: number;
}

/** A unit that was submitted and has not ended. */
interface WaitingUnit {
  readonly lateAtMs: number;
  /** Whether COMMIT was sent, so that only its response shows the outcome of the unit. */
  isCommitting: boolean;
  isRefused: boolean;
  /** Rejects it at once, for a server that stops. It is then never committed, whatever statement it waits for. */
  refuse(): void;
}

/**
 * The engine that several processes share. Each unit is a SERIALIZABLE transaction, and no lock is taken by all of
 * them, so units of different resellers and keys run in parallel. PostgreSQL rolls one of two conflicting units back,
 * and it runs again. docs/decisions/several-processes.md has the measurements.
 */
export function openPostgres(
  { url, listenUrl, poolSize }: PostgresAddress,
  { randomBytes, metrics }: { randomBytes: RandomBytes; metrics?: Metrics },
): Database {
  const pool = createPostgresPool({ url, size: poolSize });
  const events = createPostgresEvents({ listenUrl, run: pool.run });
  const streams = createPostgresStreams({ url, sqlOn });
  const turns = createFairSemaphore({ atOnceMax: poolSize });
  /** The end of the last unit of each queue. */
  const queues = new Map<string, Promise<void>>();
  /** The units that wait or run, and their ends. */
  const units = new Map<WaitingUnit, Promise<void>>();
  let isClosing = false;
  let isRefusing = false;
  const writeMetrics = metrics && createWriteMetrics(metrics, () => units.size);

  const read = sqlOn(pool.run);

  return {
    file: null,
    read,
    query:
      (by) =>
      (strings, ...values) =>
        inTurn(by, () => read(strings, ...values)),
    snapshot: (query, given, by) => inTurn(by, () => readOnce((sql) => query.run(sql, given))),
    stream: streams.stream,
    write: read,
    exclusive: exclusiveOn(listenUrl),
    versionByOthers: () => null,
    subscribe: events.listen,
    transaction,
    probe: {
      read: async () => void (await read`SELECT max(version) FROM schema_migrations`),
      write: async () => void (await read`UPDATE schema_migrations SET version = version WHERE version = 1`),
    },
    refuseWork() {
      isRefusing = true;
      turns.close();
      for (const unit of units.keys()) unit.refuse();
      return () => {
        isRefusing = false;
      };
    },
    async close(msMax = Number.POSITIVE_INFINITY) {
      isClosing = true;
      await atMost(msMax, finish());
    },
  };

  async function finish(): Promise<void> {
    while (units.size > 0) await Promise.all(units.values());
    await Promise.all([events.close(), streams.close()]);
    await pool.close();
  }

  async function inTurn<Result>(by: Requester, run: () => Promise<Result>): Promise<Result> {
    const leave = await turns.enter(by);
    return run().finally(leave);
  }

  function transaction<Result>(queue: string | null, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    if (isClosing || isRefusing || units.size >= unitsMax) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const unit: WaitingUnit = {
        lateAtMs: performance.now() + unitMsMax,
        isCommitting: false,
        isRefused: false,
        refuse() {
          if (unit.isCommitting) return;
          unit.isRefused = true;
          reject(busy());
        },
      };
      const ended = inQueue(queue, () =>
        runUntilCommitted(unit, work).then(resolve, (error) => reject(asRefusal(error))),
      );
      units.set(unit, ended);
      ended.then(() => units.delete(unit));
    });
  }

  function inQueue(queue: string | null, run: () => Promise<void>): Promise<void> {
    if (queue === null) return run();
    const ended = (queues.get(queue) ?? Promise.resolve()).then(run);
    queues.set(queue, ended);
    ended.then(() => {
      if (queues.get(queue) === ended) queues.delete(queue);
    });
    return ended;
  }

  /** Runs the unit again from its start after each conflict, until its time is up. */
  async function runUntilCommitted<Result>(unit: WaitingUnit, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    let backoffMs = backoffMsMin;
    let hadViolation = false;
    while (true) {
      const startedMs = writeMetrics?.ms() ?? 0;
      try {
        const result = await inTransaction((run) => work(unitOn(run)), unit);
        writeMetrics?.commits.since(startedMs);
        if (writeMetrics) writeMetrics.writes.value += 1;
        return result;
      } catch (error) {
        // A row that was committed after the unit's snapshot is invisible to it but taken: the next run sees it.
        const isViolation = isUniqueViolation(error);
        if (isViolation ? hadViolation : !isConflict(error)) throw error;
        unit.isCommitting = false;
        hadViolation ||= isViolation;
        if (writeMetrics) writeMetrics.retries.value += 1;
        const waitMs = randomBelow(backoffMs);
        if (isRefusing || performance.now() + waitMs >= unit.lateAtMs) throw busy(error);
        await Bun.sleep(waitMs);
        backoffMs = Math.min(backoffMs * 2, backoffMsMax);
      }
    }
  }

  function randomBelow(ms: number): number {
    const [byte = 0] = randomBytes(new Uint8Array(1));
    return (byte / 256) * ms;
  }

  /** There is no key cache on PostgreSQL, so changed keys need not be reported. */
  function unitOn(run: Run): Unit {
    return { sql: sqlOn(run), forShare: part`FOR SHARE`, keyChanged() {}, publish: publishOn(run) };
  }

  function sqlOn(run: Run): Sql {
    return async <Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) => {
      const { text, values: bound } = statementOf(strings, values);
      try {
        return plainRows<Row>(await run(text, bound));
      } catch (error) {
        throw asRefusal(error);
      }
    };
  }

  /** Runs again if an idle connection turns out to have been closed. */
  async function readOnce<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    const readOn = () => inTransaction((run) => work(sqlOn(run)));
    try {
      return await readOn().catch((error) => {
        if (!isClosed(error)) throw error;
        return readOn();
      });
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async function inTransaction<Result>(work: (run: Run) => Promise<Result>, unit?: WaitingUnit): Promise<Result> {
    const { run, release } = await pool.take(unit ? "writing" : "reading");
    try {
      const msLeft = unit && unit.lateAtMs - performance.now();
      if (unit?.isRefused || (msLeft !== undefined && msLeft <= 0)) throw busy();
      await run(msLeft === undefined ? beginReading : beginUnit(msLeft));
      const result = await work(run);
      if (unit?.isRefused) throw busy();
      if (unit) unit.isCommitting = true;
      await run("COMMIT");
      return result;
    } catch (error) {
      // If this fails too, the connection is lost, and the transaction with it.
      await run("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      release();
    }
  }
}
