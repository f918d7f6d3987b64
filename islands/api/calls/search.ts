import type { Role } from "../../../src/accounts/schema.ts";
import { call } from "../call.ts";
import type { ResponseOf } from "../contract.ts";

export type Findings = ResponseOf<"GET /api/admin/search"> | ResponseOf<"GET /api/reseller/search">;

/** Finds records by their text: any for an admin, their own for a reseller (rules.md: Searching everything). */
export const findAnything = (role: Role, q: string, signal: AbortSignal): Promise<Findings> =>
  call(`GET /api/${role}/search`, { query: { q }, signal });
