import { fetchAhead } from "../../runtime/preload.ts";

/** Radix's dialogs come with the first press that may open one, and not with the page. */
export const importKeyDetails = () => import("./key-details.tsx");
export const importRevocation = () => import("./revocation.tsx");

/** For a button that opens one: its script is on its way as soon as the pointer or the focus comes near. */
export function fetchedAhead(load: () => Promise<unknown>) {
  const fetch = () => void fetchAhead(load);
  return { onPointerEnter: fetch, onFocus: fetch };
}
