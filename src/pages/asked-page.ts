import type { Role, SessionUser } from "../accounts/schema.ts";
import type { Language } from "../reference/languages.ts";
import type { EntrancePath, PanelPath } from "./addresses.ts";

/**
 * All that a page is made from, as plain data: it crosses to the thread that renders, and two that are equal are the same page but for its
 * slots. So nothing stands in it that differs without the page being another.
 */
export type AskedPage = AskedEntrance | AskedInPanel | { area: "nowhere" };

/** A page for those who are not signed in. */
export interface AskedEntrance {
  area: "entrance";
  page: EntrancePath;
  /** As what somebody signed in last in this browser. */
  lastRole: Role;
  messagingLink: string | null;
}

/** A page inside the frame of one role. */
export interface AskedInPanel {
  area: "panel";
  page: PanelPath;
  /** What its address has in the place of `:id`, a positive whole number; or "". */
  id: string;
  /** Where it stands: `/admin/keys/7`. */
  path: string;
  /** The query string with its question mark, or `""`: the filters of a list stand in it. */
  search: string;
  viewer: SessionUser;
  /** Of the reseller whom the address names; `null` when it is nobody's, or names none. */
  username: string | null;
  /** Whose samples of code are shown. */
  language: Language;
  /** The day in UTC, `2026-11-22`. No page reads it: some ask the clock, and one that is kept must not be of yesterday. */
  today: string;
}
