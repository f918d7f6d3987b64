import { creditsOf } from "../core/credits.ts";
import { withThousandsSeparators } from "../core/text.ts";

/**
 * How many credits are missing for this cost: 0 if the balance is enough. The form shows the same figure with
 * which the server refuses.
 */
export function creditsShort({ costTenths, balanceTenths }: { costTenths: number; balanceTenths: number }): number {
  return creditsOf(Math.max(0, costTenths - balanceTenths));
}

/**
 * 'You need X more credits to generate N key(s).' (rules.md: Dates and figures): X has one decimal, and both figures
 * have their thousands apart. `purpose` is the end of the sentence.
 */
export function creditsShortSentence(missingCredits: number, purpose: string): string {
  return `You need ${creditsText(missingCredits)} more credits to ${purpose}.`;
}

export function creditsText(credits: number): string {
  return withThousandsSeparators(credits.toFixed(1));
}

export function keysTo(verb: "generate" | "extend", count: number): string {
  return `${verb} ${withThousandsSeparators(count)} key(s)`;
}

export const toRaiseLimit = "raise the device limit";
