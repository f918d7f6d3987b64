import { type Duration, games } from "./prices.ts";
import type { Intervening } from "./state.ts";

/** A request to the product, in the model's terms. `by` is the session cookie it is sent with. */
/** In credits. */
interface Expecting {
  cost?: number;
}

export type Action =
  | { type: "issueToken"; credits: number }
  | { type: "takeBackToken"; token: number }
  | { type: "register"; token: string; username: string }
  | { type: "signIn"; username: string }
  | { type: "signOut"; by: string }
  | { type: "grant"; reseller: number; amount: number; note?: string }
  | { type: "setActive"; reseller: number; isActive: boolean; reason?: string }
  | ({ type: "generate"; by: string; order: KeyOrder; idempotencyKey: string | null } & Expecting)
  | { type: "revoke"; by: string; key: number }
  | { type: "revokeUnused"; by: string; order: number; count: number }
  | { type: "select"; by: string; which: Which; duration?: Duration }
  | { type: "revokeSelected"; by: string; selection: Selection; count: number }
  | { type: "noteSelected"; by: string; selection: Selection; count: number; note: string }
  | { type: "note"; by: string; on: "keys" | "orders"; id: number; note: string }
  | { type: "removeDevice"; by: string; key: number; device: number | "all" }
  | { type: "resetDevices" }
  | { type: "block"; by: string; deviceId: string; reason: string }
  | { type: "unblock"; by: string; block: number }
  | ({ type: "extend"; by: string; key: number; duration: Duration; idempotencyKey: string | null } & Expecting)
  | ({
      type: "extendSelected";
      by: string;
      selection: Selection;
      count: number;
      idempotencyKey: string | null;
    } & Expecting)
  | ({ type: "setLimit"; by: string; key: number; deviceLimit: number } & Expecting)
  | { type: "replace"; by: string; key: number; keyString?: string; idempotencyKey: string | null }
  | { type: "pause"; by: string; key: number }
  | { type: "resume"; by: string; key: number }
  | { type: "intervene"; by: string; what: Intervening; idempotencyKey: string | null }
  | { type: "previewIntervention"; what: Intervening }
  | { type: "undo"; intervention: number }
  | { type: "retire"; game: string; isRetired: boolean }
  | { type: "verify"; isPreview: boolean; key: string; game: string; deviceId: string }
  | { type: "read"; by: string; view: View };

/** A reseller orders a duration; an admin sets `expiresAt`, in milliseconds, or the hours from the first use. */
export interface KeyOrder extends Pick<Duration, "days" | "durationId"> {
  game: string;
  deviceLimit: number;
  count: number;
  expiresAt?: number;
  durationHours?: number;
  starts?: "first_use";
  keyString?: string;
}

/** Selects keys by id or by game. An admin who selects a reseller's keys sets `resellerId`. */
export interface Which {
  ids?: number[];
  game?: string;
  resellerId?: number;
}

/**
 * A selection as it was shown: the mark identifies `keys`, of which `revoked` were already revoked, and the account may
 * revoke `toRevoke`.
 */
export interface Selection {
  which: Which;
  mark: string;
  /** The account that the mark was issued to. */
  account: number;
  keys: number[];
  revoked: number[];
  toRevoke: number;
  /** When it was shown. */
  at: number;
  /** How many keys the account may extend by this duration. */
  extension: { duration: Duration; count: number } | null;
}

/** An account may load at most two whole lists at once. Pages have no such limit. */
export const rowsPerPage = 200;

/**
 * Something to read. `of` is the id of a reseller, key or order; an admin who reads `keys` or `orders` without it gets the admins' own.
 * A `search` is for the complete text of a key. Each account reads only its own `blocks`, so a survey reads them as `by`.
 */
export interface View {
  isPage?: boolean;
  by?: string;
  list:
    | "resellers"
    | "interventions"
    | "blocks"
    | "tokens"
    | "stats"
    | "keys"
    | "orders"
    | "ledger"
    | "profile"
    | "key"
    | "answer"
    | "timeline"
    | "search"
    | "order";
  of?: number;
  text?: string;
}

