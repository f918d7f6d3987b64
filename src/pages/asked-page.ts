import type { Role, SessionUser } from "../accounts/schema.ts";
import type { Language } from "../reference/languages.ts";
import type { EntrancePath, PanelPath } from "./addresses.ts";

/**
 * What a page is rendered from, as plain data. As JSON it is the page's key in the cache. What may differ between two responses with the same
 * rendered page is in slots.ts.
 */
export type AskedPage = AskedEntrance | AskedInPanel | { area: "nowhere" };

/** A page for those who are not signed in. */
export interface AskedEntrance {
  area: "entrance";
  page: EntrancePath;
  /** The role of the last sign-in in this browser. */
  lastRole: Role;
  messagingLink: string | null;
}

/** A page inside the frame of one role. */
export interface AskedInPanel {
  area: "panel";
  page: PanelPath;
  /** The query string with its question mark, or `""`. It holds the filters of a list. */
  search: string;
  viewer: SessionUser;
  /** The name of the reseller in the address, or null. */
  username: string | null;
  /** The language of the code samples. */
  language: Language;
  /** The day in UTC, `2026-11-22`. Some pages read the clock, so yesterday's must not come from the cache. */
  today: string;
}
