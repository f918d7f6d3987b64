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
