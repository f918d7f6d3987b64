/** What an API key of a reseller can be allowed to do (rules.md: API keys). */
export const resellerScopes = ["verify", "keys:read", "keys:order", "keys:manage", "credits:read"] as const;

/** And one of an admin. */
export const adminScopes = [
  ...resellerScopes,
  ...(["resellers:read", "resellers:manage", "tokens:manage", "updates:manage", "stats:read", "audit:read"] as const),
] as const;

/** A staff account has some of these (rules.md: Staff). */
export const resellerRights = resellerScopes.filter((scope) => scope !== "verify");
export const adminRights = adminScopes.filter((scope) => scope !== "verify");

export type Scope = (typeof adminScopes)[number];
