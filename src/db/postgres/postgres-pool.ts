import { compose, type SqlArgument, type SqlValue, withoutNul } from "../contract.ts";
import { closeNow, connectToWriter } from "./postgres-connection.ts";
import { isClosed, isLost, isReadOnly, unreachable } from "./postgres-faults.ts";

/** A connection that does not respond for this long is replaced: the network may be cut for hours. */
const silentMsMax = 10_000;
const checkMs = 1_000;

/** How long statements fail at once after a connection could not be opened: a failover may keep the servers busy. */
const retryMs = 300;

/** Runs one statement and returns its rows. Values are bound, and the statement stays prepared by its text. */
export type Run = (text: string, values?: PostgresValue[]) => Promise<Iterable<Record<string, unknown>>>;

type Purpose = "reading" | "writing";

interface Slot {
  /** Its connection, from the first statement until it is lost. */
  opened: Promise<Bun.SQL> | null;
  isTaken: boolean;
  underWay: number;
  /** Checks since its last response. */
  silentChecks: number;
}

/**
 * Each connection has its own client, so a stuck one can be replaced alone, and its statements fail at once. The next
 * statement replaces a lost one.
 */
export function createPostgresPool({ url, size }: { url: string; size: number }) {
  const newSlot = (): Slot => ({ opened: null, isTaken: false, underWay: 0, silentChecks: 0 });
  const slots = Array.from({ length: size }, newSlot);
  const writingMax = Math.max(1, size - 2);
  const taken = { reading: 0, writing: 0 };
  const waiting: Record<Purpose, (() => void)[]> = { reading: [], writing: [] };
  let isOver = false;
  const silent = new WeakSet<Promise<Bun.SQL>>();
  const checking = setInterval(replaceSilent, checkMs).unref();

  return {
    /**
     * Runs a statement on any connection, after others there. If an idle connection turns out to have been closed, it
     * runs again, so a statement may run twice.
     */
    async run(text: string, values?: PostgresValue[]): Promise<Iterable<Record<string, unknown>>> {
      const slot = leastBusy();
      const opened = openedOn(slot);
      const send = (on: Promise<Bun.SQL>) => tracked(slot, on, (client) => client.unsafe(text, values));
      return send(opened).catch((error) => {
        if (!isClosed(error) || silent.has(opened)) throw error;
        return send(openedOn(slot));
      });
    },

    /**
     * Waits for a connection and takes it for a transaction. If it is lost, nothing silently runs on another one. One
     * connection is never taken, and with three or more a second one is never taken for writing, so reads do not wait
     * for writes, which may themselves wait for another process.
     */
    async take(purpose: Purpose): Promise<{ run: Run; release(): void }> {
      if (isFree(purpose)) taken[purpose] += 1;
      else await new Promise<void>((resolve) => waiting[purpose].push(resolve));
      const slot = leastBusy();
      slot.isTaken = true;
      const giveBack = () => {
        slot.isTaken = false;
        taken[purpose] -= 1;
        giveNext(purpose);
      };
      const opened = openedOn(slot);
      try {
        const connection = await tracked(slot, opened, (client) => client.reserve());
        return {
          run: (text, values) => tracked(slot, opened, () => connection.unsafe(text, values)),
          release() {
            connection.release();
            giveBack();
          },
        };
      } catch (error) {
        giveBack();
        throw error;
      }
    },

    async close() {
      isOver = true;
      clearInterval(checking);
      await Promise.all(slots.map(({ opened }) => opened?.then(closeNow, () => {})));
    },
  };

  function isFree(purpose: Purpose): boolean {
    const { reading, writing } = taken;
    return reading + writing < size - 1 && (purpose === "reading" || writing < writingMax);
  }

  /** If both wait, they take turns. The one that waited is counted here, so that no other takes its place. */
  function giveNext(last: Purpose): void {
    const inTurn: Purpose[] = last === "writing" ? ["reading", "writing"] : ["writing", "reading"];
    const next = inTurn.find((purpose) => waiting[purpose].length > 0 && isFree(purpose));
    if (!next) return;
    taken[next] += 1;
    waiting[next].shift()?.();
  }

  function openedOn(slot: Slot): Promise<Bun.SQL> {
    slot.opened ??= open(slot);
    return slot.opened;
  }

  function open(slot: Slot): Promise<Bun.SQL> {
    const opened = connectToWriter(url, () => forget(slot, opened)).catch((error) => {
      throw unreachable(error);
    });
    opened.catch(() => setTimeout(forget, retryMs, slot, opened).unref());
    return opened;
  }

  /** After the pool was closed, nothing opens connections again. */
  function forget(slot: Slot, opened: Promise<Bun.SQL>): void {
    if (slot.opened === opened && !isOver) slot.opened = null;
  }

  function leastBusy(): Slot {
    return slots
      .filter(({ isTaken }) => !isTaken)
      .reduce((best, each) => (each.underWay < best.underWay ? each : best));
  }

  async function tracked<Result>(
    slot: Slot,
    opened: Promise<Bun.SQL>,
    send: (client: Bun.SQL) => Promise<Result>,
  ): Promise<Result> {
    slot.underWay += 1;
    try {
      const client = await opened;
      return await send(client).catch((error) => {
        if (isLost(error) || isReadOnly(error)) giveUp(slot, opened, client);
        throw error;
      });
    } finally {
      slot.underWay -= 1;
      slot.silentChecks = 0;
    }
  }

  function replaceSilent(): void {
    for (const slot of slots) {
      slot.silentChecks = slot.underWay > 0 ? slot.silentChecks + 1 : 0;
      const { opened } = slot;
      if (slot.silentChecks * checkMs <= silentMsMax || !opened) continue;
      slot.silentChecks = 0;
      silent.add(opened);
      forget(slot, opened);
      opened.then(closeNow, () => {});
    }
  }

  function giveUp(slot: Slot, opened: Promise<Bun.SQL>, client: Bun.SQL): void {
    forget(slot, opened);
    closeNow(client);
  }
}

type PostgresValue = SqlValue | bigint;

export function statementOf(strings: TemplateStringsArray, values: SqlArgument[]) {
  const composed = compose({ strings, values }, (place) => `$${place}`);
  return { text: composed.text, values: composed.values.map(bound) };
}

/**
 * Whole numbers are sent as BigInt. Numbers beyond 32 bits would have another type, and each mixture of types would be
 * another prepared statement, which the connection keeps: a list of ids could make any number of them.
 */
function bound(value: SqlValue): PostgresValue {
  if (typeof value === "string") return withoutNul(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** Rows as SQLite returns them. PostgreSQL's whole numbers arrive as BigInt; ours are all below 2^53. */
export function plainRows<Row>(rows: Iterable<Record<string, unknown>>): Row[] {
  const plain: Record<string, unknown>[] = [];
  for (const row of rows) {
    const made: Record<string, unknown> = {};
    for (const name in row) made[name] = typeof row[name] === "bigint" ? Number(row[name]) : row[name];
    plain.push(made);
  }
  return plain as Row[];
}
