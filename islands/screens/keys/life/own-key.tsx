import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import type { ResellerKey } from "../../../../src/keys/schema.ts";
import { ApiFailure, failureText } from "../../../api/api.ts";
import { timelineOf, timelineQuery } from "../../../api/calls/key-life.ts";
import { noteOwnKey, ownKeyList, ownKeyQuery } from "../../../api/calls/own-keys.ts";
import { refresh } from "../../../api/query.ts";
import { deviceUsageText } from "../../../format.ts";
import { NoteFact } from "../../../forms/note-fact.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Fact } from "../../../ui/fact.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";
import { StatusBadge } from "../list/status-badge.tsx";
import { ConnectedDevices } from "./connected-devices.tsx";
import { KeyAnswer } from "./key-answer.tsx";
import { OrderFact } from "./order-fact.tsx";
import { Section } from "./section.tsx";
import { Timeline } from "./timeline.tsx";
import { WholeKey } from "./whole-key.tsx";

interface OwnKeyProps {
  /** As it stands in the address, and so whatever somebody typed there. */
  id: string;
  /** The key as a list has it, where there is one: shown until its details have come. */
  listed?: ResellerKey;
}

/** One of a reseller's own keys: whether it works, what it is, where it is in use, and what has happened to it. */
export function OwnKey({ id, listed }: OwnKeyProps) {
  const { data, error, isFetching, refetch } = useQuery(ownKeyQuery(id));
  const timeline = useQuery(timelineQuery("reseller", id));
  if (error && !data) {
    if (error instanceof ApiFailure && error.status === 404) {
      return <EmptyState icon={<KeyRound size={20} />} title="Key details not found" />;
    }
    const message = failureText(error, "The key details could not be loaded.");
    return <ErrorState message={message} onRetry={() => void refetch()} retrying={isFetching} />;
  }
  // On a page of its own it comes at once, so that nothing moves when its parts come.
  if (!listed && (!data || timeline.isPending))
    return <SkeletonCards count={3} label="Loading the key" className="mb-4 h-24" />;
  const key = data ?? listed;
  const now = data && { status: data.status, hasRoom: data.deviceCount < data.deviceLimit };
  return (
    <>
      {key && <WholeKey keyString={key.keyString} />}
      <KeyAnswer reader="reseller" id={id} />
      <dl className="mt-5 grid grid-cols-2 gap-4 md:grid-cols-3">
        <Fact name="Game">{key?.game}</Fact>
        <Fact name="Status">{key && <StatusBadge status={key.status} />}</Fact>
        <Fact name="Created">{key && <Time value={key.createdAt} />}</Fact>
        <Fact name="Expires">{key && <Time value={key.expiryDate} />}</Fact>
        <Fact name="Devices">
          {key && deviceUsageText(data ? data.deviceCount : (listed?.devices ?? 0), key.deviceLimit)}
        </Fact>
        <OrderFact area="reseller" of={key} />
        <NoteFact
          note={key?.note}
          about="this key"
          save={key && ((form) => noteOwnKey(key.id, form))}
          onSaved={() => void refresh(ownKeyQuery(id), timelineOf("reseller", id), ownKeyList)}
        />
      </dl>
      <Section title="Connected Devices" id="devices">
        <ConnectedDevices detail={data} count={listed?.devices ?? 1} removable={listed?.status === "ACTIVE"} />
      </Section>
      <Section title="Timeline">
        <Timeline reader="reseller" id={id} now={now} />
      </Section>
    </>
  );
}
