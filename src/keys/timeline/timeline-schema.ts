import { type Static, Type } from "@sinclair/typebox";
import { oneOf, orNull, textOrNull } from "../../core/field.ts";
import { type KeyHistoryEvent, keyHistoryEvents } from "../../facts/history-store.ts";
import { Instant, pagingFields } from "../../http/schema.ts";
import { VerdictCode } from "../../verify/schema.ts";
import { DeviceName } from "../schema.ts";

/** What a device that is not connected yet would learn about a key now. */
export const KeyAnswer = Type.Object({
  code: VerdictCode,
  message: Type.String({ examples: ["Works. 2 of 2 devices connected, so a new one is refused."] }),
  advice: Type.String({ description: "What to do about it", examples: ["Remove one below."] }),
});
export type KeyAnswer = Static<typeof KeyAnswer>;

export const timelineKinds = [
  "created",
  "device_connected",
  "device_removed",
  "device_released",
  "device_idle",
  "devices_reset",
  "revoked",
  "replaced",
  "noted",
  ...keyHistoryEvents.map((what) => what.toLowerCase() as Lowercase<KeyHistoryEvent>),
  "refused",
] as const;

/** One thing that happened to a key. Fields that do not apply are null. */
export const TimelineEvent = Type.Object({
  at: Instant,
  kind: oneOf(timelineKinds),
  by: textOrNull("night.owl", "Who did it; null for a device, and for a pause that ended by itself"),
  deviceId: textOrNull("a3f1c9d2-phone", "For refusals, the device that was refused last"),
  deviceName: DeviceName,
  code: orNull(VerdictCode, "The verdict of the refusal"),
  count: orNull(
    Type.Integer(),
    "How often it was refused on that day, how many devices were reset (if known), the hours that it was given (negative when taken back), or its new device limit",
  ),
});
export type TimelineEvent = Static<typeof TimelineEvent>;

export const Timeline = Type.Object({
  answer: KeyAnswer,
  events: Type.Array(TimelineEvent, { description: "Newest first" }),
});
export type Timeline = Static<typeof Timeline>;

/** rules.md: Key timeline. How many events are returned without a `limit`. */
export const eventsDefault = 50;

export const TimelineQuery = Type.Object({
  ...pagingFields,
  limit: Type.Optional({
    ...pagingFields.limit,
    description: `Events per page, 1 to 200. Without it ${eventsDefault}.`,
  }),
});
export type TimelineQuery = Static<typeof TimelineQuery>;
