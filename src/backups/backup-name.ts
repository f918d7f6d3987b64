import { isoOf } from "../core/clock.ts";

const shape = /^latchkey-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.db\.zst$/;

/** What a backup is called wherever it is kept: names sort as their times do. Colons are in no file name of some systems. */
export function backupName(madeAt: number): string {
  return `latchkey-${isoOf(madeAt).replaceAll(":", "-")}.db.zst`;
}

/** When a backup was made, by its name; `null` where that is not a name of ours. */
export function madeAtOf(name: string): number | null {
  const [, day, hour, minute, second] = name.match(shape) ?? [];
  const madeAt = Date.parse(`${day}${hour}:${minute}:${second}`);
  return Number.isNaN(madeAt) ? null : madeAt;
}
