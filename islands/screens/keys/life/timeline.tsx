import { useQuery } from "@tanstack/react-query";
import { Ban, CircleSlash, KeyRound, type LucideIcon, NotebookPen, RotateCcw, Smartphone, Unplug } from "lucide-react";
import { useState } from "react";
import type { KeyStatus } from "../../../../src/keys/schema.ts";
import type { TimelineEvent } from "../../../../src/keys/timeline/timeline-schema.ts";
import { failureText } from "../../../api/api.ts";
import { eventsShownMax, type Reader, timelineQuery } from "../../../api/calls/key-life.ts";
import { countText, pluralText } from "../../../format.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { SkeletonCards } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";
import { whatToDo } from "./what-to-do.ts";

interface TimelineProps {
  reader: Reader;
  id: number | string;
  /** What the key's own facts are, where they are known: by them is said what to do now. */
  now: { status: KeyStatus; hasRoom: boolean } | undefined;
}

/** What happened to a key, newest first, and beside each what to do about it. */
export function Timeline({ reader, id, now }: TimelineProps) {
  const [whole, setWhole] = useState(false);
  const first = useQuery(timelineQuery(reader, id));
  const all = useQuery({ ...timelineQuery(reader, id, { whole: true }), enabled: whole });
  const { data, error, isFetching, refetch } = whole && all.data ? all : first;
  if (error && !data) {
    const message = failureText(error, "What happened to the key could not be loaded.");
    return <ErrorState message={message} onRetry={() => void refetch()} retrying={isFetching} />;
  }
  if (!data) return <SkeletonCards count={1} label="Loading what happened" className="h-17" />;
  const isAll = data.events.at(-1)?.kind === "created";
  return (
    <>
      <ol aria-label="What happened" className="ml-2.5 grid gap-3 border-l border-line pl-4">
        {data.events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and nothing in them is kept between renders.
          <Event key={index} event={event} now={now} reader={reader} />
        ))}
      </ol>
      {!isAll && !all.data && (
        <Button
          size="small"
          variant="ghost"
          className="mt-2"
          busy={whole && all.isFetching}
          onClick={() => setWhole(true)}
        >
          Show more
        </Button>
      )}
      {!isAll && all.data && (
        <p className="mt-2 text-sm text-muted">The newest {countText(eventsShownMax)} events are shown.</p>
      )}
    </>
  );
}

const icons: Record<TimelineEvent["kind"], LucideIcon> = {
  created: KeyRound,
  device_connected: Smartphone,
  device_removed: Unplug,
  devices_reset: RotateCcw,
  revoked: Ban,
  noted: NotebookPen,
  refused: CircleSlash,
};

function Event({ event, now, reader }: { event: TimelineEvent } & Pick<TimelineProps, "now" | "reader">) {
  const { kind, by, at, deviceId } = event;
  const Icon = icons[kind];
  const toDo = now && whatToDo(event, now, reader);
  return (
    <li className="relative min-w-0">
      <span className="absolute -left-[1.6875rem] grid size-5.5 place-items-center rounded-full border border-line bg-raised text-muted">
        <Icon aria-hidden size={12} />
      </span>
      <p className="pl-1.5">
        {wordsOf(event)}
        {by !== null && ` by ${by}`}
      </p>
      {deviceId !== null && <p className="key-text pl-1.5 break-all text-muted">{deviceId}</p>}
      <p className="pl-1.5 text-sm text-muted">
        {kind === "refused" && event.count !== 1 && "Last "}
        <Time value={at} format="instant" />
      </p>
      {toDo && (
        <p className="pl-1.5 text-sm">
          {toDo.text}{" "}
          {toDo.link && (
            <a
              href={toDo.link.href}
              className="rounded-sm underline decoration-edge underline-offset-3 hover:decoration-current"
            >
              {toDo.link.label}
            </a>
          )}
        </p>
      )}
    </li>
  );
}

function wordsOf({ kind, code, count }: TimelineEvent): string {
  if (kind === "refused")
    return `Refused${count === 1 ? "" : ` ${pluralText(count ?? 0, "time")}`}: ${reasons[code ?? ""]}`;
  if (kind === "devices_reset" && count !== null) return `${pluralText(count, "device")} reset`;
  return words[kind];
}

const words: Record<Exclude<TimelineEvent["kind"], "refused">, string> = {
  created: "Key made",
  device_connected: "Device connected",
  device_removed: "Device removed",
  devices_reset: "All devices reset",
  revoked: "Key revoked",
  noted: "Note changed",
};

const reasons: Record<string, string> = {
  DEVICE_LIMIT_REACHED: "all devices in use",
  EXPIRED: "expired",
  REVOKED: "revoked",
};
