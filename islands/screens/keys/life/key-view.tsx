import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import { keyTarget } from "../../../../src/core/key-text.ts";
import { newDevicesPerHourMax, newDevicesPerMinuteMax } from "../../../../src/verify/device-rules.ts";
import { ApiFailure } from "../../../api/api.ts";
import { type KeyDetail, keyQuery, timelineQuery } from "../../../api/calls/keys.ts";
import { QueryFailure } from "../../../api/query-failure.tsx";
import { LinkButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import type { Key } from "../list/columns.tsx";
import { showKeyCopied } from "../list/key-text.tsx";
import { ConnectedDevices } from "./connected-devices.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { CurrentVerdict, nowOf, Timeline } from "./timeline.tsx";

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
            <ConnectionLimit of={key} />
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

/** Why the devices of a large order connect one after another. */
export function ConnectionLimit({ of: { status, deviceLimit } }: { of: Key | KeyDetail }) {
  if (status !== "ACTIVE" || deviceLimit <= newDevicesPerMinuteMax) return null;
  return (
    <p className="mb-2 text-sm text-muted">
      At most {newDevicesPerMinuteMax} new devices per minute and {newDevicesPerHourMax} per hour can connect from one
      address.
    </p>
  );
}

/** The audit log of the key. */
export function AuditLink({ of: key, className }: { of: Key | KeyDetail; className?: string }) {
  return (
    <LinkButton
      href={`/admin/audit?${new URLSearchParams({ search: keyTarget(key) })}`}
      variant="ghost"
      size="small"
      className={`-ml-2.5 ${className}`}
    >
      View in the audit log
    </LinkButton>
  );
}

export function Section({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="mt-6 min-w-0 scroll-mt-20">
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
    </section>
  );
}
