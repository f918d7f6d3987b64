import { compose, type SqlArgument, type SqlValue, withoutNul } from "../contract.ts";
import { isClosed } from "./postgres-faults.ts";

/** A connection that answers nothing for so long, whatever was asked of it, is given up: the network is cut, and may be so for hours. */
const silentMsMax = 10_000;
const lookMs = 1_000;

/** How long it may take to reach the database. */
export const connectSeconds = 3;

/** Carries out one statement and answers its rows. Values are bound, and its statement is kept prepared by its text. */
export type Run = (text: string, values?: PostgresValue[]) => Promise<Iterable<Record<string, unknown>>>;

/** What a connection is taken for. */
type Purpose = "reading" | "writing";

/** A connection for one's own use, for a transaction. One that is lost stays lost: nothing is carried out on another one unnoticed. */
export interface Taken {
  run: Run;
  release(): void;
}

export interface PostgresPool {
  /**
   * On any connection, behind what others ask there. One that was lost while nobody needed it is noticed by the next statement, which is asked
   * again: so what is asked here may be carried out twice.
   */
  run: Run;
  /**
   * Waits for a connection that nobody else has taken. One is never taken, and of three or more another one never for writing: so whoever only reads
   * waits for no write, which itself may wait for another process.
   */
  take(purpose: Purpose): Promise<Taken>;
  close(): Promise<void>;
}

interface Slot {
  client: Bun.SQL;
  isTaken: boolean;
  underWay: number;
  /** How often it was looked at since it last answered. */
  silentLooks: number;
}

/** One client for each connection: so one that is stuck can be given up alone, and its statements fail at once instead of never. */
export function createPostgresPool({ url, size }: { url: string; size: number }): PostgresPool {
  const slots = Array.from(
    { length: size },
    (): Slot => ({ client: connect(), ...{ isTaken: false, underWay: 0, silentLooks: 0 } }),
  );
  const writingMax = Math.max(1, size - 2);
  const taken = { reading: 0, writing: 0 };
  const waiting: Record<Purpose, (() => void)[]> = { reading: [], writing: [] };
  const looking = setInterval(giveUpSilent, lookMs).unref();

  return {
    async run(text, values) {
      const slot = leastBusy();
      const { client } = slot;
      const ask = () => answered(slot, () => client.unsafe(text, values));
      return ask().catch((error) => {
        if (!isClosed(error) || slot.client !== client) throw error;
        return ask();
      });
    },

    async take(purpose) {
      if (isFree(purpose)) taken[purpose] += 1;
      else await new Promise<void>((resolve) => waiting[purpose].push(resolve));
      const slot = leastBusy();
      slot.isTaken = true;
      const giveBack = () => {
        slot.isTaken = false;
        taken[purpose] -= 1;
        giveNext(purpose);
      };
      try {
        const connection = await answered(slot, () => slot.client.reserve());
        return {
          run: (text, values) => answered(slot, () => connection.unsafe(text, values)),
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
      clearInterval(looking);
      await Promise.all(slots.map(({ client }) => client.close({ timeout: 0 })));
    },
  };

  function isFree(purpose: Purpose): boolean {
    const { reading, writing } = taken;
    return reading + writing < size - 1 && (purpose === "reading" || writing < writingMax);
  }

  /** Where both wait they take turns. Whoever waited is counted here, so that nobody comes in between. */
  function giveNext(last: Purpose): void {
    const inTurn: Purpose[] = last === "writing" ? ["reading", "writing"] : ["writing", "reading"];
    const next = inTurn.find((purpose) => waiting[purpose].length > 0 && isFree(purpose));
    if (!next) return;
    taken[next] += 1;
    waiting[next].shift()?.();
  }

  function connect(): Bun.SQL {
    return new Bun.SQL(url, { max: 1, bigint: true, connectionTimeout: connectSeconds });
  }

  function leastBusy(): Slot {
    return slots
      .filter(({ isTaken }) => !isTaken)
      .reduce((best, each) => (each.underWay < best.underWay ? each : best));
  }

  async function answered<Answer>(slot: Slot, ask: () => Promise<Answer>): Promise<Answer> {
    slot.underWay += 1;
    try {
      return await ask();
    } finally {
      slot.underWay -= 1;
      slot.silentLooks = 0;
    }
  }

  function giveUpSilent(): void {
    for (const slot of slots) {
      slot.silentLooks = slot.underWay > 0 ? slot.silentLooks + 1 : 0;
      if (slot.silentLooks * lookMs <= silentMsMax) continue;
      const stuck = slot.client;
      slot.client = connect();
      slot.silentLooks = 0;
      stuck.close({ timeout: 0 }).catch(() => {});
    }
  }
}

/** What is sent to PostgreSQL: its parameters are numbered, and its statements are kept prepared by their text. */
export interface PostgresStatement {
  text: string;
  values: PostgresValue[];
}

export type PostgresValue = SqlValue | bigint;

export function statementOf(strings: TemplateStringsArray, values: SqlArgument[]): PostgresStatement {
  const composed = compose({ strings, values }, (place) => `$${place}`);
  return { text: composed.text, values: composed.values.map(bound) };
}

/**
 * A value as it is sent. A whole number goes as a BigInt: numbers would be of another type beyond 32 bits, and each mixture of types is a
 * statement of its own, which a connection keeps prepared for as long as it lasts. Whoever sends hundreds of ids could make endlessly many.
 */
function bound(value: SqlValue): PostgresValue {
  if (typeof value === "string") return withoutNul(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/**
 * A row as SQLite would answer it. Whole numbers come as BigInt, because some do not fit into a number; ours are all below 2^53.
 */
export function plainRows<Row>(rows: Iterable<Record<string, unknown>>): Row[] {
  const plain: Record<string, unknown>[] = [];
  for (const row of rows) {
    const made: Record<string, unknown> = {};
    for (const name in row) made[name] = typeof row[name] === "bigint" ? Number(row[name]) : row[name];
    plain.push(made);
  }
  return plain as Row[];
}

/** Gives `work` a connection of its own, outside of any pool, and ends it with whatever `work` left open. */
export async function withConnection<Result>(
  url: string,
  work: (connection: Bun.ReservedSQL) => Promise<Result>,
): Promise<Result> {
  const client = new Bun.SQL(url, { max: 1, bigint: true, connectionTimeout: connectSeconds });
  try {
    return await work(await client.reserve());
  } finally {
    await client.close({ timeout: 0 });
  }
}
