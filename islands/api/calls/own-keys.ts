import { recentRowsMax } from "../../../src/reports/limits.ts";
import { call, queryOf } from "../call.ts";
import type { BodyOf } from "../contract.ts";
import { firstRowsOf, listOf } from "../list.ts";

/** A reseller's own keys. They are counted where `count: "true"` is asked for. */
export const ownKeyList = listOf("GET /api/reseller/keys");

/** The newest keys, and in `matchCount` how many there are of every status. */
export const newestOwnKeysQuery = firstRowsOf(ownKeyList, { limit: recentRowsMax, count: "true" });

/** Only its `matchCount` is wanted, so it asks for the smallest page that there is. */
export const activeOwnKeysQuery = firstRowsOf(ownKeyList, { status: "ACTIVE", limit: 1, count: "true" });

/** The keys that expire next: of so many it is seen which of them soon do. */
export const expiringOwnKeysQuery = firstRowsOf(ownKeyList, {
  ...({ status: "ACTIVE", sort: "expiry", order: "asc" } as const),
  limit: recentRowsMax,
});

/** One's own key with its devices. Devices connect whenever players play, so each opening looks again. */
export function ownKeyQuery(id: number | string) {
  return { ...queryOf("GET /api/reseller/keys/:id", { params: { id } }), staleTime: 0 };
}

export function buyKeys(body: BodyOf<"POST /api/reseller/keys/generate">, headers: Record<string, string>) {
  return call("POST /api/reseller/keys/generate", { body, headers });
}

export function noteOwnKey(id: number, body: BodyOf<"PUT /api/reseller/keys/:id/note">) {
  return call("PUT /api/reseller/keys/:id/note", { params: { id }, body });
}

export function revokeOwnKey(id: number) {
  return call("POST /api/reseller/keys/:id/revoke", { params: { id } });
}

export function removeDevice(id: number, deviceId: number) {
  return call("POST /api/reseller/keys/:id/devices/:deviceId/remove", { params: { id, deviceId } });
}
