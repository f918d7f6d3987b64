import type { Role } from "../../../src/accounts/schema.ts";
import { call } from "../call.ts";
import type { AnswerOf } from "../contract.ts";

export type Findings = AnswerOf<"GET /api/admin/search"> | AnswerOf<"GET /api/reseller/search">;

/** Anything by its text: an admin's anything, or a reseller's own (rules.md: Searching everything). */
export function findAnything(role: Role, q: string, signal: AbortSignal): Promise<Findings> {
  return role === "admin"
    ? call("GET /api/admin/search", { query: { q }, signal })
    : call("GET /api/reseller/search", { query: { q }, signal });
}
