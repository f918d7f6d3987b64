import { atMost } from "../../core/at-most.ts";
import type { Metrics } from "../../core/metrics.ts";
import type { RandomBytes } from "../../core/random.ts";
import type { Database, Sql, SqlArgument, Unit } from "../contract.ts";
import { busy } from "../worker/scan-queue.ts";
import { createWriteMetrics } from "../write-metrics.ts";
import { again, asRefusal, isClosed, isConflict, isLost } from "./postgres-faults.ts";
import { aloneOn } from "./postgres-locks.ts";
import { createPostgresNews, publishOn } from "./postgres-news.ts";
import { createPostgresPool, type Purpose, type Run } from "./postgres-pool.ts";
import { createPostgresReadings } from "./postgres-readings.ts";
import { plainRows, statementOf } from "./postgres-template.ts";
import { shareLimitsOn } from "./postgres-tries.ts";

/** Of whoever writes. Any number will do that no other program on the same database takes. */
export const writersLock = 0x4c4b4559;

/** Units that share one commit; a bound on how much is undone together when that commit fails. */
const unitsPerCommitMax = 60;

/** Units that may wait. Past it the server says at once that it is busy, instead of answering minutes later. */
const unitsWaitingMax = 10_000;

/** A process that is cut off within a transaction keeps all others from writing for so long, and not longer than they wait. */
const idleInTransactionMs = 5_000;
const lockWaitMs = 8_000;

/** What several statements read is of one instant. */
const beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/**
 * How each that writes begins, before it takes its turn. It is said each time, because a pooler keeps no settings of a session. Whoever is
 * answered finds it again after a power cut, whatever the server's own default is.
 */
const beginWriting = `BEGIN ISOLATION LEVEL READ COMMITTED;
  SET LOCAL lock_timeout = ${lockWaitMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs};
  SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
    THEN set_config('synchronous_commit', 'on', true) END;`;

const keyQueue = "key ";

/** A lock's number has 31 bits. Licence keys that come to the same one wait for each other, which does no harm. */
const keyLocksCount = 2 ** 31;

/**
 * The key's lock, which is one of two numbers and so another than the writers', comes last: who has it waits for nothing more, and nobody can wait in
 * a circle.
 */
function beginOnKey(keyId: number): string {
  return `${beginWriting} SELECT pg_advisory_xact_lock_shared(${writersLock});
    SELECT pg_advisory_xact_lock(${writersLock}, ${keyId % keyLocksCount})`;
}

interface WaitingUnit {
  work: (unit: Unit) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Where the database is, and how much of it a process takes. */
export interface PostgresAddress {
  url: string;
  /** Where LISTEN is possible: `url`, or past a pooler that passes no notices on. */
  listenUrl: string;
  /** Connections of this process, at least 2. For notices and long answers there are a few more. */
  poolSize: number;
}

/**
 * The engine that several processes share. They take turns at writing, by a lock of the database, so that each commit is as if alone, as
 * it is on SQLite: a unit may read, decide and write. Units that wait in one process commit together, each in a savepoint of its own.
 * Units of the queue of one licence key take the lock together with others of their kind, and need a turn at their key only.
 * docs/decisions/several-processes.md has the proof.
 */
export function openPostgres(
  { url, listenUrl, poolSize }: PostgresAddress,
  { randomBytes, metrics }: { randomBytes: RandomBytes; metrics?: Metrics },
): Database {
  const pool = createPostgresPool({ url, size: poolSize });
  const news = createPostgresNews({ listenUrl, run: pool.run });
  const readings = createPostgresReadings({ url, sqlOn });
  let waiting: WaitingUnit[] = [];
  /** Those of a commit that waits for its turn, or has not come to them. */
  const notBegun = new Set<WaitingUnit>();
  /** Whoever was told so is not carried out when the turn comes after all. */
  const refused = new WeakSet<WaitingUnit>();
  let committing: Promise<void> | null = null;
  let closed = false;
  let isRefusing = false;
  let keyUnits = 0;
  const writeMetrics = metrics && createWriteMetrics(metrics, () => waiting.length + keyUnits);

  const read = sqlOn(pool.run);
  const limits = shareLimitsOn(read);

  return {
    file: null,
    read,
    scan: read,
    ask: (question, given) =>
      again(() => inTransaction("reading", beginReading, (run) => question.answer(sqlOn(run), given, null)), {
        isInTheWay: isClosed,
        randomBytes,
      }).catch((error) => {
        throw asRefusal(error);
      }),
    stream: readings.stream,
    alone: aloneOn(listenUrl),
    versionByOthers: () => null,
    listen: news.listen,
    shareLimits: limits.share,
    transaction: (queue, work) =>
      queue?.startsWith(keyQueue) ? onKey(Number(queue.slice(keyQueue.length)), work) : inTurn(work),
    probe: {
      read: async () => void (await read`SELECT max(version) FROM schema_migrations`),
      write: () =>
        inTurn(async ({ sql }) => void (await sql`UPDATE schema_migrations SET version = version WHERE version = 1`)),
    },
    refuseWork() {
      isRefusing = true;
      for (const unit of [...waiting.splice(0), ...notBegun]) {
        refused.add(unit);
        unit.reject(busy());
      }
      return () => {
        isRefusing = false;
      };
    },
    async close(msMax = Number.POSITIVE_INFINITY) {
      closed = true;
      await atMost(msMax, finish());
    },
  };

  async function finish(): Promise<void> {
    while (committing) await committing;
    limits.close();
    await Promise.all([news.close(), readings.close()]);
    await pool.close();
  }

  async function onKey<Result>(keyId: number, work: (unit: Unit) => Promise<Result>): Promise<Result> {
    if (closed || isRefusing || keyUnits >= unitsWaitingMax) throw busy();
    keyUnits += 1;
    const startedMs = writeMetrics?.ms() ?? 0;
    try {
      const result = await again(() => inTransaction("writing", beginOnKey(keyId), (run) => work(unitOn(run))), {
        isInTheWay: isConflict,
        randomBytes,
      });
      countCommit(startedMs, 1);
      return result;
    } catch (error) {
      throw asRefusal(error);
    } finally {
      keyUnits -= 1;
    }
  }

  function countCommit(startedMs: number, units: number): void {
    writeMetrics?.commits.since(startedMs);
    if (writeMetrics) writeMetrics.writes.value += units;
  }

  /** There is no key cache on PostgreSQL, so changed keys need not be reported. */
  function unitOn(run: Run): Unit {
    return { sql: sqlOn(run), keyChanged() {}, publish: publishOn(run) };
  }

  function inTurn<Result>(work: (unit: Unit) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (closed || isRefusing || waiting.length >= unitsWaitingMax) return reject(busy());
      waiting.push({ work, resolve: resolve as WaitingUnit["resolve"], reject });
      committing ??= commitAllWaiting();
    });
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

