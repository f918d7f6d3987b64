import { firstAdmin } from "../accounts/account-store.ts";
import { type AuditedChanges, type By, type Caller, notedDownload } from "../accounts/audited-changes.ts";
import { gameNamed } from "../catalogue/store.ts";
import { atMost, type Clock, isoOf, msPerSecond } from "../core/clock.ts";
import { OperatorError } from "../core/operator-error.ts";
import { Refusal, refuseIfAhead, refuseProblems } from "../core/refusal.ts";
import { byteOrderMark, printable } from "../core/text.ts";
import { type Database, type Sql, type StreamQuery, withoutNul } from "../db/contract.ts";
import { inBatches } from "../db/maintenance.ts";
import { csvFile, isIdCursor, listOf, type Page, type PageQuery } from "../db/paging.ts";
import { type ImportOrder, importOrderOf, ordersOfImport, undoOrders } from "../orders/imported-store.ts";
import type { ImportWork } from "./import-work.ts";
import type { ReadLine } from "./reading/imported-key.ts";
import { type ReadOptions, readKeys } from "./reading/read.ts";
import type { Import, ImportCause, ImportState, ListedImport, StartedImport } from "./schema.ts";
import * as store from "./store.ts";

/** Lines that one transaction stores. Other writes wait for it. */
const linesPerBatch = 200;

/** How long the response to an undo waits for the keys to be deleted. What is left then is deleted afterwards. */
const undoWaitMsMax = 10 * msPerSecond;

const causesMax = 100;

export interface ImportedFile extends Omit<ReadOptions, "now"> {
  content: AsyncIterable<Uint8Array>;
  isDryRun: boolean;
  fileName: string | null;
}

export type Imports = ReturnType<typeof createImports>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  clock: Pick<Clock, "now" | "isAhead">;
  work: Pick<ImportWork, "wake" | "deleteUndone" | "pauseTimes">;
}

