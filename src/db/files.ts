import { Database as Connection, SQLiteError } from "bun:sqlite";
import { chmodSync, chownSync, closeSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { OperatorError } from "../core/operator-error.ts";

export const lockFile = "latchkey.lock";

/**
 * Locks a folder for this process and returns how to unlock it, or null if another process has it. The lock is SQLite's
 * own on an empty file, so the system releases it however the process ends.
 */
export function lockFolder(folder: string, name = lockFile): (() => void) | null {
  const file = join(folder, name);
  const connection = new Connection(file, { create: true, readwrite: true });
  try {
    connection.run("PRAGMA locking_mode = EXCLUSIVE");
    connection.run("BEGIN EXCLUSIVE");
    giveToOwnerOf(folder, file);
  } catch (error) {
    connection.close();
    if (error instanceof SQLiteError && error.code === "SQLITE_BUSY") return null;
    throw error;
  }
  return () => connection.close();
}

/** The same for work of this name within a folder. */
export function lockName(folder: string, name: string): (() => void) | null {
  const file = `latchkey-${name.replaceAll(" ", "-")}.lock`;
  const unlock = lockFolder(folder, file);
  if (!unlock) return null;
  return () => {
    rmSync(join(folder, file), { force: true });
    unlock();
  };
}

/** The same for a data folder. Throws `OperatorError` if another process has it. */
export function lockDataFolder(folder: string): () => void {
  const unlock = lockFolder(folder);
  if (!unlock) throw new OperatorError(`Another Latchkey is running on ${folder}. Stop it first.`);
  return unlock;
}

/**
 * If root runs this, gives `path` to the owner of `model`, so that a server which is not root can use it. Returns the
 * user, or null.
 */
export function giveToOwnerOf(model: string, path: string): number | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(model);
  chownSync(path, uid, gid);
  return uid === 0 ? null : uid;
}

/** The same, with the mode of the file that it replaces. */
export function giveRightsOf(model: string, path: string): number | null {
  const stat = statSync(model);
  if (stat.isFile()) chmodSync(path, stat.mode & 0o777);
  return giveToOwnerOf(model, path);
}

/** Returns the bytes that a user may still write in a folder, or null if the system does not know. */
export async function freeBytesIn(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

const chunkBytes = 2 ** 20;

/** Yields a file's bytes in pieces. A piece is valid until the next one is read. */
export function* chunksOf(file: string): Generator<Uint8Array> {
  const descriptor = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(chunkBytes);
    for (let bytes = readSync(descriptor, chunk); bytes > 0; bytes = readSync(descriptor, chunk)) {
      yield chunk.subarray(0, bytes);
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the first bytes, to recognise a format. A stream may arrive in pieces of one byte. */
export async function begun(content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, bytes: number) {
  const pieces = (async function* () {
    yield* content;
  })();
  let start = Buffer.alloc(0);
  while (start.length < bytes) {
    const next = await pieces.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return { start, rest: pieces };
}
