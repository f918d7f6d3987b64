import type { ComponentType, ReactNode } from "react";
import type { Role, SessionUser } from "../accounts/schema.ts";
import type { Language } from "../reference/call.ts";

/** Where the pages stand, and whose those in the panel are (rules.md: Pages). What they show stands in site.tsx. */
export const entrancePaths = ["/", "/register"] as const;

export type EntrancePath = (typeof entrancePaths)[number];

export const panelPaths = {
  "/admin": "admin",
  "/admin/resellers": "admin",
  "/admin/resellers/:id": "admin",
  "/admin/resellers/:id/keys": "admin",
  "/admin/orders/:id": "admin",
  "/admin/create-keys": "admin",
  "/admin/keys/:id": "admin",
  "/admin/online-updates": "admin",
  "/admin/tokens": "admin",
  "/admin/database-backup": "admin",
  "/admin/audit": "admin",
  "/admin/api": "admin",
  "/admin/account": "admin",
  "/reseller": "reseller",
  "/reseller/generate": "reseller",
  "/reseller/keys": "reseller",
  "/reseller/keys/:id": "reseller",
  "/reseller/orders": "reseller",
  "/reseller/orders/:id": "reseller",
  "/reseller/credits": "reseller",
  "/reseller/api": "reseller",
  "/reseller/account": "reseller",
} as const;

export type PanelPath = keyof typeof panelPaths;

/**
 * What a page is rendered from, as plain data. As JSON it is the page's key in the cache. What may differ between two responses with the same
 * rendered page is in `PageValues`.
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

/** Renders an island and names its script to the page. Its props have to be plain data: the browser gets them as JSON. */
export type RenderIsland = <Props extends object>(
  name: string,
  Island: ComponentType<Props>,
  props: Props,
) => ReactNode;

/** A page for those who are not signed in. It has a card of its own width, and no frame. */
export interface EntrancePage {
  title: string;
  heading: string;
  description: string;
  /** What the page cannot do where there is no JavaScript: "to sign you in". */
  needsScript: string;
  content: (asked: AskedEntrance & { island: RenderIsland }) => ReactNode;
}

/** `id` is the `:id` of the page's address. */
export type PanelRequest = AskedInPanel & { id: string; island: RenderIsland };

/** A page inside the frame of one role. `screen` mounts its island, which renders the h1 with `PageHeading`. */
export interface PanelPage {
  title: string;
  /** The server renders all of what it is for, so that it does not ask for JavaScript where there is none. */
  readsWithoutScript?: boolean;
  screen: (request: PanelRequest) => ReactNode;
}

/** What differs between two responses with the same rendered page. */
export interface PageValues {
  /** For the scripts and styles of this response only. */
  nonce: string;
  /** In ISO form. Islands tell from it how old their props are. */
  renderedAt: string;
  /** The `:id` of the page's address, a positive whole number; or "". */
  id: string;
}

/** Random placeholders for these values. They never leave the server, so no user's text can contain one. */
export type Slots = PageValues;

export function freshSlots(): Slots {
  return { nonce: crypto.randomUUID(), renderedAt: crypto.randomUUID(), id: crypto.randomUUID() };
}

/** A rendered page: its text in pieces, and the slots between them. */
export type CutPage = { piece: Uint8Array<ArrayBuffer>; slot?: keyof PageValues }[];

const encoder = new TextEncoder();

/** Cuts the placeholders out of a page. */
export function cut(html: string, slots: Slots): CutPage {
  const slotOf = new Map(Object.entries(slots).map(([slot, placeholder]) => [placeholder, slot as keyof Slots]));
  // A pattern with a group keeps the placeholders, so every second part is one.
  const parts = html.split(new RegExp(`(${[...slotOf.keys()].join("|")})`));
  const page: CutPage = [];
  for (let at = 0; at < parts.length; at += 2) {
    page.push({ piece: encoder.encode(parts[at]), slot: slotOf.get(parts[at + 1] ?? "") });
  }
  return page;
}

export function filled(page: CutPage, values: PageValues): Uint8Array<ArrayBuffer> {
  const pieces = page.flatMap(({ piece, slot }) => (slot ? [piece, encoder.encode(values[slot])] : [piece]));
  return new Uint8Array(Bun.concatArrayBuffers(pieces));
}
