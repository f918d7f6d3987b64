import { useQuery } from "@tanstack/react-query";
import {
  Ban,
  CalendarPlus,
  CircleAlert,
  CircleCheck,
  CircleSlash,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  NotebookPen,
  Pause,
  Play,
  RefreshCw,
  RotateCcw,
  Smartphone,
  Unplug,
} from "lucide-react";
import { useState } from "react";
import type { Role } from "../../../../src/accounts/schema.ts";
import type { KeyStatus } from "../../../../src/keys/schema.ts";
import type { TimelineEvent } from "../../../../src/keys/timeline/timeline-schema.ts";
import { eventsShownMax, type KeyDetail, resellerIdOf, timelineQuery } from "../../../api/calls/keys.ts";
import { QueryFailure } from "../../../api/query-failure.tsx";
import { countText, deviceLimitText, durationText, pluralText } from "../../../format.ts";
import { Button, TextLink } from "../../../ui/button.tsx";
import { Skeleton, SkeletonCards } from "../../../ui/skeleton.tsx";
import { Ago, Time } from "../../../ui/time.tsx";
import { DeviceLabel } from "./connected-devices.tsx";

interface TimelineProps {
  area: Role;
  id: number | string;
  /** The state of the key once it is loaded. What to do about an event depends on it. */
  now: KeyNow | undefined;
}

interface KeyNow {
  status: KeyStatus;
  hasRoom: boolean;
  /** An admin looks at a reseller's key: only the reseller can replace it. */
  isResellers: boolean;
}

/** What `Timeline` has to know of a key. */
export function nowOf(key: KeyDetail): KeyNow {
  const { status, deviceCount, deviceLimit } = key;
  return { status, hasRoom: deviceCount < deviceLimit, isResellers: resellerIdOf(key) !== null };
}

const verdictIcons: Record<string, { Icon: LucideIcon; color: string }> = {
  VALID: { Icon: CircleCheck, color: "text-active" },
  // It works, but not on one more device.
  DEVICE_LIMIT_REACHED: { Icon: CircleAlert, color: "text-brass" },
};
const refusedIcon = { Icon: CircleSlash, color: "text-expired" };

/** Whether the key works for one more device, and what to do about it (rules.md: Key timeline). */
export function CurrentVerdict({ area, id }: Pick<TimelineProps, "area" | "id">) {
  const { data, isError } = useQuery(timelineQuery(area, id));
  if (isError && !data) return null;
  const { Icon, color } = verdictIcons[data?.answer.code ?? "VALID"] ?? refusedIcon;
  return (
    <div role="status" className="mt-3 flex min-h-17 gap-3 rounded-lg border border-line bg-card px-4 py-3">
      <Icon size={20} className={`mt-0.5 shrink-0 ${color}`} />
      <div className="min-w-0 grow">
        <p className="font-medium">{data?.answer.message ?? <Skeleton className="w-56" />}</p>
        <p className="text-sm text-muted">{data?.answer.advice ?? <Skeleton className="w-40" />}</p>
      </div>
    </div>
  );
}

/** What happened to a key, newest first, and what to do about each event. */
export function Timeline({ area, id, now }: TimelineProps) {
  const [whole, setWhole] = useState(false);
  const first = useQuery(timelineQuery(area, id));
  const all = useQuery({ ...timelineQuery(area, id, { whole: true }), enabled: whole });
  const query = whole && all.data ? all : first;
  const { data, error } = query;
  if (error && !data) return <QueryFailure query={query} fallback="The key's history could not be loaded." />;
  if (!data) return <SkeletonCards count={1} label="Loading the history" className="h-17" />;
  const isAll = data.events.at(-1)?.kind === "created";
  return (
    <>
      <ol aria-label="History" className="ml-2.5 grid gap-3 border-l border-line pl-4">
        {runsOf(data.events).map((run, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and nothing in them is kept between renders.
          <Event key={index} {...run} now={now} area={area} />
        ))}
      </ol>
      {!isAll && !all.data && (
        <Button
          size="small"
          variant="ghost"
          className="mt-4"
          busy={whole && all.isFetching}
          onClick={() => setWhole(true)}
        >
          Show more
        </Button>
      )}
      {!isAll && all.data && (
        <p className="mt-2 text-sm text-muted">Showing the newest {countText(eventsShownMax)} events.</p>
      )}
    </>
  );
}

interface Run {
  /** The newest of them, with the number of all. */
  event: TimelineEvent;
  firstAt: string;
}

/** Refusals by the same verdict that follow one another are one line, whatever the day. */
function runsOf(events: readonly TimelineEvent[]): Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last && event.kind === "refused" && last.event.kind === "refused" && last.event.code === event.code) {
      last.event = { ...last.event, count: (last.event.count ?? 0) + (event.count ?? 0) };
      last.firstAt = event.at;
    } else runs.push({ event, firstAt: event.at });
  }
  return runs;
}

