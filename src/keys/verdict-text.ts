import type { Preview, Verdict } from "./schema.ts";

/** The JSON of a verdict, as `JSON.stringify` writes it. What is the same for all with one message is written once: most answers of all are verdicts. */
export function verdictText(verdict: Verdict | Preview): string {
  const { expiry, deviceLimit, currentDevices } = verdict;
  // Of what is no key there is nothing to say that differs.
  if (expiry === null && !("canRegister" in verdict)) return wholeOf(verdict);
  const quoted = expiry === null ? "null" : `"${expiry}"`;
  const text = `${beginningOf(verdict)},"expiry":${quoted},"deviceLimit":${deviceLimit},"currentDevices":${currentDevices}`;
  return "canRegister" in verdict ? `${text},"canRegister":${verdict.canRegister}}` : `${text}}`;
}

const beginnings = new Map<string, string>();
const wholes = new Map<string, string>();

function beginningOf({ valid, code, message }: Verdict): string {
  const known = beginnings.get(message);
  if (known !== undefined) return known;
  const beginning = JSON.stringify({ valid, code, message }).slice(0, -1);
  beginnings.set(message, beginning);
  return beginning;
}

function wholeOf(verdict: Verdict): string {
  const known = wholes.get(verdict.message);
  if (known !== undefined) return known;
  const whole = JSON.stringify(verdict);
  wholes.set(verdict.message, whole);
  return whole;
}
