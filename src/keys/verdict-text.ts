import type { Preview, Verdict } from "./schema.ts";

/** The JSON of a verdict, as `JSON.stringify` writes it. What is the same for all with one message is written once: most answers of all are verdicts. */
export function verdictText(verdict: Verdict | Preview): string {
  const { expiry, deviceLimit, currentDevices } = verdict;
  const isPreview = "canRegister" in verdict;
  // Of what is no key there is nothing to say that differs.
  if (expiry === null) return isPreview ? JSON.stringify(verdict) : once(wholes, verdict, JSON.stringify);
  const text = `${once(beginnings, verdict, beginningOf)}${expiry}","deviceLimit":${deviceLimit},"currentDevices":${currentDevices}`;
  return isPreview ? `${text},"canRegister":${verdict.canRegister}}` : `${text}}`;
}

const beginnings = new Map<string, string>();
const wholes = new Map<string, string>();

/** Up to the expiry. */
function beginningOf({ valid, code, message }: Verdict): string {
  return `${JSON.stringify({ valid, code, message }).slice(0, -1)},"expiry":"`;
}

/** By its message. */
function once(written: Map<string, string>, verdict: Verdict, write: (verdict: Verdict) => string): string {
  const known = written.get(verdict.message);
  if (known !== undefined) return known;
  const text = write(verdict);
  written.set(verdict.message, text);
  return text;
}
