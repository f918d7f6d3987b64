import { invisible } from "./field.ts";

const whiteSpace = /\p{White_Space}/gu;
const notShown = new RegExp(`[${invisible}]`, "gu");

/** rules.md: Devices. In characters, as the database counts them. */
const charactersMax = 64;

/** The name of a device as it is kept, or null if the game sent none. Names are cut and cleaned, and never refused. */
export function deviceNameIn(sent: string | null): string | null {
  if (sent === null) return null;
  const line = sent.replace(whiteSpace, " ").replace(notShown, "").replace(/ +/g, " ").trim();
  return [...line].slice(0, charactersMax).join("").trim() || null;
}
