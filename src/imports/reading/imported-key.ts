import type { Column } from "../../keys/export/columns.ts";

/** A line of a file as the key that it becomes. Every time is known: a line that leaves out `created` gets one here. */
export interface ImportedKey {
  line: number;
  text: string;
  normalForm: string;
  /** A name or an alias of a game, as the file has it. */
  game: string;
  /** A username, or null for an admin key. */
  owner: string | null;
  createdAt: number;
  startsAtFirstUse: boolean;
  /** Null until it starts. */
  startedAt: number | null;
  /** Null until it starts. */
  expiresAt: number | null;
  durationHours: number | null;
  deviceLimit: number;
  pausedAt: number | null;
  revokedAt: number | null;
  note: string | null;
  devices: string[];
}

/** `line` counts from 1, which is the head of a CSV file. */
export type ReadLine = WrongLine | ImportedKey;

/**
 * A line that becomes no key. `problem` is a sentence for people, `field` the column that is to blame, and `value` what
 * stands there, of a game, an owner or a status.
 */
export type WrongLine = { line: number; key: string; problem: string; field?: Column; value?: string };
