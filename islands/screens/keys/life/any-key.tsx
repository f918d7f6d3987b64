import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { keyTarget } from "../../../../src/keys/list/key-target.ts";
import type { AdminKey, AdminKeyDetail } from "../../../../src/keys/schema.ts";
import { ApiFailure, failureText } from "../../../api/api.ts";
import { adminKeyList, keyQuery, noteAdminKey } from "../../../api/calls/admin-keys.ts";
import { timelineOf, timelineQuery } from "../../../api/calls/key-life.ts";
import { refresh } from "../../../api/query.ts";
import { daysLeftText, deviceUsageText } from "../../../format.ts";
import { NoteFact } from "../../../forms/note-fact.tsx";
import { LinkButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Fact } from "../../../ui/fact.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";
import { DeviceList, DeviceListSkeleton } from "../list/device-list.tsx";
import { StatusBadge } from "../list/status-badge.tsx";
import { KeyAnswer } from "./key-answer.tsx";
import { OrderFact } from "./order-fact.tsx";
import { Section } from "./section.tsx";
import { Timeline } from "./timeline.tsx";
import { WholeKey } from "./whole-key.tsx";

/** Any key as an admin sees it: whether it works, whose it is, where it is in use, and what has happened to it. `listed` is shown until that has come. */
export function AnyKey({ id, listed, asked = true }: { id: number | string; listed?: AdminKey; asked?: boolean }) {
  const { data, error, isFetching, refetch } = useQuery({ ...keyQuery(id), enabled: asked });
  const timeline = useQuery(timelineQuery("admin", id));
  if (error && !data && error instanceof ApiFailure && error.status === 404) {
    return <EmptyState icon={<KeyRound size={20} />} title="There is no such key." />;
  }
  // On a page of its own it comes at once, so that nothing moves when its parts come.
  if (!listed && !error && (!data || timeline.isPending))
    return <SkeletonCards count={3} label="Loading the key" className="mb-4 h-24" />;
  const failed = error && !data && (
    <ErrorState
      message={failureText(error, "The key's devices and history could not be loaded.")}
      onRetry={() => void refetch()}
      retrying={isFetching}
    />
  );
  if (failed && !listed) return failed;
  const key = data ?? listed;
  const now = data && { status: data.status, hasRoom: data.deviceCount < data.deviceLimit };
  return (
    <>
      {key && <WholeKey keyString={key.keyString} copyLabel="Copy Key" />}
      <KeyAnswer reader="admin" id={id} />
      <Facts of={key} detail={data} unknown={error !== null && !data} />
      {failed || (
        <div className="grid gap-x-6 md:grid-cols-2">
          <Section title="Connected Devices">
            {data ? (
              <DeviceList devices={data.devices} emptyText="No devices connected to this key yet" />
            ) : (
              <DeviceListSkeleton count={listed?.deviceCount ?? 1} label="Loading the devices" />
            )}
          </Section>
          <Section title="Timeline">
            <Timeline reader="admin" id={id} now={now} />
          </Section>
        </div>
      )}
      {key && (
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

function Facts({ of: key, detail, unknown }: { of?: AdminKey; detail?: AdminKeyDetail; unknown: boolean }) {
  const missing = unknown ? "–" : undefined;
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 md:grid-cols-4">
      <Fact name="Game">{key?.game ?? missing}</Fact>
      <Fact name="Status">{key ? <StatusBadge status={key.status} /> : missing}</Fact>
      <Fact name="Devices">{key ? deviceUsageText(key.deviceCount, key.deviceLimit) : missing}</Fact>
      <Fact name="Remaining">{key ? (key.status === "ACTIVE" ? daysLeftText(key.expiryDate) : "–") : missing}</Fact>
      <Fact name="Created">{key ? <Time value={key.createdAt} format="dateInWords" /> : missing}</Fact>
      <Fact name="Expires">{key ? <Time value={key.expiryDate} format="dateInWords" /> : missing}</Fact>
      <Fact name="Made By">{detail?.createdBy ?? missing}</Fact>
      <Fact name="Belongs To">{detail ? (detail.owner ?? "Nobody (admin key)") : missing}</Fact>
      <OrderFact area="admin" of={key} />
      <NoteFact
        note={key?.note}
        about="this key"
        // A reseller's key is its reseller's to note.
        save={detail?.owner === null ? (form) => noteAdminKey(detail.id, form) : undefined}
        onSaved={() => key && void refresh(keyQuery(key.id), timelineOf("admin", key.id), adminKeyList)}
      />
      {detail?.revokedAt && (
        <>
          <Fact name="Revoked">
            <Time value={detail.revokedAt} format="dateInWords" />
          </Fact>
          <Fact name="Revoked By">{detail.revokedBy ?? "–"}</Fact>
        </>
      )}
    </dl>
  );
}
