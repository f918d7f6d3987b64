import type { Role } from "../accounts/schema.ts";
import type { Call } from "./call.ts";
import { previewCall } from "./preview-call.ts";
import { updatesCall } from "./updates-call.ts";
import { verifyCall } from "./verify-call.ts";

/** Where a call stands on /admin/api: the tab in the address. */
export const documentedCalls = { post: verifyCall, get: previewCall, updates: updatesCall };

/** Where each role reads the samples of a call, by its operation id. A reseller's page has both forms of verification in one. */
export const samplePages: Record<Role, Record<string, string>> = {
  admin: Object.fromEntries(
    Object.entries(documentedCalls).map(([tab, { operationId }]: [string, Call]) => [
      operationId,
      `/admin/api?tab=${tab}`,
    ]),
  ),
  reseller: { [verifyCall.operationId]: "/reseller/api" },
};
