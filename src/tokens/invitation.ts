/** Registers whoever opens it: the token stands behind the #, which reaches no server and no log (rules.md: Login page). */
export function invitationTo(origin: string, token: string): string {
  return `${origin}/register#${new URLSearchParams({ token })}`;
}

/** The token of an invitation, by the address's fragment. It stays there, for a reload. */
export function invitedBy(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("token")?.trim() || null;
}
