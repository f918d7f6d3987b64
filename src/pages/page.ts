import type { ComponentType, ReactNode } from "react";
import type { Role, SessionUser } from "../accounts/schema.ts";
import type { RunningPause } from "../interventions/schema.ts";
import type { Language as PlayerLanguage } from "../languages/languages.ts";
import type { PlayerResult } from "../players/player-result.ts";
import type { Language } from "../reference/call.ts";

/** What names the panel on its pages (rules.md: Name and logo). */
export interface Brand {
  name: string;
  /** The address of its logo. */
  logo: string;
  supportLink: string | null;
}

export const latchkey: Brand = { name: "Latchkey", logo: "/mark.svg", supportLink: null };

/** The addresses of the pages, and the roles of those in the panel (rules.md: Pages). `site.tsx` has what they show. */
export const entrancePaths = ["/", "/register"] as const;
export type EntrancePath = (typeof entrancePaths)[number];

export const panelPaths = {
  "/admin": "admin",
  "/admin/resellers": "admin",
  "/admin/resellers/:id": "admin",
  "/admin/resellers/:id/keys": "admin",
  "/admin/orders/:id": "admin",
  "/admin/create-keys": "admin",
  "/admin/catalogue": "admin",
  "/admin/interventions": "admin",
  "/admin/keys/:id": "admin",
  "/admin/online-updates": "admin",
  "/admin/tokens": "admin",
  "/admin/database-backup": "admin",
  "/admin/import": "admin",
  "/admin/audit": "admin",
  "/admin/api": "admin",
  "/admin/account": "admin",
  "/admin/api-keys": "admin",
  "/admin/webhooks": "admin",
  "/reseller": "reseller",
  "/reseller/generate": "reseller",
  "/reseller/keys": "reseller",
  "/reseller/keys/:id": "reseller",
  "/reseller/orders": "reseller",
  "/reseller/orders/:id": "reseller",
  "/reseller/credits": "reseller",
  "/reseller/api": "reseller",
  "/reseller/account": "reseller",
  "/reseller/api-keys": "reseller",
  "/reseller/webhooks": "reseller",
} as const;
export type PanelPath = keyof typeof panelPaths;

/**
 * What a page is rendered from, as plain data. As JSON it is the page's key in the cache. `PageValues` has what may
 * differ between two responses with the same rendered page.
 */
export type PageRequest = EntranceRequest | PanelRequest | PlayerRequest | { area: "nowhere" };

/** A page for people who are not signed in. */
export interface EntranceRequest {
  area: "entrance";
  page: EntrancePath;
  /** The role of the last sign-in in this browser. */
  lastRole: Role;
  messagingLink: string | null;
}

/** The page on which players look up their key. */
export interface PlayerRequest {
  area: "player";
  language: PlayerLanguage;
  /** Null before anything was sent. Without a key that was looked up, the page is the same for everybody. */
  result: PlayerResult | null;
}

/** A page inside the frame of one role. */
export interface PanelRequest {
  area: "panel";
  page: PanelPath;
  /** The query string with its question mark, or `""`. It holds the filters of a list. */
  search: string;
  viewer: SessionUser;
  /** Whose key or order the address names, or null. */
  owner: Role | null;
  /** The name of the reseller in the address, or null. */
  username: string | null;
  /** The language of the code samples. */
  language: Language;
  /** How many keys the reseller's overview lists because they expire soon. */
  expiringKeys: number;
  /** What the overviews say of keys that interventions hold paused. */
  pauses: RunningPause[];
  /** Whether the Overview may show an admin the first steps. */
  mayGuide: boolean;
  /** The day in UTC, `2026-11-22`. Some pages read the clock, so yesterday's must not come from the cache. */
  today: string;
}

/**
 * Renders an island and adds its script to the page. The props must be plain data, because the browser receives them as
 * JSON.
 */
export type RenderIsland = <Props extends object>(
  name: string,
  Island: ComponentType<Props>,
  props: Props,
) => ReactNode;

/** A page for people who are not signed in: a card without the frame. */
export interface EntrancePage {
  title: string;
  /** Of the panel's name. */
  heading: (panel: string) => string;
  description: string;
  /** What the page cannot do without JavaScript: "to sign you in". */
  needsScript: string;
  content: (request: EntranceRequest & { island: RenderIsland }) => ReactNode;
}

/** `id` is the `:id` of the page's address. */
export type ScreenRequest = PanelRequest & { id: string; island: RenderIsland };

/** A page inside the frame of one role. `screen` mounts its island, which renders the h1 with `PageHeading`. */
export interface PanelPage {
  title: string | ((request: ScreenRequest) => string);
  /** The item of the navigation that it marks (rules.md: Navigation), if not its own. */
  under?: string | ((request: ScreenRequest) => string);
  /** The page is useful without JavaScript, so it does not ask for it. */
  readsWithoutScript?: boolean;
  screen: (request: ScreenRequest) => ReactNode;
}

/** What differs between two responses with the same rendered page. */
export interface PageValues {
  /** For the scripts and styles of this response only. */
  nonce: string;
  /** In ISO form. Islands tell from it how old their props are. */
  renderedAt: string;
  /** The `:id` of the page's address, a positive whole number; or "". */
  id: string;
  /** What the player's form is shown with again, in characters that HTML and JSON write alike; or "". */
  key: string;
}

/** Random placeholders for these values. They never leave the server, so no user's text can contain one. */
export type Slots = PageValues;

export function freshSlots(): Slots {
  const slot = () => crypto.randomUUID();
  return { nonce: slot(), renderedAt: slot(), id: slot(), key: slot() };
}

/** A rendered page, cut at its slots. */
export type CutPage = { piece: Uint8Array<ArrayBuffer>; slot?: keyof PageValues }[];

const encoder = new TextEncoder();

/** Cuts the placeholders out of a page. */
export function cut(html: string, slots: Slots): CutPage {
  const slotOf = new Map(Object.entries(slots).map(([slot, placeholder]) => [placeholder, slot as keyof Slots]));
  // The pattern has a group, so every second part is a placeholder.
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
