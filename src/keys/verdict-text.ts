import type { Preview, Verdict } from "./schema.ts";

/** The JSON of a verdict, as `JSON.stringify` writes it. What is the same for all with one message is written once: most answers of all are verdicts. */
export function verdictText(verdict: Verdict | Preview): string {
  const { expiry, deviceLimit, currentDevices } = verdict;
  // Of what is no key there is nothing to say that differs.
  if (expiry === null && !("canRegister" in verdict)) return once(wholes, verdict, JSON.stringify);
  const quoted = expiry === null ? "null" : `"${expiry}"`;
  const text = `${once(beginnings, verdict, beginningOf)},"expiry":${quoted},"deviceLimit":${deviceLimit},"currentDevices":${currentDevices}`;
  return "canRegister" in verdict ? `${text},"canRegister":${verdict.canRegister}}` : `${text}}`;
}

const beginnings = new Map<string, string>();
const wholes = new Map<string, string>();

function beginningOf({ valid, code, message }: Verdict): string {
  return JSON.stringify({ valid, code, message }).slice(0, -1);
}

/** By its message. */
function once(written: Map<string, string>, verdict: Verdict, write: (verdict: Verdict) => string): string {
  const known = written.get(verdict.message);
  if (known !== undefined) return known;
  const text = write(verdict);
  written.set(verdict.message, text);
  return text;
}
