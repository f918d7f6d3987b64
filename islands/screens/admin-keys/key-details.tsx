import { useQuery } from "@tanstack/react-query";
import { Ban } from "lucide-react";
import type { ReactNode } from "react";
import type { AdminKey, AdminKeyDetail } from "../../../src/keys/schema.ts";
import { daysLeftText, deviceUsageText } from "../../format.ts";
import { DeviceList, DeviceListSkeleton } from "../../key-list/device-list.tsx";
import { sayKeyCopied } from "../../key-list/key-text.tsx";
import { StatusBadge } from "../../key-list/status-badge.tsx";
import { keyQuery } from "../../server/admin-keys.ts";
import { failureText } from "../../server/api.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Fact } from "../../ui/fact.tsx";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { KeyHistory } from "./key-history.tsx";

interface KeyDetailsProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The key as the list has it: shown until its details have come. */
  listed: AdminKey;
  onRevoke: (key: AdminKey) => void;
}

/** Everything there is to know about one key: what it allows, who made it, where it is in use, and what has happened to it. */
export default function KeyDetails({ open, onOpenChange, listed, onRevoke }: KeyDetailsProps) {
  const { data, error, isFetching, refetch } = useQuery({ ...keyQuery(listed.id), enabled: open });
  const key = data ?? listed;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Key Details"
      width="wide"
      footer={
        <>
          {!key.isRevoked && (
            <Button variant="danger-quiet" icon={<Ban aria-hidden size={16} />} onClick={() => onRevoke(key)}>
              Revoke Key
            </Button>
          )}
          <Button onClick={() => onOpenChange(false)}>Close</Button>
        </>
      }
    >
      <WholeKey keyString={key.keyString} />
      <Facts of={key} detail={data} unknown={error !== null && !data} />
      {error && !data ? (
        <ErrorState
          message={failureText(error, "The key's devices and history could not be loaded.")}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <div className="mt-6 grid gap-6 md:grid-cols-2">
          <Section title="Connected Devices">
            {data ? (
              <DeviceList devices={data.devices} emptyText="No devices connected to this key yet" />
            ) : (
              <DeviceListSkeleton count={listed.deviceCount} label="Loading the devices" />
            )}
          </Section>
          <Section title="History">
            {data ? (
              <KeyHistory history={data.history} />
            ) : (
              <SkeletonCards count={1} label="Loading the history" className="h-17" />
            )}
          </Section>
        </div>
      )}
    </Dialog>
  );
}

function WholeKey({ keyString }: { keyString: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
      <p className="key-text min-w-0 grow break-all text-text">{keyString}</p>
      <CopyButton label="Copy Key" text={keyString} onCopied={sayKeyCopied} />
    </div>
  );
}

function Facts({ of: key, detail, unknown }: { of: AdminKey; detail: AdminKeyDetail | undefined; unknown: boolean }) {
  const missing = unknown ? "–" : undefined;
  return (
    <dl className="mt-5 grid grid-cols-2 gap-4 md:grid-cols-4">
      <Fact name="Game">{key.game}</Fact>
      <Fact name="Status">
        <StatusBadge status={key.status} />
      </Fact>
      <Fact name="Devices">{deviceUsageText(key.deviceCount, key.deviceLimit)}</Fact>
      <Fact name="Remaining">{key.status === "ACTIVE" ? daysLeftText(key.daysRemaining) : "–"}</Fact>
      <Fact name="Created">
        <Time value={key.createdAt} format="dateInWords" />
      </Fact>
      <Fact name="Expires">
        <Time value={key.expiryDate} format="dateInWords" />
      </Fact>
      <Fact name="Made By">{detail?.createdBy ?? missing}</Fact>
      <Fact name="Belongs To">{detail ? (detail.owner ?? "Nobody (admin key)") : missing}</Fact>
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

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  );
}
