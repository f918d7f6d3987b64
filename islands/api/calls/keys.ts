import type { Role } from "../../../src/accounts/schema.ts";
import type { NoteForm } from "../../../src/core/field.ts";
import { recentRowsMax } from "../../../src/http/limits.ts";
import type { ReplacementForm } from "../../../src/keys/custom-key.ts";
import type {
  AdminKey,
  AdminKeyDetail,
  KeyListQuery,
  ResellerKey,
  ResellerKeyDetail,
} from "../../../src/keys/schema.ts";
import { call, pathOf, queryOf, withBody } from "../api.ts";
import type { BodyOf, ParamsOf, QueryOf } from "../contract.ts";
import { firstRowsOf, type List, listOf } from "../list.ts";

/** A reseller's own keys. The server counts them only with `count: "true"`. */
export const ownKeyList = listOf("GET /api/reseller/keys");

/** The newest keys; `matchCount` counts the keys of every status. */
export const newestOwnKeysQuery = firstRowsOf(ownKeyList, { limit: recentRowsMax, count: "true" });

/** Only their `matchCount` is used, so they ask for the smallest page. */
export const activeOwnKeysQuery = firstRowsOf(ownKeyList, { status: "ACTIVE", limit: 1, count: "true" });
export const pausedOwnKeysQuery = firstRowsOf(ownKeyList, { status: "PAUSED", limit: 1, count: "true" });

/** The keys that expire next. */
export const expiringOwnKeysQuery = firstRowsOf(ownKeyList, {
  status: "ACTIVE",
  sort: "expiry",
  order: "asc",
  limit: recentRowsMax,
});

const manage = "GET /api/admin/keys/manage";

/** The keys that admins made. This call returns its counts and its cursor in the body (rules.md: Lists). */
export const adminKeyList: List<AdminKey, QueryOf<typeof manage>> = {
  queryKey: [pathOf(manage)],
  getPage: async (query, signal) => {
    const { keys, ...counts } = await call(manage, { query, signal });
    return { rows: keys, ...counts };
  },
};

export type AnyKeyList = List<AdminKey | ResellerKey, KeyListQuery & { count?: "true" }>;

/** One's own list of keys, or for an admin that of a reseller. */
export function keyListOf(area: Role, id?: number | string): AnyKeyList {
  if (area === "reseller") return ownKeyList;
  return id === undefined ? adminKeyList : listOf("GET /api/admin/resellers/:id/keys", { params: { id } });
}

/** Devices connect whenever players play, so each opening of a key fetches it and its timeline again. */
const staleTime = 0;

/** A key with its devices: any key for admins, their own for resellers. */
export function keyQuery(area: Role, id: number | string) {
  const name = area === "admin" ? "GET /api/admin/keys/:id/details" : "GET /api/reseller/keys/:id";
  return { ...queryOf<KeyCall>(name, { params: { id } }), staleTime };
}

type KeyCall = "GET /api/admin/keys/:id/details" | "GET /api/reseller/keys/:id";
export type KeyDetail = AdminKeyDetail | ResellerKeyDetail;

/** Whose key an admin has opened; null for an admin key, and for a reseller's own view. */
export function resellerIdOf(key: KeyDetail): number | null {
  return "ownerId" in key ? key.ownerId : null;
}

const eventsFirst = 20;
/** How many events of a long timeline are shown at most. */
export const eventsShownMax = 200;

/** Whether a key works, and what happened to it. */
export function timelineQuery(area: Role, id: number | string, { whole = false } = {}) {
  const query = { limit: whole ? eventsShownMax : eventsFirst };
  return { ...queryOf(`GET /api/${area}/keys/:id/timeline`, { params: { id }, query }), staleTime };
}

/** What to refresh after a change of one key, next to its list. */
export const queriesOfKey = (area: Role, id: number | string) => [
  keyQuery(area, id),
  { queryKey: [pathOf(`GET /api/${area}/keys/:id/timeline`, { id })] },
];

export const buyKeys = (body: BodyOf<"POST /api/reseller/keys/generate">, headers: Record<string, string>) =>
  call("POST /api/reseller/keys/generate", { body, headers });

export const generateKeys = (body: BodyOf<"POST /api/admin/keys/generate">, headers: Record<string, string>) =>
  call("POST /api/admin/keys/generate", { body, headers });

export const noteKey = (area: Role, id: number, body: NoteForm) =>
  call(`PUT /api/${area}/keys/:id/note`, { params: { id }, body });

export function revokeKey(area: Role, id: number) {
  const name = area === "admin" ? "DELETE /api/admin/keys/:id" : "POST /api/reseller/keys/:id/revoke";
  return call<RevocationCall>(name, { params: { id } });
}

type RevocationCall = "DELETE /api/admin/keys/:id" | "POST /api/reseller/keys/:id/revoke";

export const replaceKey = (area: Role, id: number, body: ReplacementForm, headers: Record<string, string>) =>
  call(`POST /api/${area}/keys/:id/replace`, { params: { id }, body, headers });

export const removeDevice = (area: Role, id: number, deviceId: number) =>
  call(`POST /api/${area}/keys/:id/devices/:deviceId/remove`, { params: { id, deviceId } });

/** Devices that a reseller, or the admins, have blocked. */
export function blockCalls(area: Role) {
  return {
    list: listOf(`GET /api/${area}/blocked-devices`),
    block: withBody(`POST /api/${area}/blocked-devices`),
    unblock: (id: number) => call(`DELETE /api/${area}/blocked-devices/:id`, { params: { id } }),
  };
}

export const removeAllDevices = (area: Role, id: number) =>
  call(`POST /api/${area}/keys/:id/devices/remove-all`, { params: { id } });

export const sharedKeysQuery = (area: Role, game: string) =>
  queryOf(`GET /api/${area}/shared-keys`, { query: { game } });

/** Resets every key, those of admins and those of resellers. */
export const resetDevices = () => call("POST /api/admin/keys/reset-devices");

/** The form of the verification call that registers no device. */
export const previewKey = (params: ParamsOf<"GET /api/verify/:key/:game/:deviceId">) =>
  call("GET /api/verify/:key/:game/:deviceId", { params });
