import type { ComponentType, ReactNode } from "react";
import type { AskedEntrance, AskedInPanel } from "./asked-page.ts";

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
