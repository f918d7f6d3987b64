import type { ComponentType, ReactNode } from "react";
import type { Needs } from "../../islands/runtime/rights.ts";
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

/** The addresses of the pages (rules.md: Pages). `site.tsx` has what they show. */
export const entrancePaths = ["/", "/register"] as const;
export type EntrancePath = (typeof entrancePaths)[number];

/** The pages of the panel, and what staff needs for each; null for those that are open to everybody (rules.md: Staff). */
export const panelPaths = {
  "/admin": null,
  "/admin/resellers": "resellers:read",
  "/admin/resellers/:id": ["resellers:read", "credits:read", "keys:read"],
  "/admin/resellers/:id/keys": "keys:read",
  "/admin/orders/:id": "keys:read",
  "/admin/create-keys": ["keys:order", "keys:read"],
  "/admin/blocked-devices": "keys:read",
  "/admin/shared-keys": "keys:read",
  "/admin/catalogue": "stats:read",
  "/admin/interventions": "everything",
  "/admin/keys/:id": "keys:read",
  "/admin/online-updates": "updates:manage",
  "/admin/tokens": "tokens:manage",
  "/admin/database-backup": "everything",
  "/admin/import": "everything",
  "/admin/audit": "audit:read",
  "/admin/api": null,
  "/admin/account": null,
  "/admin/api-keys": "everything",
  "/admin/webhooks": "everything",
  "/admin/shop-links": "everything",
  "/admin/staff": "everything",
  "/reseller": null,
  "/reseller/generate": "keys:order",
  "/reseller/keys": "keys:read",
  "/reseller/keys/:id": "keys:read",
  "/reseller/blocked-devices": "keys:read",
  "/reseller/shared-keys": "keys:read",
  "/reseller/orders": "keys:read",
  "/reseller/orders/:id": "keys:read",
  "/reseller/credits": "credits:read",
  "/reseller/api": null,
  "/reseller/account": null,
  "/reseller/api-keys": "everything",
  "/reseller/webhooks": "everything",
  "/reseller/shop-links": "everything",
  "/reseller/staff": "everything",
} as const satisfies Record<string, Needs | null>;
export type PanelPath = keyof typeof panelPaths;

/** Of a staff account; null for a full account, which may do everything. */
export type Rights = SessionUser["rights"];

export function hasRight(rights: Rights, needs: Needs | null | undefined): boolean {
  return rights === null || !needs || [needs].flat().some((need) => rights.some((right) => right === need));
}

/** Whether an account with these rights may open an address. */
export function mayOpen(rights: Rights, address: string): boolean {
  const path = address.replace(/[?#].*/, "").replace(/^(\/\w+\/\w+\/)[^/]+/, "$1:id");
  return hasRight(rights, panelPaths[path as PanelPath]);
}

export function roleOf(page: string): Role {
  return page.startsWith("/admin") ? "admin" : "reseller";
}

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
  /** `closed` replaces a page that the viewer's rights do not open. */
  page: PanelPath | "closed";
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
  /** How many keys seem to be shared. */
  sharedKeys: number;
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
