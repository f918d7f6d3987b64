/** The token of an invitation, `/register#token=…`: what stands behind the # reaches no server and no log. It stays there, for a reload. */
export function invitedBy(hash: string): string | null {
  return new URLSearchParams(hash.slice(1)).get("token")?.trim() || null;
}
