import { msPerDay, msPerSecond } from "../core/clock.ts";
import type { Count, Metrics } from "../core/metrics.ts";
import type { Database, Sql } from "../db/contract.ts";
import type { StandingRow } from "./devices/device-store.ts";
import { createOwnerSums, type OwnerSums } from "./owner-sums.ts";
import { type VerdictCode, verdictCodes } from "./schema.ts";
import * as store from "./tally-store.ts";

const writeEveryMs = 5 * msPerSecond;

/**
 * Over so long is written what was gathered. The totals of 5,000 owners are some 50 ms of the answering thread: at once they made a queue of everybody
 * who asked meanwhile, for a third of a second.
 */
const writeWithinMs = 4 * msPerSecond;

/** Refused keys that are kept between two writings. What is beyond them is not on record, so that a flood fills no memory. */
const refusedKeysMax = 20_000;

/** Rows of one unit of writing. Other writers come in between, and share the commit. */
const rowsPerUnit = 100;

/**
 * Verdicts that are noted before they are summed up. The sums of thousands of owners lie all over the memory, and each verdict would wait for its
 * owner's alone; notes lie one behind the other, and where many are summed up at once the processor fetches the sums of several together.
 */
const notesMax = 2_048;

/** What verification told clients, gathered in memory and written together (rules.md: Verdicts on record): nobody waits for it. */
export interface Tally {
  count(told: Told): void;
  /** Writes what is gathered. A server that stops does not wait for its time. */
  write(): Promise<void>;
}

/** A verdict that a client was told. */
export interface Told {
  code: VerdictCode;
  /** The key of the text that was asked for, whatever its game. */
  standing: StandingRow | null;
  deviceId: string;
  isNewcomer: boolean;
  at: number;
}

interface Day {
  day: number;
  verdicts: OwnerSums;
  /** By key and code. */
  refusals: Map<string, store.RefusalRow>;
}

const adminsOwner = 0;
const numberOf = Object.fromEntries(verdictCodes.map((code, number) => [code, number])) as Record<VerdictCode, number>;

export function createTally(
  { database, metrics }: { database: Database; metrics: Metrics },
  { everyMs = writeEveryMs, withinMs = writeWithinMs } = {},
): Tally {
  const toldOf = metrics.counter({
    name: "latchkey_verdicts_total",
    help: "What POST /api/verify told game clients.",
    labels: ["code"],
  });
  const told = Object.fromEntries(verdictCodes.map((code) => [code, toldOf({ code })])) as Record<VerdictCode, Count>;
  const noted = {
    /** That of all notes. */
    day: 0,
    count: 0,
    owners: new Array<number | null>(notesMax).fill(null),
    codes: new Uint8Array(notesMax),
    connected: new Uint8Array(notesMax),
  };
  let days: Day[] = [];
  let today: Day | null = null;
  let refusedKeys = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing = Promise.resolve();
  /** Who waits for a writing that is to be over at once. */
  let hurried = 0;
  /** Calls off the rests of the one that is under way. */
  let hurry = () => {};

  return {
    count({ code, standing, deviceId, isNewcomer, at }) {
      told[code].value += 1;
      const day = Math.floor(at / msPerDay);
      // A key of another game is not found, which is nothing to its owner.
      const key = code === "NOT_FOUND" ? null : standing;
      if (day !== noted.day || noted.count === notesMax) sumUp();
      noted.day = day;
      noted.owners[noted.count] = key && (key.resellerId ?? adminsOwner);
      noted.codes[noted.count] = numberOf[code];
      noted.connected[noted.count] = isNewcomer && code === "VALID" ? 1 : 0;
      noted.count += 1;
      writeLater();
      if (key === null || code === "VALID") return;
      addRefusals({ day, keyId: key.id, code: numberOf[code], count: 1, lastAt: at, lastDeviceId: deviceId });
    },

    async write() {
      hurried += 1;
      hurry();
      await write();
      hurried -= 1;
    },
  };

  function sumUp(): void {
    const { day, count } = noted;
    noted.count = 0;
    if (count === 0) return;
    const { verdicts } = gatheredOn(day);
    for (let note = 0; note < count; note += 1) {
      const owner = noted.owners[note] as number | null;
      const code = noted.codes[note] as number;
      verdicts.add({ owner, code, count: 1, connected: noted.connected[note] as number });
    }
  }

  function addVerdicts({ day, ...told }: store.VerdictRow): void {
    gatheredOn(day).verdicts.add(told);
  }

  function addRefusals(row: store.RefusalRow): void {
    const { refusals } = gatheredOn(row.day);
    const name = `${row.keyId} ${row.code}`;
    const known = refusals.get(name);
    if (!known && refusedKeys >= refusedKeysMax) return;
    if (!known) refusedKeys += 1;
    refusals.set(name, known ? { ...row, count: known.count + row.count } : row);
  }

  function gatheredOn(day: number): Day {
    writeLater();
    if (today?.day === day) return today;
    const known = days.find((gathered) => gathered.day === day);
    today = known ?? { day, verdicts: createOwnerSums(), refusals: new Map() };
    if (!known) days.push(today);
    return today;
  }

  function writeLater(): void {
    timer ??= setTimeout(write, everyMs).unref();
  }

  /** One writing after the other. */
  function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeGathered);
    return writing;
  }

  async function writeGathered(): Promise<void> {
    sumUp();
    const gathered = days;
    days = [];
    today = null;
    refusedKeys = 0;
    const rows = gathered.reduce((sum, { verdicts, refusals }) => sum + verdicts.countRows() + refusals.size, 0);
    const rest = restsOf(withinMs / Math.ceil(rows / rowsPerUnit));
    const written: Promise<void>[] = [];
    for (const writeUnit of unitsIn(gathered)) {
      if (written.length > 0) await rest();
      written.push(writeUnit());
    }
    await Promise.all(written);
  }

  /** Made as they are wanted: thousands of rows at once would keep everybody waiting before the first is written. */
  function* unitsIn(gathered: Day[]): Generator<() => Promise<void>> {
    for (const { day, verdicts } of gathered)
      for (const rows of unitsOf(verdicts.rows(day))) yield () => writeUnit(rows, store.addVerdicts, addVerdicts);
    for (const { refusals } of gathered)
      for (const rows of unitsOf(refusals.values())) yield () => writeUnit(rows, store.addRefusals, addRefusals);
  }

  /** What to wait for between two units. Where somebody waits for all of them, it is over, and there are no further ones. */
  function restsOf(ms: number): () => Promise<void> | undefined {
    const { promise: calledOff, resolve } = Promise.withResolvers<void>();
    hurry = resolve;
    return () => (hurried > 0 ? undefined : Promise.race([calledOff, Bun.sleep(ms)]));
  }

  /** What a full disk refuses comes again with the next writing. */
  async function writeUnit<Row>(
    rows: Row[],
    add: (sql: Sql, rows: Row[]) => Promise<void>,
    gatherAgain: (row: Row) => void,
  ): Promise<void> {
    try {
      await database.transaction(null, ({ sql }) => add(sql, rows));
    } catch {
      for (const row of rows) gatherAgain(row);
    }
  }
}

function* unitsOf<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let unit: Row[] = [];
  for (const row of rows) {
    unit.push(row);
    if (unit.length < rowsPerUnit) continue;
    yield unit;
    unit = [];
  }
  if (unit.length > 0) yield unit;
}
