import { getLogger } from "@logtape/logtape";

const log = getLogger(["latchkey", "database"]);

/**
 * What a commit tells to the pages that are open, on every process that shares the database. It is plain data and short: the database carries
 * it, and a page that missed it asks again.
 */
export type News =
  /** These sessions have ended, and their pages hear nothing more. */
  | { about: "sessions"; ended: number[] }
  /** What a reseller's pages are told; `live/schema.ts` says how. */
  | {
      about: "reseller";
      resellerId: number;
      notice: { type: "status_change"; isActive: boolean; message: string } | { type: "credits_change" };
    };

/** Somebody who hears of every commit's news. `missed`: there was a time in which nothing could be heard. */
export interface Listener {
  news(news: News): void;
  missed(): void;
}

/** An error in one listener reaches neither the others nor the callers of the commit. */
export function deliver(listeners: readonly Listener[], news: News): void {
  for (const listener of listeners) {
    try {
      listener.news(news);
    } catch (error) {
      log.error("A listener failed at the news of a commit: {error}", { error });
    }
  }
}
