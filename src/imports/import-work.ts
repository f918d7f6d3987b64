import { getLogger } from "@logtape/logtape";
import { gameNamed } from "../catalogue/store.ts";
import { type Clock, hoursPerDay, msPerDay, msPerHour, type Now } from "../core/clock.ts";
import { untilStarted } from "../core/key-time.ts";
import { printable } from "../core/text.ts";
import { type Database, type Sql, type Unit, withoutNul } from "../db/contract.ts";
import { createErasure, createStoredWork, inBatches, pauseTimesOfCommand } from "../db/maintenance.ts";
import { keyIdsMax, recordEvents } from "../facts/outbox-store.ts";
import {
  deleteKeys,
  type ImportedKeyRow,
  insertImported,
  keysOfImport,
  nextKeysOf,
  takenForms,
} from "../keys/imported-store.ts";
import { addToImport, countDeleted, nextUndone } from "../orders/imported-store.ts";
import type { ImportedKey, ReadLine, WrongLine } from "./reading/imported-key.ts";
import * as store from "./store.ts";

const log = getLogger(["latchkey", "imports"]);

/**
 * Keys that one transaction imports or deletes. For a server, which handles no request meanwhile, it takes about 3 ms. A
 * command only keeps other writes waiting.
 */
const pace = {
  server: { keysPerBatch: 25, pauseTimes: undefined },
  command: { keysPerBatch: 200, pauseTimes: pauseTimesOfCommand },
};

export type ImportWork = ReturnType<typeof createImportWork>;

interface Dependencies {
  database: Database;
  clock: Pick<Clock, "now" | "isAhead">;
  worksIn?: keyof typeof pace;
}

/**
 * Imports the lines of files, and deletes the keys of undone imports, in batches of short transactions. How far each
 * import has come is written in the transaction of the batch, so after a crash it continues there.
 */
export function createImportWork({ database, clock, worksIn = "server" }: Dependencies) {
  const { keysPerBatch, pauseTimes } = pace[worksIn];
  const { run, wake, begin, isStopping } = createStoredWork({
    database,
    name: "imports",
    isAnyLeft: async () => (await nextUndone(database.read)) !== null || (await next()) !== null,
    finishAll,
    onFailure: (error) => log.error("An import could not continue, and is tried again: {error}", { error }),
  });
  return { run, wake, begin, importAll, deleteUndone, pauseTimes };

  /** Deletions come first, because a file may bring the same keys again. */
  async function finishAll(): Promise<void> {
    await deleteUndone();
    for (let each = await next(); each !== null; each = await next()) await importAll(each.id);
  }

  /** While the clock is ahead, no key is imported. */
  function next(): Promise<store.ImportRow | null> {
    return isStopping() || clock.isAhead() ? Promise.resolve(null) : store.nextRunning(database.read);
  }

  /** Handles all lines of an import. `onProgress` is called after each batch. */
  function importAll(id: number, onProgress: (row: store.ImportRow) => void = () => {}): Promise<void> {
    return repeat(async () => {
      const row = clock.isAhead() ? null : await database.transaction(null, (unit) => importNext(unit, id));
      if (row) onProgress(row);
      return row !== null;
    });
  }

  function deleteUndone(): Promise<void> {
    return repeat(() => database.transaction(null, deleteNext));
  }

  /** Runs a batch, with pauses, until it returns false. */
  async function repeat(batch: () => Promise<boolean>): Promise<void> {
    let isOver = false;
    await inBatches(
      turnsUntil(() => isOver || isStopping()),
      async () => {
        isOver = !(await batch());
      },
      pauseTimes,
    );
  }

  /** Deletes keys of an undone order. Returns false if there is none with keys left. */
  async function deleteNext(unit: Unit): Promise<boolean> {
    const order = await nextUndone(unit.sql);
    if (order === null) return false;
    const ids = await nextKeysOf(unit.sql, order.id, keysPerBatch);
    await deleteKeys(unit, ids);
    await countDeleted(unit.sql, order, ids.length);
    return true;
  }

  /** Handles the next lines, or ends the import if there are none. Returns null once it is no longer running. */
  async function importNext(unit: Unit, id: number): Promise<store.ImportRow | null> {
    const row = await store.importOf(unit.sql, id);
    if (row?.state !== "running") return null;
    const details = await store.nextLines(unit.sql, row, keysPerBatch);
    const lines: ReadLine[] = details.map((each) => JSON.parse(each));
    if (lines.length === 0) {
      await store.setState(unit.sql, id, "finished");
      if (row.isDryRun === 0 && row.valid > 0) await recordImported(unit.sql, row, clock.now());
      return null;
    }
    const { outcomes, keys } = await decide(unit.sql, row, lines);
    if (row.isDryRun === 0 && keys.length > 0) await insertKeys(unit, row, keys);
    await store.advance(unit.sql, row, outcomes);
    return row;
  }
}

function* turnsUntil(isOver: () => boolean): Generator<void> {
  while (!isOver()) yield;
}

async function recordImported(sql: Sql, { id, valid: count }: store.ImportRow, at: number): Promise<void> {
  const keyIds = await keysOfImport(sql, id, keyIdsMax);
  await recordEvents(sql, [{ type: "keys.imported", resellerId: null, at, data: { by: "admin", count, keyIds } }]);
}

