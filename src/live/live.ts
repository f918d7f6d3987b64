import type { LiveNotice } from "./schema.ts";

/** An open page of a reseller. */
export interface LivePage {
  tell(notice: LiveNotice): void;
  close(code: number, reason: string): void;
}

/** Sockets that one reseller may hold open. A person has a few tabs; past it the oldest is closed. */
const pagesPerResellerMax = 20;

/** The open pages of every reseller, so that a suspension reaches them at once. */
export interface Live {
  opened(page: LivePage): void;
  closed(page: LivePage): void;
  /** From now on the page hears what is told to the reseller. */
  join(resellerId: number, page: LivePage): void;
  tell(resellerId: number, notice: LiveNotice): void;
  /** Closes every page, with 1001: the server is going away. */
  closeAll(): void;
}

export function createLive(): Live {
  const pages = new Set<LivePage>();
  const pagesOf = new Map<number, Set<LivePage>>();

  return {
    opened(page) {
      pages.add(page);
    },
    closed(page) {
      pages.delete(page);
      for (const [resellerId, joined] of pagesOf) {
        if (joined.delete(page) && joined.size === 0) pagesOf.delete(resellerId);
      }
    },
    join(resellerId, page) {
      const joined = pagesOf.get(resellerId) ?? new Set();
      const [oldest] = joined;
      if (oldest && joined.size >= pagesPerResellerMax) {
        joined.delete(oldest);
        oldest.close(1000, "Too many pages are open.");
      }
      pagesOf.set(resellerId, joined.add(page));
    },
    tell(resellerId, notice) {
      for (const page of pagesOf.get(resellerId) ?? []) page.tell(notice);
    },
    closeAll() {
      for (const page of pages) page.close(1001, "The server is stopping.");
    },
  };
}
