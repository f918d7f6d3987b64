/** What an API key of a reseller can be allowed to do (rules.md: API keys). */
export const resellerScopes = ["verify", "keys:read", "keys:order", "keys:manage", "credits:read"] as const;

/** And one of an admin. */
export const adminScopes = [
  ...resellerScopes,
  ...(["resellers:read", "resellers:manage", "tokens:manage", "updates:manage", "stats:read", "audit:read"] as const),
] as const;

export type Scope = (typeof adminScopes)[number];
