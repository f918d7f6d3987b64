import { useQuery } from "@tanstack/react-query";
import type { ResellerKey } from "../../../src/keys/schema.ts";
import { deviceUsageText } from "../../format.ts";
import { sayKeyCopied } from "../../key-list/key-text.tsx";
import { StatusBadge } from "../../key-list/status-badge.tsx";
import { ApiFailure, failureText } from "../../server/api.ts";
import { ownKeyQuery } from "../../server/own-keys.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Fact } from "../../ui/fact.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { ConnectedDevices } from "./connected-devices.tsx";

interface KeyDetailsProps {
  open: boolean;
  /** As it stands in the address, and so whatever somebody typed there. */
  id: string;
  /** The key as the list has it: shown until its details have come. */
  listed: ResellerKey | undefined;
  onOpenChange: (open: boolean) => void;
}

export default function KeyDetails({ open, id, listed, onOpenChange }: KeyDetailsProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Key Details">
      <Details id={id} listed={listed} />
    </Dialog>
  );
}

function Details({ id, listed }: Pick<KeyDetailsProps, "id" | "listed">) {
  const { data, error, isFetching, refetch } = useQuery(ownKeyQuery(id));
  if (error && !data) {
    if (error instanceof ApiFailure && error.status === 404) return <EmptyState title="Key details not found" />;
    const message = failureText(error, "The key details could not be loaded.");
    return <ErrorState message={message} onRetry={() => void refetch()} retrying={isFetching} />;
  }
  const key = data ?? listed;
  return (
    <>
      {key ? <WholeKey keyString={key.keyString} /> : <Skeleton className="w-56" />}
      <dl className="mt-5 grid grid-cols-2 gap-4 md:grid-cols-3">
        <Fact name="Game">{key?.game}</Fact>
        <Fact name="Status">{key && <StatusBadge status={key.status} />}</Fact>
        <Fact name="Created">{key && <Time value={key.createdAt} />}</Fact>
        <Fact name="Expires">{key && <Time value={key.expiryDate} />}</Fact>
        <Fact name="Devices">
          {key && deviceUsageText(data ? data.deviceCount : (listed?.devices ?? 0), key.deviceLimit)}
        </Fact>
      </dl>
      <h3 className="mt-6 mb-2 font-semibold">Connected Devices</h3>
      <ConnectedDevices detail={data} count={listed?.devices ?? 1} removable={listed?.status === "ACTIVE"} />
    </>
  );
}

function WholeKey({ keyString }: { keyString: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
      <div className="min-w-0 grow">
        <p className="text-xs text-muted">License Key</p>
        <p className="key-text break-all text-text">{keyString}</p>
      </div>
      <CopyButton label="Copy" text={keyString} onCopied={sayKeyCopied} />
    </div>
  );
}
