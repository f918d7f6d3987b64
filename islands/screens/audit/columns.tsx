import type { ReactNode } from "react";
import type { AuditEntry } from "../../../src/audit/schema.ts";
import { TextLink } from "../../ui/button.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { Instant } from "../../ui/time.tsx";
import { actionName, detailsText } from "./words.ts";

/**
 * The widths are fixed, so that no column moves when the rows arrive. Long text wraps: the audit log leaves nothing
 * out.
 */
export const columns: DataColumn<AuditEntry>[] = [
  {
    id: "action",
    header: "What",
    skeleton: <Skeleton className="w-28" />,
    cell: ({ action }) => <span className="font-medium whitespace-normal">{actionName(action)}</span>,
    note: ({ action, details }) => detailsText(action, details),
    noteLines: "all",
  },
  {
    id: "actor",
    header: "Who",
    width: columnWidth(5.6, 10),
    dot: true,
    cell: (entry) => <Who {...entry} />,
  },
  {
    id: "target",
    header: "To what",
    width: columnWidth(7, 12),
    dot: ({ address }) => address !== null,
    cell: (entry) => <Target {...entry} />,
  },
  {
    id: "address",
    header: "Address",
    width: columnWidth(6.4, 9.5),
    cell: ({ address }) =>
      address === null ? <span className="max-md:hidden">–</span> : <Wrapping>{address}</Wrapping>,
  },
  {
    id: "at",
    header: "When",
    width: columnWidth(8.9, 10.8),
    card: "corner",
    cell: ({ at }) => (
      <span className="max-md:flex max-md:flex-col max-md:items-end max-md:*:before:content-none! max-md:text-sm max-md:text-muted">
        <Instant ago value={at} />
      </span>
    ),
  },
];

/** The name at that time. A link leads to what else the reseller did. */
function Who({ actor, details }: AuditEntry) {
  if (actor === null) {
    const name = { "command line": "Command line", server: "Server" }[String(details.by)] ?? "Unknown";
    return <Wrapping quiet>{name}</Wrapping>;
  }
  return (
    <Wrapping>
      <span translate="no">
        {actor.role === "reseller" ? (
          <TextLink href={resellerPlace(actor.id)}>{actor.username}</TextLink>
        ) : (
          actor.username
        )}
      </span>
    </Wrapping>
  );
}

function Target(entry: AuditEntry) {
  const { actor, target } = entry;
  if (actor && target === `${actor.role} ${actor.username}`) return <Wrapping quiet>own account</Wrapping>;
  const href = placeOf(entry);
  return <Wrapping>{href === null ? target : <TextLink href={href}>{target}</TextLink>}</Wrapping>;
}

function Wrapping({ quiet = false, children }: { quiet?: boolean; children: ReactNode }) {
  return (
    <span className={`whitespace-normal wrap-anywhere md:block md:py-1 ${quiet ? "text-muted" : ""}`}>{children}</span>
  );
}

/** The page of the panel that shows the subject of an entry, or `null`. */
export function placeOf({ target, details }: Pick<AuditEntry, "target" | "details">): string | null {
  if (typeof details.resellerId === "number") return resellerPlace(details.resellerId);
  const [, noun = "", rest = ""] = /^(\w+)(?: (.*))?$/.exec(target) ?? [];
  return Object.hasOwn(places, noun) ? (places[noun]?.(rest) ?? null) : null;
}

function resellerPlace(id: number): string {
  return `/admin/resellers/${id}`;
}

/** By the first word of the target. The rest is a number, possibly with more text, or a name. */
const places: Record<string, (rest: string) => string | null> = {
  key: (rest) => numbered("/admin/keys/", rest),
  keys: (rest) => keysPlace(rest),
  order: (rest) => numbered("/admin/orders/", rest),
  import: (rest) => numbered("/admin/import?id=", rest),
  token: () => "/admin/tokens",
  update: () => "/admin/online-updates",
  reseller: (name) => (isName(name) ? `/admin/resellers?${new URLSearchParams({ search: name })}` : null),
  admin: (name) => (isName(name) ? `/admin/audit?${new URLSearchParams({ actor: name })}` : null),
  all: (what) => (what === "keys" ? "/admin/create-keys" : "/admin/database-backup"),
  collection: () => "/admin/database-backup",
  credits: (of) => places.reseller?.(of.replace(/^of /, "")) ?? null,
  audit: () => "/admin/audit",
  // The audit log in an entry of an older version.
  record: () => "/admin/audit",
  database: () => "/admin/database-backup",
};

/** A reseller's, all admins' (no username contains a space), or numbered ones of an older version. */
function keysPlace(rest: string): string | null {
  const [, owner] = /^of (.+)$/.exec(rest) ?? [];
  if (owner === undefined) return numbered("/admin/keys/", rest);
  return owner === "all admins" ? "/admin/create-keys" : (places.reseller?.(owner) ?? null);
}

function numbered(path: string, rest: string): string | null {
  const [number] = /^\d+/.exec(rest) ?? [];
  return number === undefined ? null : path + number;
}

/** Failed sign-ins with an unknown username have a remark instead of a name. */
function isName(text: string): boolean {
  return /^[\w.-]{3,32}$/.test(text);
}
