import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, Ban, KeyRound } from "lucide-react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { ApiFailure } from "../../../api/api.ts";
import { keyQuery, timelineQuery } from "../../../api/calls/keys.ts";
import { QueryFailure } from "../../../api/query-failure.tsx";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog/dialog.tsx";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import { Verbatim } from "../../../ui/table/card-text.tsx";
import { isRevocable, type Key } from "../list/columns.tsx";
import { showKeyCopied } from "../list/key-text.tsx";
import { ConnectedDevices } from "./connected-devices.tsx";
import { AuditLink, KeyFacts, Section } from "./key-facts.tsx";
import { CurrentVerdict, nowOf, Timeline } from "./timeline.tsx";

interface KeyDetailsProps extends Openable {
  area: Role;
  /** From the address on a reseller's page, so any text. */
  id: number | string;
  /** The key as its list has it: shown until the details arrive. */
  listed: Key | undefined;
  onRevoke?: (key: Key) => void;
}

export default function KeyDetails({ area, id, listed, onRevoke, ...dialog }: KeyDetailsProps) {
  const { data } = useQuery({ ...keyQuery(area, id), enabled: dialog.open });
  return (
    <Dialog
      {...dialog}
      title="Key Details"
      width={area === "admin" ? "wide" : undefined}
      footer={
        listed && (
          <>
            <LinkButton href={`/${area}/keys/${listed.id}`} icon={<ArrowUpRight size={16} />}>
              Open full page
            </LinkButton>
            {onRevoke && isRevocable(area, data ?? listed) && (
              <Button variant="danger-quiet" icon={<Ban size={16} />} onClick={() => onRevoke(listed)}>
                Revoke Key
              </Button>
            )}
            {area === "admin" && <Button onClick={() => dialog.onOpenChange(false)}>Close</Button>}
          </>
        )
      }
    >
      <KeyView area={area} id={id} listed={listed} />
    </Dialog>
  );
}

const words = {
  admin: {
    notFound: "There is no such key.",
    failed: "The key's devices and history could not be loaded.",
    copy: "Copy Key",
  },
  reseller: { notFound: "Key details not found", failed: "The key details could not be loaded.", copy: "Copy" },
};

/** A key: whether it works, its facts, where it is in use, and what has happened to it. */
function KeyView({ area, id, listed }: Pick<KeyDetailsProps, "area" | "id" | "listed">) {
  const query = useQuery(keyQuery(area, id));
  const { data, error } = query;
  const timeline = useQuery(timelineQuery(area, id));
  if (error && !data && error instanceof ApiFailure && error.status === 404) {
    return <EmptyState icon={<KeyRound size={20} />} title={words[area].notFound} />;
  }
  const failed = error && !data && <QueryFailure query={query} fallback={words[area].failed} />;
  if (failed && (area === "reseller" || !listed)) return failed;
  const key = data ?? listed;
  // Without its row everything appears at once, so that nothing moves as parts arrive.
  if (!key || (!listed && timeline.isPending)) {
    return <SkeletonCards count={3} label="Loading the key" className="mb-4 h-24" />;
  }
  return (
    <>
      <div className="flex items-center gap-2 rounded-lg border border-line bg-card py-2 pr-2 pl-3">
        <div className="min-w-0 grow">
          <p className="text-xs text-muted">License Key</p>
          <Verbatim className="block break-all text-text">{key.keyString}</Verbatim>
        </div>
        <CopyButton label={words[area].copy} text={key.keyString} onCopied={showKeyCopied} />
      </div>
      <CurrentVerdict area={area} id={id} />
      <KeyFacts
        area={area}
        of={key}
        detail={data}
        failed={Boolean(failed)}
        className={`mt-5 ${area === "admin" ? "md:grid-cols-4" : "md:grid-cols-3"}`}
      />
      {failed || (
        <div className={area === "admin" ? "grid gap-x-6 md:grid-cols-2" : undefined}>
          <Section title="Connected Devices" id="devices">
            <ConnectedDevices area={area} detail={data} listed={listed} />
          </Section>
          <Section title="Timeline">
            <Timeline area={area} id={id} now={data && nowOf(data)} />
          </Section>
        </div>
      )}
      {area === "admin" && <AuditLink of={key} className="mt-4" />}
    </>
  );
}