interface NewKey {
  key: ImportedKey;
  gameId: number;
  resellerId: number | null;
}

/** Decides what becomes of the lines, and which of them become keys. */
async function decide(sql: Sql, row: store.ImportRow, lines: ReadLine[]) {
  const read = lines.filter((line) => "text" in line);
  const games = await gamesNamed(sql, new Set(read.map(({ game }) => game)));
  const owners = await store.resellersNamed(sql, [...new Set(read.flatMap(({ owner }) => owner?.toLowerCase() ?? []))]);
  const forms = read.map(({ normalForm }) => normalForm);
  const taken = await takenForms(sql, forms);
  const before = new Set(row.isDryRun === 1 ? await store.formsBefore(sql, row.id, forms) : []);
  const keys: NewKey[] = [];

  const outcomes = lines.map((line): store.Outcome => {
    const wrong = (reason: string, { field, value }: Pick<WrongLine, "field" | "value">): store.Outcome => {
      return { line: line.line, result: "wrong", reason: printable(reason), field, value: value && withoutNul(value) };
    };
    const duplicate = (reason: string) => ({ line: line.line, result: "duplicate" as const, reason });
    if ("problem" in line) return wrong(line.problem, line);
    const gameId = games.get(line.game);
    if (gameId === undefined) return wrong(`There is no game ${line.game}.`, { field: "game", value: line.game });
    const resellerId = line.owner === null ? null : owners.get(line.owner.toLowerCase());
    const owner = { field: "owner", value: line.owner ?? undefined } as const;
    if (resellerId === undefined) return wrong(`There is no reseller ${line.owner}.`, owner);
    if (before.has(line.normalForm) || taken.get(line.normalForm) === row.id) {
      return duplicate("An earlier line has the same key.");
    }
    if (taken.has(line.normalForm)) return duplicate("The panel has this key already.");
    before.add(line.normalForm);
    keys.push({ key: line, gameId, resellerId });
    return { line: line.line, result: "valid", reason: null };
  });
  return { outcomes, keys };
}

async function gamesNamed(sql: Sql, names: Set<string>): Promise<Map<string, number>> {
  const games = new Map<string, number>();
  for (const name of names) {
    const game = await gameNamed(sql, name);
    if (game) games.set(name, game.id);
  }
  return games;
}

/** In the order of the file, which an export keeps. */
async function insertKeys(unit: Unit, { id: importId, madeBy, at }: store.ImportRow, keys: NewKey[]): Promise<void> {
  const orders = new Map<number | null, number>();
  for (const [resellerId, ofOwner] of Map.groupBy(keys, (each) => each.resellerId)) {
    const { isFirstUse, ...shared } = sharedBy(ofOwner.map(orderedAs));
    const order = { importId, resellerId, madeBy, at, count: ofOwner.length, ...shared, isFirstUse: isFirstUse ?? 0 };
    orders.set(resellerId, await addToImport(unit.sql, order));
  }
  const rows = keys.map(
    ({ key, gameId, resellerId }): ImportedKeyRow => ({
      ...key,
      keyString: key.text,
      gameId,
      isFirstUse: key.startsAtFirstUse ? 1 : 0,
      expiresAt: key.expiresAt ?? untilStarted,
      resellerId,
      createdBy: madeBy,
      orderId: orders.get(resellerId) as number,
    }),
  );
  await insertImported(unit, rows, at);
}

/** How an order describes the key. */
function orderedAs({ key, gameId }: NewKey) {
  const { deviceLimit, durationHours, createdAt, expiresAt, startsAtFirstUse } = key;
  const days = durationHours === null ? ((expiresAt ?? createdAt) - createdAt) / msPerDay : durationHours / hoursPerDay;
  return { gameId, deviceLimit, durationHours, days: Math.floor(days), isFirstUse: startsAtFirstUse ? 1 : 0 };
}

/** The values that all have in common; null for the others. */
function sharedBy<Values extends Record<string, number | null>>(
  all: Values[],
): { [Name in keyof Values]: Values[Name] | null } {
  const [first] = all as [Values, ...Values[]];
  const shared = Object.entries(first).map(([name, value]) => [
    name,
    all.every((each) => each[name] === value) ? value : null,
  ]);
  return Object.fromEntries(shared);
}

/** How long reports are kept (rules.md: Imports). */
const reportDays = 30;
const uploadHours = 2;

/** Lines erased in one batch. */
const linesErased = 500;

/** Erases old reports, and what is left of files that were never read to their end. */
export function createImportRetention({ database, now }: { database: Database; now: Now }) {
  const before = (): store.Retention => ({
    reportsSince: now() - reportDays * msPerDay,
    uploadsSince: now() - uploadHours * msPerHour,
  });
  return createErasure({
    database,
    name: "import retention",
    isAnyOld: () => store.isAnyOld(database.read, before()),
    eraseBatch: () => database.transaction(null, ({ sql }) => store.eraseOld(sql, before(), linesErased)),
    onFailure: (error) => log.error("Old reports of imports could not be erased: {error}", { error }),
  });
}
