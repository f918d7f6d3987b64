import { getLogger } from "@logtape/logtape";

const log = getLogger(["latchkey", "database"]);

/**
 * An event for open pages, on every process that shares the database. It is short plain data, because the database
 * carries it. A page that missed one fetches again.
 */
export type DatabaseEvent =
  /** These sessions have ended. */
  | { about: "sessions"; ended: number[] }
  /** Closes the pages whose sessions ended with the suspension of this reseller. */
  | { about: "suspendedPages"; resellerId: number }
  /** A notice for a reseller's pages, see `live/live.ts`. */
  | {
      about: "reseller";
      resellerId: number;
      notice: { type: "status_change"; isActive: boolean; message: string } | { type: "credits_change" };
    };

/** `event` is called after the commit, `missed` after a time in which events may have been lost. */
export interface Listener {
  event(event: DatabaseEvent): void;
  missed(): void;
}

/** An error in one listener affects neither the others nor the callers of the commit. */
export function deliver(listeners: readonly Listener[], event: DatabaseEvent): void {
  for (const listener of listeners) {
    try {
      listener.event(event);
    } catch (error) {
      log.error("A listener failed to handle a committed event: {error}", { error });
    }
  }
}
