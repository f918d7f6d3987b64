import { clsx } from "clsx";
import type { Role } from "../../../../src/accounts/schema.ts";
import { adminKeyList, type KeyDetail, noteKey, ownKeyList, queriesOfKey } from "../../../api/calls/keys.ts";
import { refresh } from "../../../api/query.ts";
import { daysLeftText, deviceUsageText } from "../../../format.ts";
import { NoteFact } from "../../../forms/note-fact.tsx";
import { TextLink } from "../../../ui/button.tsx";
import { Fact } from "../../../ui/card.tsx";
import { Time } from "../../../ui/time.tsx";
import { deviceCountOf, type Key } from "../list/columns.tsx";
import { StatusBadge } from "../list/status-badge.tsx";

interface KeyFactsProps {
  area: Role;
  of: Key | KeyDetail;
  /** Undefined while it loads, or if that failed. */
  detail: KeyDetail | undefined;
  failed?: boolean;
  /** Without the status, the devices and the note, which a key's page has above. */
  brief?: boolean;
  className?: string;
}

export function KeyFacts({ area, of: key, detail, failed, brief, className }: KeyFactsProps) {
  const format = area === "admin" ? "dateInWords" : "date";
  const owned = detail && "owner" in detail ? detail : undefined;
  const missing = failed ? "–" : undefined;
  return (
    <dl className={clsx("grid grid-cols-2 gap-4", className)}>
      <Fact name="Game">{key.game}</Fact>
      {!brief && (
        <Fact name="Status">
          <StatusBadge status={key.status} />
        </Fact>
      )}
      {!brief && area === "admin" && <DevicesFact of={key} />}
      {area === "admin" && <Fact name="Remaining">{key.status === "ACTIVE" ? daysLeftText(key.expiryDate) : "–"}</Fact>}
      <Fact name="Created">
        <Time value={key.createdAt} format={format} />
      </Fact>
      <Fact name="Expires">
        <Time value={key.expiryDate} format={format} />
      </Fact>
      {!brief && area === "reseller" && <DevicesFact of={key} />}
      {area === "admin" && (
        <>
          <Fact name="Made By">{owned?.createdBy ?? missing}</Fact>
          <Fact name="Belongs To">{owned ? <Owner {...owned} /> : missing}</Fact>
        </>
      )}
      <Fact name="Order">
        {key.orderId === null ? "–" : <TextLink href={`/${area}/orders/${key.orderId}`}>Order {key.orderId}</TextLink>}
      </Fact>
      {!brief && (
        <NoteFact
          note={key.note}
          about="this key"
          // Only the reseller may change the note on a reseller's key.
          save={area === "admin" && owned?.owner !== null ? undefined : (form) => noteKey(area, key.id, form)}
          onSaved={() => void refresh(...queriesOfKey(area, key.id), area === "admin" ? adminKeyList : ownKeyList)}
        />
      )}
      {owned?.revokedAt && (
        <>
          <Fact name="Revoked">
            <Time value={owned.revokedAt} format="dateInWords" />
          </Fact>
          <Fact name="Revoked By">{owned.revokedBy ?? "–"}</Fact>
        </>
      )}
    </dl>
  );
}

function DevicesFact({ of: key }: { of: Key | KeyDetail }) {
  return <Fact name="Devices">{deviceUsageText(deviceCountOf(key), key.deviceLimit)}</Fact>;
}

function Owner({ ownerId, owner }: { ownerId: number | null; owner: string | null }) {
  if (ownerId === null) return <span>Admins</span>;
  return <TextLink href={`/admin/resellers/${ownerId}`}>{owner}</TextLink>;
}