/** Keys from files (rules.md: Imports). `work` turns the lines into keys. */
export function createImports({ database, changes, clock, work }: Dependencies) {
  return {
    /** Stores the lines of a file for the servers to import. Throws `CLOCK_AHEAD`, `INVALID` or `IMPORT_UNDER_WAY`. */
    async start(admin: Caller, file: ImportedFile): Promise<StartedImport> {
      refuseIfAhead(clock);
      await refuseUnknown(file);
      const row = await begin(admin, { ...file, madeBy: admin.id, requestHash: null });
      const hash = new Bun.CryptoHasher("sha256");
      await storeLines(admin, row, { ...file, content: hashedBy(hash, file.content) });
      const fileHash = file.isDryRun ? null : hash.digest("hex");
      const run = () => setRunning(admin, row, fileHash);
      await (fileHash === null ? run() : unlessUnderWay(fileHash, run));
      work.wake();
      return { id: row.id, state: "running" };
    },

    /**
     * The same for a command, which imports the lines itself. `requestHash` stands for its file and options: an import
     * that the same command began is continued, until `endCommand`.
     */
    async startOrContinue(file: ImportedFile, requestHash: string): Promise<number> {
      refuseIfAhead(clock);
      await refuseUnknown(file);
      const begun = await store.importBegun(database.read, requestHash);
      const row = begun ?? (await begin("command line", { ...file, madeBy: await nameOfCommandLine(), requestHash }));
      if (row.state !== "reading") return row.id;
      await storeLines("command line", row, file);
      await setRunning("command line", row, null);
      return row.id;
    },

    unlessUnderWay,

    /** After the command has reported everything: the same command then begins another import. */
    endCommand: (id: number) => write("command line", (sql) => store.endCommand(sql, id)),

    /** Newest first, without dry runs. */
    list: (admin: Caller, query: PageQuery) => importList.read(database, admin, {}, query),

    /** Why lines are wrong, the most frequent mistakes first. Throws `NOT_FOUND`. */
    async causes(admin: Caller, id: number): Promise<ImportCause[]> {
      found(await store.importOf(database.read, id));
      return store.causesOf(database.query(admin), id, causesMax);
    },

    /** Throws `NOT_FOUND`. */
    async open(id: number): Promise<Import> {
      const row = found(await store.importOf(database.read, id));
      const orders = await ordersOfImport(database.read, id);
      return viewOf(row, orders);
    },

    /** Throws `NOT_FOUND`. */
    async downloadReport(admin: Caller, id: number) {
      found(await store.importOf(database.read, id));
      const content = await database.stream(reportStream, { id }, admin);
      const record = { action: "data_downloaded", target: `report of ${targetOf(id)}`, details: {} } as const;
      return {
        filename: `latchkey-import-${id}.csv`,
        content: await notedDownload(changes, admin, record, content),
      };
    },

    /** The same, without the mark at its beginning that spreadsheets need. */
    async *reportLines(id: number): AsyncGenerator<Uint8Array> {
      for await (const piece of reportStream.pieces(database.read, { id })) {
        yield Buffer.from(String(piece).replace(byteOrderMark, ""));
      }
    },

    /**
     * Deletes the keys of an import's orders, of all or of none. One that is still running stops. Throws `NOT_FOUND`,
     * `NOT_UNDOABLE`, `ALREADY_UNDONE` or `IMPORT_IN_USE`.
     */
    async undo(admin: Caller, id: number): Promise<Import> {
      await changes.carryOut(admin, async ({ sql }) => {
        const row = found(await store.importOf(sql, id));
        if (row.isDryRun === 1) throw new Refusal("NOT_UNDOABLE", "A dry run imported nothing.");
        if (row.state === "undone") throw alreadyUndone("import");
        const left = (await ordersOfImport(sql, id)).filter(({ undoneAt }) => undoneAt === null);
        await undoAll(sql, left, clock.now());
        await store.setState(sql, id, "undone");
        return { result: undefined, record: recordOf(targetOf(id), left) };
      });
      await atMost(undoWaitMsMax, work.deleteUndone()).catch(() => {});
      work.wake();
      return viewOf(found(await store.importOf(database.read, id)), await ordersOfImport(database.read, id));
    },

    /** The same for one order, by the operator. Throws `OperatorError` while the import is running. */
    async undoOrder(id: number): Promise<void> {
      await changes.carryOut("command line", async ({ sql }) => {
        const order = await importOrderOf(sql, id);
        if (order === null) throw new Refusal("NOT_FOUND", `Order ${id} is not the order of an import.`);
        if (order.undoneAt !== null) throw alreadyUndone("order");
        const { importId } = order;
        if ((await store.importOf(sql, importId))?.state === "running") {
          throw new OperatorError("The import of this order is not finished yet.");
        }
        await undoAll(sql, [order], clock.now());
        const orders = await ordersOfImport(sql, importId);
        if (orders.every(({ undoneAt }) => undoneAt !== null)) await store.setState(sql, importId, "undone");
        return { result: undefined, record: recordOf(`order ${id}`, [order]) };
      });
      await work.deleteUndone();
    },
  };

  /** A mistyped name would make every line wrong that relies on it. Throws `INVALID`. */
  async function refuseUnknown({ game = "", owner = "" }: ImportedFile): Promise<void> {
    const refuse = (path: string, text: string) => refuseProblems([{ path, message: printable(text, text.length) }]);
    const owners = await store.resellersNamed(database.read, [withoutNul(owner).toLowerCase()]);
    const isGame = (await gameNamed(database.read, withoutNul(game))) !== null;
    if (owner !== "" && owners.size === 0) refuse("owner", `There is no reseller ${owner}.`);
    if (game !== "" && !isGame) refuse("game", `There is no game ${game}.`);
  }

  function begin(by: By, given: Omit<store.NewImport, "at">): Promise<store.ImportRow> {
    const at = clock.now();
    return write(by, (sql) => store.insertImport(sql, { ...given, at }));
  }

  /** Runs it unless a server or a command is importing the file with this hash. Throws `IMPORT_UNDER_WAY`. */
  async function unlessUnderWay(fileHash: string, run: () => Promise<void>): Promise<void> {
    let isAlone = false;
    const runAlone = async () => {
      isAlone = !(await store.isRunning(database.read, fileHash));
      if (isAlone) await run();
    };
    await database.exclusive(`import ${fileHash}`, runAlone, true);
    if (!isAlone) throw new Refusal("IMPORT_UNDER_WAY", "This file is being imported already.");
  }

  /** Stores the lines that are not stored yet. */
  async function storeLines(by: By, row: store.ImportRow, { content, isDryRun, ...options }: ImportedFile) {
    const lines = readKeys(content, { ...options, now: row.at });
    const last = await store.lastLine(database.read, row.id);
    const add = (batch: ReadLine[]) => {
      const rows = batch.map((line) => storedLine(line, isDryRun));
      return write(by, (sql) => store.addLines(sql, row.id, rows));
    };
    await inBatches(batchesAfter(last, lines), add, work.pauseTimes);
  }

  /** Lets the work begin. */
  async function setRunning(by: By, { id, isDryRun }: store.ImportRow, fileHash: string | null): Promise<void> {
    await changes.carryOut(by, async ({ sql }) => {
      await store.setRunning(sql, id, fileHash);
      const { total } = found(await store.importOf(sql, id));
      const record = { action: "keys_imported", target: targetOf(id), details: { lines: total } } as const;
      return { result: undefined, record: isDryRun === 1 ? null : record };
    });
  }

  /** Writes a part of an import, which is no entry of the audit log by itself. */
  function write<Result>(by: By, change: (sql: Sql) => Promise<Result>): Promise<Result> {
    return changes.carryOut(by, async ({ sql }) => ({ result: await change(sql), record: null }), { isCounted: false });
  }

  async function nameOfCommandLine(): Promise<number> {
    const admin = await firstAdmin(database.read);
    if (admin === null) throw new Refusal("NOT_FOUND", "There is no admin yet, in whose name keys could be imported.");
    return admin.id;
  }
}

