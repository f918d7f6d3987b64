import { getLogger } from "@logtape/logtape";

const log = getLogger(["latchkey", "database"]);

/**
 * An event for open pages, on every process that shares the database. It is plain data and short, because the database carries it. A page that
 * missed one asks again.
 */
export type DatabaseEvent =
  /** These sessions have ended. */
  | { about: "sessions"; ended: number[] }
  /** The pages whose sessions a suspension of this reseller ended are to be closed. */
  | { about: "suspendedPages"; resellerId: number }
  /** A notice for a reseller's pages, see `live/schema.ts`. */
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
