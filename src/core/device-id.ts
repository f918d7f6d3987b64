import { invisible } from "./field.ts";

const standsAlone = "[\\p{L}\\p{N}\\p{P}\\p{S}]";

/**
 * 1 to 128 visible characters, and not only combining marks (rules.md: Verifying). ASCII comes first because nearly all
 * ids are ASCII.
 */
export const deviceIdPattern = new RegExp(`^(?:[!-~]{1,128}|(?=.*${standsAlone})[^\\p{Zs}${invisible}]{1,128})$`, "u");
