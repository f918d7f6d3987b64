import { creditsPerGrantMax, tenthsOf } from "../core/credits.ts";

export interface Invitation {
  token: string;
  /** The bonus, for the greeting. The token decides what the account really gets. */
  credits: number;
}

/**
 * The link to register with a token, which is behind the # so that it reaches no server and no log
 * (rules.md: Login page).
 */
export function invitationTo(origin: string, { token, credits }: Invitation): string {
  const fields = new URLSearchParams({ token });
  if (credits > 0) fields.set("credits", String(credits));
  return `${origin}/register#${fields}`;
}

/** The invitation in the fragment of an address. It stays there for a reload. */
export function invitedBy(hash: string): Invitation | null {
  const fields = new URLSearchParams(hash.slice(1));
  const token = fields.get("token")?.trim();
  return token ? { token, credits: bonusIn(fields.get("credits")) } : null;
}

function bonusIn(text: string | null): number {
  const credits = Number(text);
  return credits > 0 && credits <= creditsPerGrantMax && tenthsOf(credits) !== null ? credits : 0;
}
