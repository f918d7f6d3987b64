import type { Keep } from "../config/backup-settings.ts";

/** Where backups are kept: a folder, or a bucket. */
export interface Place {
  /** Newest first. */
  list(): Promise<KeptBackup[]>;
  /** The bytes as they lie there. Throws `OperatorError` where there is none of that name. */
  read(name: string): AsyncIterable<Uint8Array>;
  remove(name: string): Promise<void>;
}

export interface KeptBackup {
  name: string;
  madeAt: number;
  bytes: number;
}

/** Which of them have to go, of a list that begins with the newest. That one stays, however old it is: it is the last there is. */
export function beyondKeep(backups: KeptBackup[], { count, ms }: Keep, now: number): KeptBackup[] {
  const isBeyond = ({ madeAt }: KeptBackup, index: number) =>
    (count !== null && index >= count) || (ms !== null && madeAt < now - ms);
  return backups.filter((backup, index) => index > 0 && isBeyond(backup, index));
}

export function newestFirst(a: KeptBackup, b: KeptBackup): number {
  return b.madeAt - a.madeAt;
}
