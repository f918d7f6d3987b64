/** What somebody asks of the product, in the model's words and as a request. `by` is the cookie that it is asked with. */
export type Act =
  | { does: "issueToken"; credits: number }
  | { does: "takeBackToken"; token: number }
  | { does: "register"; token: string; username: string }
  | { does: "signIn"; username: string }
  | { does: "signOut"; by: string }
  | { does: "grant"; reseller: number; amount: number; note?: string }
  | { does: "setActive"; reseller: number; isActive: boolean; reason?: string }
  | { does: "generate"; by: string; order: KeyOrder; idempotencyKey: string | null }
  | { does: "revoke"; by: string; key: number }
  | { does: "revokeUnused"; by: string; order: number; count: number }
  | { does: "select"; by: string; which: Which }
  | { does: "revokeSelected"; by: string; selection: Selection; count: number }
  | { does: "noteSelected"; by: string; selection: Selection; count: number; note: string }
  | { does: "note"; by: string; on: "keys" | "orders"; id: number; note: string }
  | { does: "removeDevice"; by: string; key: number; device: number }
  | { does: "resetDevices" }
  | { does: "verify"; isPreview: boolean; key: string; game: string; deviceId: string }
  | { does: "look"; by: string; at: View };

/** A reseller's has `days`, an admin's `expiryDate`, in milliseconds. */
export interface KeyOrder {
  game: string;
  deviceLimit: number;
  count: number;
  days?: number;
  expiresAt?: number;
  keyString?: string;
}

/** Keys that are selected by their ids, or by their game. `resellerId` is whose they are, where an admin selects among a reseller's. */
export interface Which {
  ids?: number[];
  game?: string;
  resellerId?: number;
}

/** What somebody was shown together: the mark stands for `keys`, of which some were revoked already. */
export interface Selection {
  which: Which;
  mark: string;
  /** Whose mark it is. */
  account: number;
  keys: number[];
  revoked: number[];
}

/** How many rows a page of a list has. Whole lists may be asked for twice at once by one account, pages by anybody at any time. */
export const rowsPerPage = 200;

/**
 * A page of facts. `of` is a reseller, a key or an order; an admin who looks at `keys` or `orders` of nobody sees the admins'. A `search` is for
 * the whole text of a key.
 */
export interface View {
  isPage?: boolean;
  list:
    | "resellers"
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

export interface Sent {
  method: string;
  path: string;
  body?: unknown;
  cookie?: string;
  headers?: Record<string, string>;
}

export const password = "model-reseller-password";

/** How an act is asked for by HTTP. */
export function requestOf(act: Act, adminCookie: string): Sent {
  const byAdmin = { method: "POST", cookie: adminCookie };
  const area = "by" in act && act.by !== adminCookie ? "reseller" : "admin";
  switch (act.does) {
    case "issueToken":
      return { ...byAdmin, path: "/api/admin/tokens/generate", body: { credits: act.credits } };
    case "takeBackToken":
      return { ...byAdmin, method: "DELETE", path: `/api/admin/tokens/${act.token}` };
    case "register": {
      const body = { username: act.username, password, referralToken: act.token };
      return { method: "POST", path: "/api/auth/reseller/register", body };
    }
    case "signIn":
      return { method: "POST", path: "/api/auth/reseller/login", body: { username: act.username, password } };
    case "signOut":
      return { method: "POST", path: "/api/auth/logout", cookie: act.by };
    case "grant": {
      const body = { resellerId: act.reseller, amount: act.amount, ...(act.note && { note: act.note }) };
      return { ...byAdmin, path: "/api/admin/resellers/credits", body };
    }
    case "setActive":
      return {
        ...byAdmin,
        path: `/api/admin/resellers/${act.reseller}/toggle-status`,
        body: { isActive: act.isActive, ...(act.reason && { reason: act.reason }) },
      };
    case "generate": {
      const { expiresAt, ...order } = act.order;
      const body = { ...order, ...(expiresAt && { expiryDate: new Date(expiresAt).toISOString() }) };
      const headers = act.idempotencyKey === null ? undefined : { "idempotency-key": act.idempotencyKey };
      return { method: "POST", path: `/api/${area}/keys/generate`, body, cookie: act.by, headers };
    }
    case "revoke":
      return area === "admin"
        ? { method: "DELETE", path: `/api/admin/keys/${act.key}`, cookie: act.by }
        : { method: "POST", path: `/api/reseller/keys/${act.key}/revoke`, cookie: act.by };
    case "revokeUnused": {
      const path = `/api/${area}/orders/${act.order}/revoke-unused`;
      return { method: "POST", path, body: { count: act.count }, cookie: act.by };
    }
    case "select":
      return { method: "POST", path: `/api/${area}/keys/selected`, body: act.which, cookie: act.by };
    case "revokeSelected": {
      const body = { ...act.selection.which, mark: act.selection.mark, count: act.count };
      return { method: "POST", path: `/api/${area}/keys/selected/revoke`, body, cookie: act.by };
    }
    case "noteSelected": {
      const body = { ...act.selection.which, mark: act.selection.mark, count: act.count, note: act.note };
      return { method: "PUT", path: `/api/${area}/keys/selected/note`, body, cookie: act.by };
    }
    case "note":
      return {
        ...{ method: "PUT", path: `/api/${area}/${act.on}/${act.id}/note` },
        ...{ body: { note: act.note }, cookie: act.by },
      };
    case "removeDevice": {
      const path = `/api/reseller/keys/${act.key}/devices/${act.device}/remove`;
      return { method: "POST", path, cookie: act.by };
    }
    case "resetDevices":
      return { ...byAdmin, path: "/api/admin/keys/reset-devices" };
    case "verify": {
      const { key, game, deviceId } = act;
      if (!act.isPreview) return { method: "POST", path: "/api/verify", body: { key, deviceId, game } };
      return { method: "GET", path: `/api/verify/${[key, game, deviceId].map(encodeURIComponent).join("/")}` };
    }
    case "look":
      return {
        method: "GET",
        path: pathOf(act.at, area) + (act.at.isPage ? `?limit=${rowsPerPage}` : ""),
        cookie: act.by,
      };
  }
}

function pathOf({ list, of, text = "" }: View, area: "admin" | "reseller"): string {
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
