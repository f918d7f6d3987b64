import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import type { Role } from "../../accounts/schema.ts";
import { described } from "../../http/describe.ts";
import { linkedRows } from "../../http/response.ts";
import { IdParams } from "../../http/schema.ts";
import type { Timelines } from "./timeline.ts";
import { Timeline, TimelineQuery } from "./timeline-schema.ts";

const exampleCreation = {
  at: "2025-03-05T14:30:00.000Z",
  kind: "created",
  by: "night.owl",
  deviceId: null,
  code: null,
  count: null,
};

export function createTimelineRoutes({ access, timelines }: { access: Access; timelines: Timelines }) {
  return new Elysia({ name: "timelines", prefix: "/api", tags: ["Keys"] })
    .use(timeline("admin", "readKeyTimeline", "Whether a key works, and what happened to it"))
    .use(timeline("reseller", "readOwnKeyTimeline", "Whether one of your keys works, and what happened to it"));

  function timeline<Who extends Role>(who: Who, id: string, summary: string) {
    return new Elysia().use(access).get(
      `/${who}/keys/:id/timeline`,
      async ({ params, query, caller, request, set }) => {
        const { answer, ...page } = await timelines.of(caller, params.id, query);
        return { answer, events: await linkedRows({ request, set }, page) };
      },
      {
        only: [who, "keys:read"],
        params: IdParams,
        query: TimelineQuery,
        response: { 200: Timeline },
        detail: described({
          id,
          summary,
          description:
            "`answer` says what a new device would be told now, and what to do about it. Refusals are grouped by code and day, with their number, last time and last device; those of the last few seconds may be missing.",
          example: {
            answer: {
              code: "DEVICE_LIMIT_REACHED",
              message: "Works. 1 of 1 devices connected, so a new one is refused.",
              advice: "Remove one below.",
            },
            events: [
              {
                at: "2025-03-07T19:04:12.000Z",
                kind: "refused",
                by: null,
                deviceId: "77b0e5aa-tablet",
                code: "DEVICE_LIMIT_REACHED",
                count: 3,
              },
              {
                ...exampleCreation,
                at: "2025-03-06T08:00:00.000Z",
                kind: "device_connected",
                by: null,
                deviceId: "a3f1c9d2-phone",
              },
              exampleCreation,
            ],
          },
        }),
      },
    );
  }
}
