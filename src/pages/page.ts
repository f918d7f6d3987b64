import type { ComponentType, ReactNode } from "react";
import type { SessionUser } from "../accounts/schema.ts";

/** Renders an island and names its script to the page. Its props have to be plain data: the browser gets them as JSON. */
export type RenderIsland = <Props extends object>(
  name: string,
  Island: ComponentType<Props>,
  props: Props,
) => ReactNode;

/** What a page may know of the request that asked for it. */
export interface PageRequest {
  island: RenderIsland;
  path: string;
  /** The query string with its question mark, or `""`: the filters of a list stand in it. */
  search: string;
  params: Record<string, string>;
  /** What this browser keeps under a name, unverified. */
  cookie: (name: string) => string | null;
  messagingLink: string | null;
}

/** A page for those who are not signed in. It has a card of its own width, and no frame. */
export interface EntrancePage {
  title: string;
  heading: string;
  description: string;
  /** What the page cannot do where there is no JavaScript: "to sign you in". */
  needsScript: string;
  content: (request: PageRequest) => ReactNode;
}

/** A page inside the frame of one role. `screen` mounts its island, which renders the h1 with `PageHeading`. */
export interface PanelPage {
  title: string;
  /** The server renders all of what it is for, so that it does not ask for JavaScript where there is none. */
  readsWithoutScript?: boolean;
  screen: (request: PanelRequest) => ReactNode | Promise<ReactNode>;
}

export interface PanelRequest extends PageRequest {
  viewer: SessionUser;
  /** Whose page a reseller's id in the path is; `null` when it is nobody's. */
  usernameOf: (resellerId: number) => Promise<string | null>;
  /** Whether the viewer may open a key, or an order, of this id. */
  hasKey: (id: number) => Promise<boolean>;
  hasOrder: (id: number) => Promise<boolean>;
  /** What the address names does not exist: the page says so in its frame, and its status is 404. */
  sayMissing: () => void;
}