  async function inTransaction<Result>(
    purpose: Purpose,
    begin: string,
    work: (run: Run) => Promise<Result>,
  ): Promise<Result> {
    const { run, release } = await pool.take(purpose);
    try {
      if (isRefusing) throw busy();
      await run(begin);
      const result = await work(run);
      await run("COMMIT");
      return result;
    } catch (error) {
      // Where this is not answered either the connection is lost, and the transaction with it.
      await run("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      release();
    }
  }

  /** Never throws: whoever waits is answered by its own promise. */
  async function commitAllWaiting(): Promise<void> {
    while (waiting.length > 0) {
      // One turn of the event loop lets every request that has already arrived join this commit.
      await new Promise(setImmediate);
      const units = waiting.slice(0, unitsPerCommitMax);
      waiting = waiting.slice(unitsPerCommitMax);
      await commitTogether(units);
    }
    committing = null;
  }

  async function commitTogether(units: WaitingUnit[]): Promise<void> {
    const startedMs = writeMetrics?.ms() ?? 0;
    for (const unit of units) notBegun.add(unit);
    try {
      const work = async (run: Run) => {
        const answers: (() => void)[] = [];
        for (const unit of units) {
          if (refused.has(unit)) continue;
          notBegun.delete(unit);
          answers.push(await runInSavepoint(run, unit, units.length > 1));
        }
        return answers;
      };
      const begin = `${beginWriting} SELECT pg_advisory_xact_lock(${writersLock})`;
      const answers = await again(() => inTransaction("writing", begin, work), { isInTheWay: isConflict, randomBytes });
      countCommit(startedMs, units.length);
      for (const answer of answers) answer();
    } catch (error) {
      for (const unit of units) unit.reject(asRefusal(error));
    } finally {
      for (const unit of units) notBegun.delete(unit);
    }
  }

  /** Answers how to tell the unit's caller, once the commit is done. Throws when the whole commit is lost. */
  async function runInSavepoint(run: Run, unit: WaitingUnit, isShared: boolean): Promise<() => void> {
    if (isShared) await run("SAVEPOINT unit");
    try {
      const result = await unit.work(unitOn(run));
      if (isShared) await run("RELEASE SAVEPOINT unit");
      return () => unit.resolve(result);
    } catch (error) {
      if (!isShared || isConflict(error) || isLost(error)) throw error;
      await run("ROLLBACK TO SAVEPOINT unit; RELEASE SAVEPOINT unit");
      return () => unit.reject(error);
    }
  }
}
