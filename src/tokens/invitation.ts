/**
 * The link to register with a token, which is behind the # so that it reaches no server and no log
 * (rules.md: Login page).
 */
export function invitationTo(origin: string, token: string): string {
  return `${origin}/register#${new URLSearchParams({ token })}`;
}

/** The token in the fragment of an invitation's address. It stays there for a reload. */
export function invitedBy(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("token")?.trim() || null;
}
