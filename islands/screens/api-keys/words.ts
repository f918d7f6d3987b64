import type { Role } from "../../../src/accounts/schema.ts";
import type { Scope } from "../../../src/accounts/scopes.ts";

/** What a scope allows, in a few words. */
export function scopeText(scope: Scope, area: Role): string {
  return scope === "credits:read" && area === "admin" ? "Read resellers' ledgers" : texts[scope];
}

const texts: Record<Scope, string> = {
  verify: "Verify keys from a server",
  "keys:read": "Read keys, orders and timelines, and search",
  "keys:order": "Generate and extend keys, change device limits",
  "keys:manage": "Change notes, revoke, pause, free devices",
  "credits:read": "Read your profile, ledger and figures",
  "resellers:read": "Read resellers",
  "resellers:manage": "Suspend resellers, grant credits, set prices",
  "tokens:manage": "Manage referral tokens",
  "updates:manage": "Manage online updates",
  "stats:read": "Read statistics, games and prices",
  "audit:read": "Read the audit log",
};
