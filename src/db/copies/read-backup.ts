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
import { OperatorError } from "../../core/operator-error.ts";
import { chunksOf } from "../files.ts";
import { openUntrusted, sentenceFor } from "./check.ts";

/** A file's path, or the bytes of one as they arrive; compressed by zstd, or as it is. */
export type BackupSource = string | AsyncIterable<Uint8Array>;

/**
 * Copies a backup to `file`, which stands alone then. A `-wal` beside the backup holds changes that are not in it yet: they are folded
 * in, and its path is answered. Throws `OperatorError` where the backup cannot be read as a whole.
 */
export async function takeIn(source: BackupSource, file: string): Promise<string | null> {
  if (typeof source !== "string") {
    await writeNew(file, (await decompression())(source));
    standAlone(file, null);
    return null;
  }
  const path = readableFile(source);
  refuseOpenTransaction(path);
  const wal = journalOf(path);
  const before = stampsOf(path);
  await writeNew(file, (await decompression())(chunksOf(path)));
  if (wal) await writeNew(`${file}-wal`, chunksOf(wal));
  if (stampsOf(path) !== before) {
    throw new OperatorError(
      `${source} is being written to. Stop what works on it, or take a copy with \`latchkey backup\`.`,
    );
  }
  standAlone(file, wal);
  return wal;
}

/** Loaded where a backup is read: with the program, it would be by every start. */
async function decompression() {
  return (await import("./compression.ts")).decompressed;
}

/** Where a file really is: SQLite looks for its journals there, not beside a link to it. A pipe or a device never ends. */
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
 * A `-journal` undoes a transaction that was never finished, so the file is not whole without it. It is not played in here: it may name
 * another file, which SQLite would then remove.
 */
function refuseOpenTransaction(path: string): void {
  const journal = `${path}-journal`;
  if (!existsSync(journal) || statSync(journal).size === 0) return;
  throw new OperatorError(
    `Beside it lies ${journal}, of a change that was never finished. Open it once with sqlite3 first.`,
  );
}

function stampsOf(path: string): string {
  const stamp = (file: string) => {
    const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stat && `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  };
  return JSON.stringify([stamp(path), stamp(`${path}-wal`)]);
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
 * A write-ahead log begins anew, under the next salt, once all that it held is in the database; until then its frames are of the salt before. Where
 * both files are of one moment nothing is lost without it. That they are, only a person knows.
 */
function whyNothingIsRead(wal: string): string {
  const head = readFirst(wal, walHeaderBytes + frameHeaderBytes);
  const salt = head.length === walHeaderBytes + frameHeaderBytes ? head.readUInt32BE(16) : null;
  const firstFrameSalt = salt === null ? null : head.readUInt32BE(walHeaderBytes + 8);
  if (salt === null || firstFrameSalt !== (salt - 1) >>> 0) {
    return `Nothing can be read of ${wal} beside it: it is damaged, or of another database. If nothing in it matters, move it away and try again.`;
  }
  return `${wal} beside it holds no change: it had just begun anew when the server was killed, and all that it held before is in the database. If both files are of the same moment, move it away and try again.`;
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

/** Folds the journal in, and lets the file need none. */
function standAlone(file: string, wal: string | null): void {
  const connection = openUntrusted(file);
  try {
    const [[, pages = 0] = []] = connection.query("PRAGMA wal_checkpoint(PASSIVE)").values();
    if (wal && Number(pages) <= 0) {
      throw new OperatorError(whyNothingIsRead(wal));
    }
    connection.run("PRAGMA journal_mode = DELETE");
  } catch (error) {
    throw sentenceFor(error);
  } finally {
    connection.close();
  }
}
