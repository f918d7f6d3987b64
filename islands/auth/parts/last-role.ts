import type { Role } from "../../../src/accounts/schema.ts";

/** Read by src/pages/site.tsx: so the login is rendered on the right tab, and nothing changes once the page is awake. */
export const lastRoleCookie = "last-role";

const keptSeconds = 365 * 24 * 60 * 60;

/** A new reseller's first login, and everybody's next, opens on the tab that it needs. It names a tab, and gives nobody a right. */
export function rememberRole(role: Role): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing where the panel is reached by plain http.
  document.cookie = `${lastRoleCookie}=${role}; path=/; max-age=${keptSeconds}; samesite=lax`;
}