/** How each kind of event looks, and what it is called. */
const kinds: Record<TimelineEvent["kind"], { Icon: LucideIcon; words: string }> = {
  created: { Icon: KeyRound, words: "Key generated" },
  device_connected: { Icon: Smartphone, words: "Device connected" },
  device_removed: { Icon: Unplug, words: "Device removed" },
  device_released: { Icon: Unplug, words: "Device freed by the player" },
  device_idle: { Icon: Unplug, words: "Idle device gave its slot to a new one" },
  devices_reset: { Icon: RotateCcw, words: "All devices reset" },
  revoked: { Icon: Ban, words: "Key revoked" },
  replaced: { Icon: RefreshCw, words: "Text replaced" },
  noted: { Icon: NotebookPen, words: "Note changed" },
  started: { Icon: Play, words: "Started by its first device" },
  extended: { Icon: CalendarPlus, words: "Extended" },
  limit_changed: { Icon: MonitorSmartphone, words: "Device limit changed" },
  paused: { Icon: Pause, words: "Paused" },
  resumed: { Icon: Play, words: "Resumed" },
  compensated: { Icon: CalendarPlus, words: "Compensated" },
  refused: { Icon: CircleSlash, words: "Refused" },
};

function Event({ event, firstAt, now, area }: Run & Pick<TimelineProps, "now" | "area">) {
  const { kind, by, at, deviceId, deviceName } = event;
  const { Icon } = kinds[kind];
  const toDo = now && whatToDo(event, now, area);
  return (
    <li className="relative min-w-0">
      <span className="absolute -left-[1.6875rem] grid size-5.5 place-items-center rounded-full border border-line bg-raised text-muted">
        <Icon size={12} />
      </span>
      <p className="pl-1.5">
        <span>{by === null ? wordsOf(event) : `${wordsOf(event)} by ${by}`}</span>
        {firstAt !== at && (
          <>
            <span> · </span>
            <Time value={firstAt} format="day" />
            <span> – </span>
            <Time value={at} format="day" />
          </>
        )}
      </p>
      {deviceId !== null && <DeviceLabel name={deviceName} deviceId={deviceId} className="pl-1.5 text-muted" />}
      <p className="pl-1.5 text-sm text-muted">
        {kind === "refused" && event.count !== 1 && "Last "}
        <Time value={at} format="instant" /> · <Ago value={at} />
      </p>
      {toDo && (
        <p className="pl-1.5 text-sm">
          {toDo.text} {toDo.link && <TextLink href={toDo.link.href}>{toDo.link.label}</TextLink>}
        </p>
      )}
    </li>
  );
}

function wordsOf({ kind, code, count, by }: TimelineEvent): string {
  const { words } = kinds[kind];
  if (kind === "refused")
    return `${words}${count === 1 ? "" : ` ${pluralText(count ?? 0, "time")}`}: ${reasons[code ?? ""]}`;
  if (kind === "devices_reset" && count !== null) return `${pluralText(count, "device")} reset`;
  if (kind === "limit_changed") return `${words} to ${deviceLimitText(count ?? 0)}`;
  if (kind === "extended" && count !== null) return `${durationText(count)} added`;
  if (kind === "compensated" && count !== null) {
    return count < 0 ? `Compensation of ${durationText(-count)} taken back` : `Compensated with ${durationText(count)}`;
  }
  if (kind === "resumed" && by === null) return "Resumed: its days of pause are used up";
  return words;
}

const reasons: Record<string, string> = {
  DEVICE_LIMIT_REACHED: "all devices in use",
  DEVICE_BLOCKED: "device blocked",
  EXPIRED: "expired",
  MAINTENANCE: "game under maintenance",
  UPDATE_REQUIRED: "old version of the game",
  REVOKED: "revoked",
  PAUSED: "paused",
};

interface ToDo {
  text: string;
  link?: { href: string; label: string };
}

/** What can be done about an event, given the current state of the key; for most events nothing. */
function whatToDo({ kind, code }: TimelineEvent, { status, hasRoom, isResellers }: KeyNow, area: Role): ToDo | null {
  // The page says it above.
  if (kind !== "refused" || status === "REVOKED") return null;
  if (status === "PAUSED") return { text: "The key is let in again once it is resumed." };
  if (status !== "ACTIVE") {
    const text = "The key works again once it is extended.";
    if (isResellers) return { text: `${text} Its reseller can generate another.` };
    const href = area === "reseller" ? "/reseller/generate" : "/admin/create-keys";
    return { text, link: { href, label: "Generate another." } };
  }
  if (code === "DEVICE_BLOCKED") {
    return { text: "To let it in,", link: { href: `/${area}/blocked-devices`, label: "unblock the device." } };
  }
  if (code !== "DEVICE_LIMIT_REACHED") return null;
  if (hasRoom) return { text: "A slot is free now: the device connects the next time the game checks the key." };
  return { text: "To let it in,", link: { href: "#devices", label: "remove a device." } };
}
