import { getLogger } from "@logtape/logtape";

const log = getLogger(["latchkey", "database"]);

/**
 * What a commit tells to the pages that are open, on every process that shares the database. It is plain data and short: the database carries
 * it, and a page that missed it asks again.
 */
export type DatabaseEvent =
  /** These sessions have ended, and their pages hear nothing more. */
  | { about: "sessions"; ended: number[] }
  /** What a reseller's pages are told; `live/schema.ts` says how. */
  | {
      about: "reseller";
      resellerId: number;
      notice: { type: "status_change"; isActive: boolean; message: string } | { type: "credits_change" };
    };

/** Hears each event once it is committed. `missed` is called after a time in which events may have been lost. */
export interface Listener {
  event(event: DatabaseEvent): void;
  missed(): void;
}

/** An error in one listener reaches neither the others nor the callers of the commit. */
export function deliver(listeners: readonly Listener[], event: DatabaseEvent): void {
  for (const listener of listeners) {
    try {
      listener.event(event);
    } catch (error) {
      log.error("A listener failed at a committed event: {error}", { error });
    }
  }
}
