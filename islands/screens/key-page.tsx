import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect } from "react";
import type { Role } from "../../src/accounts/schema.ts";
import { msPerDay, msPerHour } from "../../src/core/clock.ts";
import { type KeyDetail, keyQuery, resellerIdOf, timelineQuery } from "../api/calls/keys.ts";
import { QueryFailure } from "../api/query-failure.tsx";
import { countText, pluralText } from "../format.ts";
import { Card } from "../ui/card.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { BackLink, goBack } from "../ui/page-heading.tsx";
import { SkeletonCards } from "../ui/skeleton.tsx";
import { ConnectedDevices } from "./keys/life/connected-devices.tsx";
import { KeyActions } from "./keys/life/key-actions.tsx";
import { AuditLink, KeyFacts, Section } from "./keys/life/key-facts.tsx";
import { CurrentVerdict, nowOf, Timeline } from "./keys/life/timeline.tsx";
import { showKeyCopied } from "./keys/list/key-text.tsx";
import { StatusBadge } from "./keys/list/status-badge.tsx";

interface KeyPageProps {
  area: Role;
  /** From the address. */
  id: string;
}

/** /admin/keys/{id} and /reseller/keys/{id} (rules.md: Key lists). */
export default function KeyPage({ area, id }: KeyPageProps) {
  const query = useQuery(keyQuery(area, id));
  const timeline = useQuery(timelineQuery(area, id));
  const { data: key, error } = query;
  // Everything appears at once, so that nothing moves as parts arrive.
  if (key && !timeline.isPending) return <Loaded area={area} of={key} />;
  return (
    <>
      <BackLink href={listOf(area)} onClick={goBack}>
        Back
      </BackLink>
      <h1 className="mb-3 text-xl font-semibold tracking-tight md:mb-6">Key</h1>
      {error && !key ? (
        <Card>
          <QueryFailure
            query={query}
            fallback="The key could not be loaded."
            notFound={{ icon: <KeyRound size={20} />, title: notFound[area] }}
          />
        </Card>
      ) : (
        <SkeletonCards count={3} label="Loading the key" className="mb-4 h-24" />
      )}
    </>
  );
}

const notFound = { admin: "There is no such key.", reseller: "Key details not found" };

function Loaded({ area, of: key }: { area: Role; of: KeyDetail }) {
  const { id, keyString, note } = key;
  useEffect(() => {
    document.title = document.title.replace(/^Key.*?(?= · )/, `Key …${keyString.slice(-5)}`);
  }, [keyString]);
  return (
    <div>
      <BackLink href={listOf(area, key)} onClick={goBack}>
        Back
      </BackLink>
      {/* A section, so that the focus stays here when Revoke is gone. */}
      <section className="grid items-start gap-2 md:grid-cols-[minmax(0,1fr)_auto] md:gap-x-6">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-2">
            <h1 translate="no" className="key-text min-w-0 text-lg font-semibold break-all">
              {keyString}
            </h1>
            <CopyButton iconOnly variant="ghost" label="Copy Key" text={keyString} onCopied={showKeyCopied} />
            <StatusBadge status={key.status} />
          </div>
          {note !== null && <p className="max-w-2xl text-pretty text-muted wrap-anywhere">{note}</p>}
        </div>
        <KeyActions area={area} of={key} />
      </section>
      <div className="grid items-start gap-x-6 md:grid-cols-2">
        <div className="min-w-0">
          <CurrentVerdict area={area} id={id} />
          <Section title="Connected Devices" id="devices">
            <ConnectedDevices area={area} detail={key} listed={undefined} />
          </Section>
        </div>
        <div className="min-w-0">
          <Card className="mt-3 p-4 md:p-5">
            <TimeUsed of={key} />
            <KeyFacts brief area={area} of={key} detail={key} />
            {area === "admin" && <AuditLink of={key} className="mt-3 -mb-2" />}
          </Card>
          <Section title="Timeline">
            <Timeline area={area} id={id} now={nowOf(key)} />
          </Section>
        </div>
      </div>
    </div>
  );
}

/** How much of a key's time is over, which stands still while it is paused. */
function TimeUsed({ of: { status, startedAt, expiryDate, pausedAt } }: { of: KeyDetail }) {
  if (startedAt === null || expiryDate === null || status === "REVOKED") return null;
  const [start, end] = [Date.parse(startedAt), Date.parse(expiryDate)];
  const now = Math.min(pausedAt === null ? Date.now() : Date.parse(pausedAt), end);
  const [unitMs, unit] = end - start < msPerDay ? [msPerHour, "hour"] : [msPerDay, "day"];
  const [used, all] = [now - start, end - start].map((ms) => Math.floor(Math.max(0, ms) / unitMs));
  return (
    <div className="mb-4">
      <p className="figures mb-1.5 text-sm text-muted">
        {countText(used ?? 0)} of {pluralText(all ?? 0, unit as string)}
      </p>
      <span aria-hidden className="block h-1 overflow-clip rounded-full bg-raised">
        <span className="block h-full bg-brass" style={{ width: `${(100 * (now - start)) / (end - start)}%` }} />
      </span>
    </div>
  );
}

/** The list that has the key, for a page that was not reached from another one. */
function listOf(area: Role, key?: KeyDetail): string {
  if (area === "reseller") return "/reseller/keys";
  const resellerId = key ? resellerIdOf(key) : null;
  return resellerId === null ? "/admin/create-keys?tab=manage" : `/admin/resellers/${resellerId}/keys`;
}
