import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { OperatorError } from "../core/operator-error.ts";

/**
 * Refuses a data folder in which this user cannot write everything: SQLite would say so at the first write, in the middle of somebody's
 * purchase. A container whose volume root has filled is the usual case. Throws `OperatorError`.
 */
export function refuseUnwritable(folder: string, file: string): void {
  for (const path of [folder, file, `${file}-wal`, `${file}-shm`]) {
    if (!existsSync(path)) continue;
    try {
      accessSync(path, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new OperatorError(sentenceFor(path, error as NodeJS.ErrnoException));
    }
  }
}

function sentenceFor(path: string, { code }: NodeJS.ErrnoException): string {
  if (code === "EROFS") return `${path} is on a file system that nobody may write.`;
  const { uid, mode } = statSync(path);
  const us = process.getuid?.() ?? uid;
  if (uid === us) {
    return `${path} belongs to ${nameOf(uid)}, as it should, but its mode ${(mode & 0o777).toString(8)} forbids writing: chmod u+rw ${path}`;
  }
  return `${path} belongs to ${nameOf(uid)}, and this runs as ${nameOf(us)}, who may not write it: chown -R ${us} ${path}`;
}

/** As people know it, with the number that the system goes by. */
function nameOf(uid: number): string {
  const name = namesByUid().get(uid);
  return name ? `${name} (${uid})` : `the user ${uid}`;
}

function namesByUid(): Map<number, string> {
  try {
    const users = readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"));
    return new Map(users.map(([name = "", , uid]) => [Number(uid), name]));
  } catch {
    // A system without that file knows numbers alone.
    return new Map();
  }
}
