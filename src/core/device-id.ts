import { invisible, notText } from "./field.ts";

const standsAlone = "[\\p{L}\\p{N}\\p{P}\\p{S}]";

/**
 * 1 to 128 visible characters, and not only combining marks (rules.md: Verifying). ASCII comes first because nearly all
 * ids are ASCII.
 */
export const deviceIdPattern = new RegExp(`^(?:[!-~]{1,128}|(?=.*${standsAlone})[^\\p{Zs}${invisible}]{1,128})$`, "u");

const whiteSpace = /\p{White_Space}/gu;
const notShown = new RegExp(notText, "gu");

/** rules.md: Devices. In characters, as the database counts them. */
const charactersMax = 64;

/** The name of a device as it is kept, or null if the game sent none. Names are cut and cleaned, and never refused. */
export function deviceNameIn(sent: string | null): string | null {
  if (sent === null) return null;
  const line = sent.replace(whiteSpace, " ").replace(notShown, "").replace(/ +/g, " ").trim();
  return [...line].slice(0, charactersMax).join("").trim() || null;
}
