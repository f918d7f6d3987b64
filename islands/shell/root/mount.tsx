import { setNonce } from "get-nonce";
import type { ComponentType, ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { markHydrated } from "../../runtime/hydration.ts";
import { Boundary } from "./boundary.tsx";

/*
 * Keys that an input method handles: Enter takes its suggestion, Esc drops it. They must not also choose, submit or
 * close something. Safari ends the composition before it reports the key, which then has the code 229.
 * Every script imports this module first, so that this listener is before all others.
 */
window.addEventListener(
  "keydown",
  (event) => {
    if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation();
  },
  { capture: true },
);

type State = ComponentType<{ children: ReactNode }>;

/**
 * Hydrates the island that the server rendered under this name. Called by the scripts that `src/build/islands.ts`
 * writes.
 */
// biome-ignore lint/suspicious/noExplicitAny: the server checks the props where it renders the island; here they come as JSON.
export function hydrateIsland(name: string, Island: ComponentType<any>, State?: State): void {
  const container = document.querySelector<HTMLElement>(`[data-island="${name}"]`);
  if (!container) return;
  // Radix adds a style element while a dialog is open, which the policy allows only with this page's nonce.
  setNonce(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "");
  const island = <Island {...propsOf(name)} />;
  const root = <Boundary onReady={() => markHydrated(container)}>{State ? <State>{island}</State> : island}</Boundary>;
  // The same prefix as on the server: otherwise `useId` would differ, and labels would lose their fields.
  const options = { identifierPrefix: `${name}-` };
  if (container.hasChildNodes()) hydrateRoot(container, root, options);
  else createRoot(container, options).render(root);
}

function propsOf(name: string): object {
  return JSON.parse(document.querySelector(`script[data-props="${name}"]`)?.textContent ?? "{}");
}
