import { valuesIn } from "../../state/url-state.ts";

/** The tab stands in the address, apart from the filters: clearing those does not leave the tab. */
export const tabDefaults = { tab: "generate" };

export function tabIn(search: string): "generate" | "manage" {
  return valuesIn(search, tabDefaults).tab === "manage" ? "manage" : "generate";
}
