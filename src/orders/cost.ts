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
 * have their thousands apart.
 */
export function creditsShortSentence(missingCredits: number, count: number): string {
  const missing = withThousandsSeparators(missingCredits.toFixed(1));
  return `You need ${missing} more credits to generate ${withThousandsSeparators(count)} key(s).`;
}
