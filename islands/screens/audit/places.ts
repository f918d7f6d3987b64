import type { AuditEntry } from "../../../src/audit/schema.ts";

/** Where the panel shows what a row of the record is about; `null` for what it shows nowhere. */
export function placeOf({ target, details }: Pick<AuditEntry, "target" | "details">): string | null {
  if (typeof details.resellerId === "number") return resellerPlace(details.resellerId);
  const [, noun = "", rest = ""] = /^(\w+)(?: (.*))?$/.exec(target) ?? [];
  return Object.hasOwn(places, noun) ? (places[noun]?.(rest) ?? null) : null;
}

export function resellerPlace(id: number): string {
  return `/admin/resellers/${id}`;
}

/** By the first word of the target; the rest of it is a number with something behind it, or a name. */
const places: Record<string, (rest: string) => string | null> = {
  key: (rest) => numbered("/admin/keys/", rest),
  keys: (rest) => keysPlace(rest),
  order: (rest) => numbered("/admin/orders/", rest),
  token: () => "/admin/tokens",
  update: () => "/admin/online-updates",
  reseller: (name) => (isName(name) ? `/admin/resellers?${new URLSearchParams({ search: name })}` : null),
  admin: (name) => (isName(name) ? `/admin/audit?${new URLSearchParams({ actor: name })}` : null),
  all: (what) => (what === "keys" ? "/admin/create-keys" : "/admin/database-backup"),
  collection: () => "/admin/database-backup",
  credits: (of) => places.reseller?.(of.replace(/^of /, "")) ?? null,
  record: () => "/admin/audit",
  database: () => "/admin/database-backup",
};

/** A reseller's own, all admins' (no username has a space in it), or those that an older version numbered. */
function keysPlace(rest: string): string | null {
  const [, owner] = /^of (.+)$/.exec(rest) ?? [];
  if (owner === undefined) return numbered("/admin/keys/", rest);
  return owner === "all admins" ? "/admin/create-keys" : (places.reseller?.(owner) ?? null);
}

function numbered(path: string, rest: string): string | null {
  const [number] = /^\d+/.exec(rest) ?? [];
  return number === undefined ? null : path + number;
}

/** Failed sign-ins with a name that nobody has say so in its place. */
function isName(text: string): boolean {
  return /^[\w.-]{3,32}$/.test(text);
}
