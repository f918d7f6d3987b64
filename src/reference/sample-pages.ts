import type { Role } from "../accounts/schema.ts";
import type { Call } from "./call.ts";
import { previewCall } from "./preview-call.ts";
import { updatesCall } from "./updates-call.ts";
import { verifyCall } from "./verify-call.ts";

/** The calls by their tab on /admin/api. */
export const documentedCalls = { post: verifyCall, get: previewCall, updates: updatesCall };

/**
 * The address of a call's samples for each role, by operation id. A reseller's page has both forms of verification in
 * one.
 */
export const samplePages: Record<Role, Record<string, string>> = {
  admin: Object.fromEntries(
    Object.entries(documentedCalls).map(([tab, { operationId }]: [string, Call]) => [
      operationId,
      `/admin/api?tab=${tab}`,
    ]),
  ),
  reseller: { [verifyCall.operationId]: "/reseller/api" },
};
