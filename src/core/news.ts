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

/** Tells it once the transaction that it is called in is committed, and never where it is not. */
export type Tell = (news: News) => Promise<void>;

/** Somebody who hears of every commit's news. `missed`: there was a time in which nothing could be heard. */
export interface Listener {
  news(news: News): void;
  missed(): void;
}

/** What one of them fails at is none of the others', nor of those who wait for the commit that it is about. */
export function tellAll(listeners: readonly Listener[], news: News): void {
  for (const listener of listeners) {
    try {
      listener.news(news);
    } catch (error) {
      log.error("A listener failed at the news of a commit: {error}", { error });
    }
  }
}
