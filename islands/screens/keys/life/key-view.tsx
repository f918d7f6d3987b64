import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { keyTarget } from "../../../../src/keys/key-target.ts";
import { newDevicesPerHourMax, newDevicesPerMinuteMax } from "../../../../src/verify/limits.ts";
import { ApiFailure } from "../../../api/api.ts";
import {
  adminKeyList,
  type KeyDetail,
  keyQuery,
  noteKey,
  ownKeyList,
  queriesOfKey,
  timelineQuery,
} from "../../../api/calls/keys.ts";
import { refresh } from "../../../api/query.ts";
import { QueryFailure } from "../../../api/query-failure.tsx";
import { daysLeftText, deviceUsageText } from "../../../format.ts";
import { NoteFact } from "../../../forms/note-fact.tsx";
import { LinkButton, TextLink } from "../../../ui/button.tsx";
import { Fact } from "../../../ui/card.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";
import { deviceCountOf, type Key } from "../list/columns.tsx";
import { showKeyCopied } from "../list/key-text.tsx";
import { StatusBadge } from "../list/status-badge.tsx";
import { ConnectedDevices } from "./connected-devices.tsx";
import { CurrentVerdict, Timeline } from "./timeline.tsx";

const words = {
  admin: {
    notFound: "There is no such key.",
    failed: "The key's devices and history could not be loaded.",
    copy: "Copy Key",
  },
  reseller: { notFound: "Key details not found", failed: "The key details could not be loaded.", copy: "Copy" },
};

interface KeyViewProps {
  area: Role;
  id: number | string;
  /** The key as its list has it: shown until the details arrive. */
  listed?: Key;
}

/** A key: whether it works, its facts, where it is in use, and what has happened to it. */
export function KeyView({ area, id, listed }: KeyViewProps) {
  const query = useQuery(keyQuery(area, id));
  const { data, error } = query;
  const timeline = useQuery(timelineQuery(area, id));
  if (error && !data && error instanceof ApiFailure && error.status === 404) {
    return <EmptyState icon={<KeyRound size={20} />} title={words[area].notFound} />;
  }
  const failed = error && !data && <QueryFailure query={query} fallback={words[area].failed} />;
  if (failed && (area === "reseller" || !listed)) return failed;
  const key = data ?? listed;
  // On a key's page everything appears at once, so that nothing moves as parts arrive.
  if (!key || (!listed && timeline.isPending)) {
    return <SkeletonCards count={3} label="Loading the key" className="mb-4 h-24" />;
  }
  const now = data && { status: data.status, hasRoom: data.deviceCount < data.deviceLimit };
  return (
    <>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
        <div className="min-w-0 grow">
          <p className="text-xs text-muted">License Key</p>
          <p translate="no" className="key-text break-all text-text">
            {key.keyString}
          </p>
        </div>
        <CopyButton label={words[area].copy} text={key.keyString} onCopied={showKeyCopied} />
      </div>
      <CurrentVerdict area={area} id={id} />
      {area === "admin" ? (
        <AdminFacts of={key} detail={data} failed={Boolean(failed)} />
      ) : (
        <dl className="mt-5 grid grid-cols-2 gap-4 md:grid-cols-3">
          <Fact name="Game">{key.game}</Fact>
          <Fact name="Status">
            <StatusBadge status={key.status} />
          </Fact>
          <Fact name="Created">
            <Time value={key.createdAt} />
          </Fact>
          <Fact name="Expires">
            <Time value={key.expiryDate} />
          </Fact>
          <Fact name="Devices">{deviceUsageText(deviceCountOf(key), key.deviceLimit)}</Fact>
          <OrderFact area={area} of={key} />
          <KeyNote area={area} of={key} />
        </dl>
      )}
      {failed || (
        <div className={area === "admin" ? "grid gap-x-6 md:grid-cols-2" : undefined}>
          <Section title="Connected Devices" id="devices">
            {key.status === "ACTIVE" && key.deviceLimit > newDevicesPerMinuteMax && (
              <p className="mb-2 text-sm text-muted">
                From one address at most {newDevicesPerMinuteMax} new devices connect in a minute, and{" "}
                {newDevicesPerHourMax} in an hour.
              </p>
            )}
            <ConnectedDevices area={area} detail={data} listed={listed} />
          </Section>
          <Section title="Timeline">
            <Timeline area={area} id={id} now={now} />
          </Section>
        </div>
      )}
      {area === "admin" && (
        <LinkButton
          href={`/admin/audit?${new URLSearchParams({ search: keyTarget(key) })}`}
          variant="ghost"
          size="small"
          className="mt-4 -ml-2.5"
        >
          In the record
        </LinkButton>
      )}
    </>
  );
}

interface AdminFactsProps {
  of: Key | KeyDetail;
  detail: KeyDetail | undefined;
  failed: boolean;
}

function AdminFacts({ of: key, detail, failed }: AdminFactsProps) {
  const owned = detail && "owner" in detail ? detail : undefined;
  const missing = failed ? "–" : undefined;
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 md:grid-cols-4">
      <Fact name="Game">{key.game}</Fact>
      <Fact name="Status">
        <StatusBadge status={key.status} />
      </Fact>
      <Fact name="Devices">{deviceUsageText(deviceCountOf(key), key.deviceLimit)}</Fact>
      <Fact name="Remaining">{key.status === "ACTIVE" ? daysLeftText(key.expiryDate) : "–"}</Fact>
      <Fact name="Created">
        <Time value={key.createdAt} format="dateInWords" />
      </Fact>
      <Fact name="Expires">
        <Time value={key.expiryDate} format="dateInWords" />
      </Fact>
      <Fact name="Made By">{owned?.createdBy ?? missing}</Fact>
      <Fact name="Belongs To">{owned ? (owned.owner ?? "Nobody (admin key)") : missing}</Fact>
      <OrderFact area="admin" of={key} />
      {/* Only the reseller may change the note on a reseller's key. */}
      <KeyNote area="admin" of={key} readOnly={owned?.owner !== null} />
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

/** The order that generated the key; keys from before orders existed have none. */
function OrderFact({ area, of: { orderId } }: { area: Role; of: { orderId: number | null } }) {
  return (
    <Fact name="Order">
      {orderId === null ? "–" : <TextLink href={`/${area}/orders/${orderId}`}>Order {orderId}</TextLink>}
    </Fact>
  );
}

function KeyNote({ area, of: { id, note }, readOnly }: { area: Role; of: Key | KeyDetail; readOnly?: boolean }) {
  return (
    <NoteFact
      note={note}
      about="this key"
      save={readOnly ? undefined : (form) => noteKey(area, id, form)}
      onSaved={() => void refresh(...queriesOfKey(area, id), area === "admin" ? adminKeyList : ownKeyList)}
    />
  );
}

function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-6 min-w-0 scroll-mt-20">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