async function* hashedBy(hash: Bun.CryptoHasher, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    hash.update(piece);
    yield piece;
  }
}

/** Only in a dry run the texts of earlier lines are not found among the keys. */
function storedLine(read: ReadLine, isDryRun: boolean): store.StoredLine {
  const normalForm = isDryRun && "normalForm" in read ? read.normalForm : null;
  return { line: read.line, details: JSON.stringify(read), normalForm };
}

async function* batchesAfter(last: number, lines: AsyncIterable<ReadLine>): AsyncGenerator<ReadLine[]> {
  let batch: ReadLine[] = [];
  for await (const each of lines) {
    if (each.line <= last) continue;
    batch.push(each);
    if (batch.length < linesPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Throws `IMPORT_IN_USE`. */
async function undoAll(sql: Sql, orders: ImportOrder[], at: number): Promise<void> {
  const used = orders.find(({ isUsed }) => isUsed === 1);
  if (used) {
    const how = "a device connected, something was paid for it, or it was replaced";
    throw new Refusal("IMPORT_IN_USE", `A key of order ${used.id} has been used since: ${how}.`);
  }
  const ids = orders.map(({ id }) => id);
  await undoOrders(sql, ids, at);
}

function alreadyUndone(what: string): Refusal {
  return new Refusal("ALREADY_UNDONE", `This ${what} has already been undone.`);
}

/** How the audit log names an import: `import 5`. */
function targetOf(id: number): string {
  return `import ${id}`;
}

function recordOf(target: string, orders: ImportOrder[]) {
  const keys = orders.reduce((sum, { count }) => sum + count, 0);
  return { action: "import_undone" as const, target, details: { keys } };
}

type Begun = store.ImportRow & { state: ImportState };

/** While its file is still being read, there is no import yet. Throws `NOT_FOUND`. */
function found(row: store.ImportRow | null): Begun {
  if (row === null || row.state === "reading") throw new Refusal("NOT_FOUND", "There is no such import.");
  return row as Begun;
}

function viewOf({ id, state, valid, duplicate, wrong, total }: Begun, orders: ImportOrder[]): Import {
  const done = valid + duplicate + wrong;
  return { id, state, valid, duplicate, wrong, done, total, orderIds: orders.map(({ id: orderId }) => orderId) };
}

export const importList = listOf({
  name: "imports",
  isAfter: () => isIdCursor,
  rowsOf: (sql: Sql, _filter: object, page: Page<[number]>) => store.listImports(sql, page),
  afterOf: ({ id }) => [id] as [number],
  view: ({ id, at, by, fileName, state, valid, duplicate, wrong }): ListedImport => {
    return { id, at: isoOf(at), by, fileName, state: state as ImportState, valid, duplicate, wrong };
  },
});

/** What became of each line of a file. */
export const reportStream: StreamQuery<{ id: number }> = {
  name: "report of an import as CSV",
  pieces: (sql, { id }) =>
    csvFile<store.ReportRow, [number]>({
      ...{ columns: ["line", "key", "result", "reason"], after: null, limit: null, cellsOf },
      rowsOf: ({ after, limitPart }) => store.reportRows(sql, id, after?.[0] ?? 0, limitPart),
      afterOf: ({ line }) => [line],
    }),
};

function cellsOf({ line, details, result, reason }: store.ReportRow): (string | number)[] {
  const read: ReadLine = JSON.parse(details);
  return [line, "text" in read ? read.text : read.key, result, reason ?? ""];
}
