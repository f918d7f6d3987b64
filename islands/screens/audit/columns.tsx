import type { ReactNode } from "react";
import type { AuditEntry } from "../../../src/audit/schema.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { columnWidth, type DataColumn } from "../../ui/table/column.ts";
import { TextLink } from "../../ui/text-link.tsx";
import { InstantInCorner } from "../../ui/time.tsx";
import { placeOf, resellerPlace } from "./places.ts";
import { actionNames, detailsText } from "./words.ts";

export const idOf = ({ id }: AuditEntry) => id;

/** The widths stand, so that no column moves when the rows come. What is long goes on in the next line: a record leaves nothing out. */
export const columns: DataColumn<AuditEntry>[] = [
  {
    id: "action",
    header: "What",
    skeleton: <Skeleton className="w-28" />,
    cell: ({ action, details }) => <What name={actionNames[action]} details={detailsText(action, details)} />,
  },
  { id: "actor", header: "Who", width: columnWidth(5.6, 10), cell: (entry) => <Who {...entry} /> },
  { id: "target", header: "To what", width: columnWidth(7, 12), cell: (entry) => <Target {...entry} /> },
  {
    id: "address",
    header: "Address",
    width: columnWidth(6.4, 9.5),
    cell: ({ address }) => <Wrapping quiet={address === null}>{address ?? "–"}</Wrapping>,
  },
  {
    id: "at",
    header: "When",
    width: columnWidth(8.9, 10.8),
    card: "corner",
    cell: ({ at }) => <InstantInCorner value={at} />,
  },
];

function What({ name, details }: { name: string; details: string }) {
  return (
    <span className="block whitespace-normal wrap-anywhere md:py-1.5">
      <span className="block font-medium">{name}</span>
      {details !== "" && <span className="block text-xs font-normal text-muted">{details}</span>}
    </span>
  );
}

/** Who it was then. What else a reseller did is where one looks next. */
function Who({ actor, details }: AuditEntry) {
  if (actor === null) {
    return <Wrapping quiet>{details.by === "command line" ? "Command line" : "Nobody"}</Wrapping>;
  }
  return (
    <Wrapping>
      {actor.role === "reseller" ? (
        <TextLink href={resellerPlace(actor.id)}>{actor.username}</TextLink>
      ) : (
        actor.username
      )}
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
  return <span className={`block whitespace-normal wrap-anywhere ${quiet ? "text-muted" : ""}`}>{children}</span>;
}