export interface HttpRequest {
  method: string;
  path: string;
  body?: unknown;
  cookie?: string;
  headers?: Record<string, string>;
}

export const password = "model-reseller-password";

/** The HTTP request for an action. */
export function requestOf(action: Action, adminCookie: string): HttpRequest {
  const byAdmin = { method: "POST", cookie: adminCookie };
  const area = "by" in action && action.by !== adminCookie ? "reseller" : "admin";
  switch (action.type) {
    case "issueToken":
      return { ...byAdmin, path: "/api/admin/tokens/generate", body: { credits: action.credits } };
    case "takeBackToken":
      return { ...byAdmin, method: "DELETE", path: `/api/admin/tokens/${action.token}` };
    case "register": {
      const body = { username: action.username, password, referralToken: action.token };
      return { method: "POST", path: "/api/auth/reseller/register", body };
    }
    case "signIn":
      return { method: "POST", path: "/api/auth/reseller/login", body: { username: action.username, password } };
    case "signOut":
      return { method: "POST", path: "/api/auth/logout", cookie: action.by };
    case "grant": {
      const body = { resellerId: action.reseller, amount: action.amount, ...(action.note && { note: action.note }) };
      return { ...byAdmin, path: "/api/admin/resellers/credits", body };
    }
    case "setActive":
      return {
        ...byAdmin,
        path: `/api/admin/resellers/${action.reseller}/toggle-status`,
        body: { isActive: action.isActive, ...(action.reason && { reason: action.reason }) },
      };
    case "generate": {
      const { expiresAt, ...order } = action.order;
      const body = {
        ...order,
        ...ownPrice(action),
        ...(expiresAt && { expiryDate: new Date(expiresAt).toISOString() }),
      };
      const headers = headersOf(action);
      return { method: "POST", path: `/api/${area}/keys/generate`, body, cookie: action.by, headers };
    }
    case "extend": {
      const path = `/api/${area}/keys/${action.key}/extend`;
      const body = { ...action.duration, ...ownPrice(action) };
      return { method: "POST", path, body, cookie: action.by, headers: headersOf(action) };
    }
    case "extendSelected": {
      const { which, mark, extension } = action.selection;
      const body = { ...which, mark, ...extension?.duration, count: action.count, ...ownPrice(action) };
      return {
        method: "POST",
        path: `/api/${area}/keys/selected/extend`,
        body,
        cookie: action.by,
        headers: headersOf(action),
      };
    }
    case "setLimit": {
      const body = { deviceLimit: action.deviceLimit, ...ownPrice(action) };
      return { method: "PUT", path: `/api/${area}/keys/${action.key}/device-limit`, body, cookie: action.by };
    }
    case "replace": {
      const { keyString } = action;
      const path = `/api/${area}/keys/${action.key}/replace`;
      return { method: "POST", path, body: { keyString }, cookie: action.by, headers: headersOf(action) };
    }
    case "pause":
    case "resume":
      return { method: "POST", path: `/api/${area}/keys/${action.key}/${action.type}`, cookie: action.by };
    case "intervene":
    case "previewIntervention": {
      const { since, hours, ...what } = action.what;
      const given = {
        ...(hours !== null && { hours }),
        ...(since !== null && { since: new Date(since).toISOString() }),
      };
      const body = { ...what, ...given, dryRun: action.type === "previewIntervention" };
      const headers = action.type === "intervene" ? headersOf(action) : undefined;
      return { ...byAdmin, path: "/api/admin/interventions", body, headers };
    }
    case "undo":
      return { ...byAdmin, path: `/api/admin/interventions/${action.intervention}/undo` };
    case "retire": {
      const path = `/api/admin/games/${games.indexOf(action.game) + 1}`;
      return { ...byAdmin, method: "PUT", path, body: { isRetired: action.isRetired } };
    }
    case "revoke":
      return area === "admin"
        ? { method: "DELETE", path: `/api/admin/keys/${action.key}`, cookie: action.by }
        : { method: "POST", path: `/api/reseller/keys/${action.key}/revoke`, cookie: action.by };
    case "revokeUnused": {
      const path = `/api/${area}/orders/${action.order}/revoke-unused`;
      return { method: "POST", path, body: { count: action.count }, cookie: action.by };
    }
    case "select":
      return {
        method: "POST",
        path: `/api/${area}/keys/selected`,
        body: { ...action.which, ...action.duration },
        cookie: action.by,
      };
    case "revokeSelected": {
      const body = { ...action.selection.which, mark: action.selection.mark, count: action.count };
      return { method: "POST", path: `/api/${area}/keys/selected/revoke`, body, cookie: action.by };
    }
    case "noteSelected": {
      const body = { ...action.selection.which, mark: action.selection.mark, count: action.count, note: action.note };
      return { method: "PUT", path: `/api/${area}/keys/selected/note`, body, cookie: action.by };
    }
    case "note":
      return {
        ...{ method: "PUT", path: `/api/${area}/${action.on}/${action.id}/note` },
        ...{ body: { note: action.note }, cookie: action.by },
      };
    case "removeDevice": {
      const which = action.device === "all" ? "remove-all" : `${action.device}/remove`;
      return { method: "POST", path: `/api/${area}/keys/${action.key}/devices/${which}`, cookie: action.by };
    }
    case "resetDevices":
      return { ...byAdmin, path: "/api/admin/keys/reset-devices" };
    case "block": {
      const { by: cookie, deviceId, reason } = action;
      return { method: "POST", path: `/api/${area}/blocked-devices`, body: { deviceId, reason }, cookie };
    }
    case "unblock":
      return { method: "DELETE", path: `/api/${area}/blocked-devices/${action.block}`, cookie: action.by };
    case "verify": {
      const { key, game, deviceId } = action;
      if (!action.isPreview) return { method: "POST", path: "/api/verify", body: { key, deviceId, game } };
      return { method: "GET", path: `/api/verify/${[key, game, deviceId].map(encodeURIComponent).join("/")}` };
    }
    case "read":
      return {
        method: "GET",
        path: pathOf(action.view, area) + (action.view.isPage ? `?limit=${rowsPerPage}` : ""),
        cookie: action.by,
      };
  }
}

