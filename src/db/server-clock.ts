import { getLogger } from "@logtape/logtape";
import { type Clock, isoOf, msPerDay, msPerHour, msPerSecond, type Now, neverBackwards } from "../core/clock.ts";
import type { Database, Sql } from "./contract.ts";

const log = getLogger(["latchkey", "clock"]);

/** A clock is ahead if it is further than this ahead of the newest row and the newest backup (rules.md: The clock). */
export const aheadMsMax = 31 * msPerDay;

/** Rows that other processes wrote just before the clock was found to be ahead may be dated a little earlier. */
const doubtMarginMs = msPerHour;

/** A running server follows `latchkey clock confirm`, and a corrected clock, within this time. */
const checkMs = 10 * msPerSecond;

/** What the clock is compared with. Each returns the newest time before an instant, in milliseconds, or 0. */
export interface NewestInstants {
  ofRows(sql: Sql, beforeMs?: number): Promise<number>;
  ofBackups(beforeMs: number): Promise<number>;
}

export interface ClockFinding {
  /** The newest time that is not in doubt: of a row or of a backup. 0 if there is none. */
  newestMs: number;
  isAhead: boolean;
  newestRow: number;
  /** Whether rows that were written while a clock was ahead are dated later than it says now. */
  hasFutureRows: boolean;
}

/**
 * Compares the system's clock with the newest row and the newest backup. If it is ahead, the database remembers since
 * when times are in doubt: later rows do not count in any process's comparisons. With an empty database nothing is
 * compared. `hasStepped` means that the clock was right a moment ago, so rows of the last moments are in doubt, too.
 */
export async function compareClock(
  database: Database,
  newest: NewestInstants,
  wallMs: number,
  { hasStepped = false } = {},
): Promise<ClockFinding> {
  const { read } = database;
  const [doubt] = await read<{ from: number }>`SELECT doubted_since_at AS "from" FROM clock_doubt`;
  const remembered = doubt?.from ?? Number.MAX_SAFE_INTEGER;
  const doubtedFrom = hasStepped ? Math.min(remembered, wallMs - doubtMarginMs) : remembered;
  const [newestRow, backup] = await Promise.all([
    newest.ofRows(read, doubtedFrom),
    newest.ofBackups(Math.min(doubtedFrom, wallMs + 1)),
  ]);
  const newestMs = Math.max(newestRow, backup);
  const isAhead = newestRow > 0 && wallMs > newestMs + aheadMsMax;
  if (isAhead) await doubtFrom(wallMs - doubtMarginMs);
  const hasFutureRows = !isAhead && doubt !== undefined && (await newest.ofRows(read)) > wallMs;
  const isOver = doubt && !isAhead && !hasFutureRows && (await newest.ofBackups(Number.MAX_SAFE_INTEGER)) <= wallMs;
  if (isOver) await database.transaction(null, ({ sql }) => sql`DELETE FROM clock_doubt`);
  return { newestMs, newestRow, isAhead, hasFutureRows };

  /** A confirmation may have deleted the row since it was read: only its first writer inserts it. */
  async function doubtFrom(at: number): Promise<void> {
    if (doubt && doubt.from <= at) return;
    await database.transaction(null, ({ sql }) =>
      doubt
        ? sql`UPDATE clock_doubt SET doubted_since_at = ${at} WHERE doubted_since_at > ${at}`
        : sql`INSERT INTO clock_doubt (id, doubted_since_at) VALUES (1, ${at}) ON CONFLICT (id) DO NOTHING`,
    );
  }
}

/** Called in a transaction that then writes a row, whose time makes the clock right. */
export async function confirmClock(sql: Sql): Promise<void> {
  await sql`DELETE FROM clock_doubt`;
}

export interface ServerClock extends Clock {
  /** Compares the clock again if there is reason to. `begin` does so every 10 s. */
  check(): Promise<void>;
  /** Returns how to stop. */
  begin(): () => void;
}

/**
 * The clock of a server (rules.md: The clock). It never runs backwards or behind the newest row, except when the
 * system's clock is corrected after it was ahead.
 */
export async function createServerClock({
  database,
  wallClock,
  monotonicMs,
  newest,
}: {
  database: Database;
  wallClock: Now;
  monotonicMs: () => number;
  newest: NewestInstants;
}): Promise<ServerClock> {
  let { newestMs, newestRow, isAhead, hasFutureRows } = await compareClock(database, newest, wallClock());
  /** Whether a step was noticed that has not been compared yet. */
  let hasStepped = false;
  let forwards = clockFrom(newestRow);
  /** The difference to the monotonic clock, which changes only if the clock steps. */
  let expectedAtZero = forwards() - monotonicMs();
  let comparing: Promise<void> | null = null;
  if (isAhead) logAhead();
  if (hasFutureRows) logFutureRows();

  // Where time stands still at a row of the future, the system's clock says how old files and rows really are.
  const retentionNow = () => (isAhead ? 0 : Math.min(now(), wallClock()));
  return { now, retentionNow, isAhead: () => isAhead, check, begin };

  function now(): number {
    const at = forwards();
    if (!isAhead && at - expectedAtZero - monotonicMs() > aheadMsMax) {
      isAhead = true;
      hasStepped = true;
      check().catch(logFailure);
    }
    return at;
  }

  function check(): Promise<void> {
    now();
    if (!isAhead) return Promise.resolve();
    comparing ??= compareAgain().finally(() => {
      comparing = null;
    });
    return comparing;
  }

  async function compareAgain(): Promise<void> {
    const wasStep = hasStepped;
    const found = await compareClock(database, newest, wallClock(), { hasStepped });
    ({ newestMs, newestRow, isAhead, hasFutureRows } = found);
    hasStepped = false;
    if (isAhead && wasStep) logAhead();
    if (isAhead) return;
    forwards = clockFrom(newestRow);
    expectedAtZero = forwards() - monotonicMs();
    log.warn("The clock is no longer ahead. Sales continue.", { event: "clock_right" });
    if (hasFutureRows) logFutureRows();
  }

  function begin() {
    const timer = setInterval(() => check().catch(logFailure), checkMs).unref();
    return () => clearInterval(timer);
  }

  function clockFrom(startingAt: number): Now {
    return neverBackwards({
      system: wallClock,
      startingAt,
      fallenBehind: ({ systemMs, latestMs }) =>
        log.warn(
          "The system's clock says {system}, which is before {latest}. Time stands still until it has caught up, and no key expires meanwhile: correct the clock or, if it is right, run `latchkey clock repair`.",
          { event: "clock_behind", system: isoOf(systemMs), latest: isoOf(latestMs) },
        ),
    });
  }

  function logAhead(): void {
    log.error(
      "The system's clock says {system}, and the newest row and backup are from {newest}. Nothing is erased and nothing is sold until the clock is corrected or, if it is right, confirmed with `latchkey clock confirm`.",
      { event: "clock_ahead", system: isoOf(wallClock()), newest: isoOf(newestMs) },
    );
  }

  function logFutureRows(): void {
    log.warn(
      "Some rows were written while the clock was ahead: `latchkey clock repair` moves their times back to now.",
      {
        event: "clock_rows_ahead",
      },
    );
  }

  function logFailure(error: unknown): void {
    log.error("The clock could not be compared with the database: {error}", { error });
  }
}
