import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { OperatorError } from "../../core/operator-error.ts";
import { begun, chunksOf, freeBytesIn } from "../files.ts";
import { foreignSentence, openUntrusted, sentenceFor } from "./check.ts";

/** Every database begins with a header, and the header with this mark. */
const headerBytes = 100;
const mark = Buffer.from("SQLite format 3\0");

/** A file's path, or its bytes as they arrive, compressed with zstd or not. */
export type BackupSource = string | AsyncIterable<Uint8Array>;

/**
 * Copies a backup to `file`, without a journal. If the backup has a `-wal` with further changes, they are included, and
 * its path is returned. Throws `OperatorError` if the backup cannot be read completely.
 */
export async function copyBackup(source: BackupSource, file: string): Promise<string | null> {
  const folder = dirname(file);
  if (typeof source !== "string") {
    await writeNew(file, databaseIn((await decompression())(source), folder));
    mergeJournal(file, null);
    return null;
  }
  const path = readableFile(source);
  refuseOpenTransaction(path);
  const wal = journalOf(path);
  const before = stampsOf(path);
  await writeNew(file, databaseIn((await decompression())(chunksOf(path)), folder));
  if (wal) await writeNew(`${file}-wal`, chunksOf(wal));
  if (stampsOf(path) !== before) {
    throw new OperatorError(
      `${source} is being written to. Stop the program that uses it, or make a copy with \`latchkey backup\`.`,
    );
  }
  mergeJournal(file, wal);
  return wal;
}

/** Loaded when a backup is read: an import would load it at every start. */
async function decompression() {
  return (await import("./compression.ts")).decompressed;
}

/**
 * Resolves links, because SQLite looks for journals next to the real file. Pipes and devices are refused, because they
 * may never end.
 */
function readableFile(path: string): string {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isFile()) throw new OperatorError(`${path} is not a file.`);
    accessSync(real, constants.R_OK);
    return real;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new OperatorError(`There is no file ${path}.`);
    throw new OperatorError(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

function journalOf(path: string): string | null {
  const wal = `${path}-wal`;
  return existsSync(wal) && statSync(readableFile(wal)).size > 0 ? wal : null;
}

/**
 * A `-journal` rolls back an unfinished transaction, so the file is incomplete without it. It is not applied here,
 * because it may name another file, which SQLite would then delete.
 */
function refuseOpenTransaction(path: string): void {
  const journal = `${path}-journal`;
  if (!existsSync(journal) || statSync(journal).size === 0) return;
  throw new OperatorError(
    `${journal} next to it is from an unfinished change. Open the database once with sqlite3 first.`,
  );
}

function stampsOf(path: string): string {
  const stamp = (file: string) => {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  };
  return JSON.stringify([stamp(path), stamp(`${path}-wal`)]);
}

/**
 * Passes on a database for `folder`. Content that does not begin like one, or does not fit there, is refused before
 * more of it is read or decompressed.
 */
async function* databaseIn(content: AsyncIterable<Uint8Array>, folder: string): AsyncGenerator<Uint8Array> {
  const { start, rest } = await begun(content, headerBytes);
  if (start.length < headerBytes || !start.subarray(0, mark.length).equals(mark)) {
    throw new OperatorError(foreignSentence);
  }
  // 1 stands for a page size of 65,536.
  const pageBytes = start.readUInt16BE(16) === 1 ? 65_536 : start.readUInt16BE(16);
  const bytes = pageBytes * start.readUInt32BE(28);
  const freeBytes = await freeBytesIn(folder);
  if (freeBytes !== null && bytes > freeBytes) {
    throw new OperatorError(`It needs ${megabytes(bytes)} MB, but ${folder} has only ${megabytes(freeBytes)} MB free.`);
  }
  yield start;
  yield* rest;
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}

async function writeNew(file: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
  const descriptor = openSync(file, "wx", 0o600);
  try {
    for await (const chunk of chunks) writeFileSync(descriptor, chunk);
  } finally {
    closeSync(descriptor);
  }
}

const walHeaderBytes = 32;
const frameHeaderBytes = 24;

/**
 * A write-ahead log restarts with the next salt once the database has all its changes; until it is overwritten, its
 * frames have the previous salt. If both files are from the same moment, nothing is lost without such a log; only the
 * operator knows whether they are.
 */
function walProblem(wal: string): string {
  const head = readFirst(wal, walHeaderBytes + frameHeaderBytes);
  const salt = head.length === walHeaderBytes + frameHeaderBytes ? head.readUInt32BE(16) : null;
  const firstFrameSalt = salt === null ? null : head.readUInt32BE(walHeaderBytes + 8);
  if (salt === null || firstFrameSalt !== (salt - 1) >>> 0) {
    return `The journal ${wal} next to it cannot be read: it is damaged, or belongs to another database. If nothing in it matters, move it away and try again.`;
  }
  return `The journal ${wal} next to it holds no changes: it had just been restarted when the server was killed, and all earlier changes are in the database. If both files are from the same moment, move it away and try again.`;
}

function readFirst(file: string, bytes: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const first = Buffer.alloc(bytes);
    return first.subarray(0, readSync(descriptor, first, 0, bytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Applies the journal, so that the file needs none. */
function mergeJournal(file: string, wal: string | null): void {
  const connection = openUntrusted(file);
  try {
    const [[, pages = 0] = []] = connection.query("PRAGMA wal_checkpoint(PASSIVE)").values();
    if (wal && Number(pages) <= 0) {
      throw new OperatorError(walProblem(wal));
    }
    connection.run("PRAGMA journal_mode = DELETE");
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    connection.close();
  }
}