/** A price is not the client's to name, only the cost that it expects. */
function ownPrice({ cost }: Expecting) {
  return { price: 0, credits: 0, ...(cost !== undefined && { cost }) };
}

function headersOf({ idempotencyKey }: { idempotencyKey: string | null }): Record<string, string> | undefined {
  return idempotencyKey === null ? undefined : { "idempotency-key": idempotencyKey };
}

function pathOf({ list, of, text = "" }: View, area: "admin" | "reseller"): string {
  if (list === "blocks") return `/api/${area}/blocked-devices`;
  if (list === "search") return `/api/${area}/search?q=${encodeURIComponent(text)}`;
  if (list === "answer" || list === "timeline") return `/api/${area}/keys/${of}/timeline?limit=${rowsPerPage}`;
  if (area === "reseller") {
    const paths = { key: `/keys/${of}`, order: `/orders/${of}` };
    return `/api/reseller${paths[list as "key"] ?? `/${list}`}`;
  }
  switch (list) {
    case "key":
      return `/api/admin/keys/${of}/details`;
    case "order":
      return `/api/admin/orders/${of}`;
    case "ledger":
      return `/api/admin/resellers/${of}/ledger`;
    case "keys":
      return of === undefined ? "/api/admin/keys/manage" : `/api/admin/resellers/${of}/keys`;
    case "orders":
      return of === undefined ? "/api/admin/orders" : `/api/admin/resellers/${of}/orders`;
    default:
      return `/api/admin/${list}`;
  }
}
