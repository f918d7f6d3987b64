import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import { described } from "../../http/describe.ts";
import { linkedRows } from "../../http/response.ts";
import { IdParams } from "../../http/schema.ts";
import type { Timelines } from "./timeline.ts";
import { Timeline, TimelineQuery } from "./timeline-schema.ts";

const example = {
  answer: {
    code: "DEVICE_LIMIT_REACHED",
    message: "Works. 1 of 1 devices connected, so a new one is refused.",
    advice: "Remove one below.",
  },
  events: [
    {
      ...{ at: "2025-03-07T19:04:12.000Z", kind: "refused", by: null, deviceId: "77b0e5aa-tablet" },
      ...{ code: "DEVICE_LIMIT_REACHED", count: 3 },
    },
    {
      ...{ at: "2025-03-06T08:00:00.000Z", kind: "device_connected", by: null, deviceId: "a3f1c9d2-phone" },
      ...{ code: null, count: null },
    },
    { at: "2025-03-05T14:30:00.000Z", kind: "created", by: "night.owl", deviceId: null, code: null, count: null },
  ],
};

const description =
  "`answer` says what a new device would be told now, and what to do about it. Refusals are grouped by code and day, with their number, last time and last device; those of the last few seconds may be missing.";

export function createTimelineRoutes({ access, timelines }: { access: Access; timelines: Timelines }) {
  const shape = { params: IdParams, query: TimelineQuery, response: { 200: Timeline } };

  return new Elysia({ name: "timelines", prefix: "/api", tags: ["Keys"] })
    .use(access)
    .get(
      "/admin/keys/:id/timeline",
      async ({ params, query, request, set, caller }) => {
        const { answer, ...page } = await timelines.forAdmin(caller, params.id, query);
        return { answer, events: await linkedRows({ request, set }, page) };
      },
      {
        only: ["admin", "keys:read"],
        ...shape,
        detail: described({
          id: "readKeyTimeline",
          summary: "Whether a key works, and what happened to it",
          description,
          example,
        }),
      },
    )
    .get(
      "/reseller/keys/:id/timeline",
      async ({ params, query, caller, request, set }) => {
        const { answer, ...page } = await timelines.forReseller(caller, params.id, query);
        return { answer, events: await linkedRows({ request, set }, page) };
      },
      {
        only: ["reseller", "keys:read"],
        ...shape,
        detail: described({
          id: "readOwnKeyTimeline",
          summary: "Whether one of your keys works, and what happened to it",
          description,
          example,
        }),
      },
    );
}
