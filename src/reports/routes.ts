import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, whenQuerying, whenSignedIn } from "../http/describe.ts";
import type { Overview } from "./overview.ts";
import { Condition, Stats } from "./schema.ts";

export function createOverviewRoutes({
  access,
  overview,
  condition,
}: {
  access: Access;
  overview: Overview;
  condition: () => Promise<Condition>;
}) {
  return new Elysia({ name: "overview", prefix: "/api/admin", tags: ["Overview"] })
    .use(access)
    .get("/stats", () => overview.stats(), {
      only: "admin",
      response: { 200: Stats },
      detail: described({
        id: "readStats",
        summary: "The figures of the overview",
        example: {
          totalResellers: 12,
          activeKeys: 340,
          availableTokens: 4,
          activeOnlineUpdates: 1,
          inactiveOnlineUpdates: 2,
          totalAdminKeys: 128,
        },
        refusals: [...whenSignedIn, ...whenQuerying],
      }),
    })
    .get("/condition", () => condition(), {
      only: "admin",
      response: { 200: Condition },
      detail: described({
        id: "readCondition",
        summary: "Whether all is well",
        description:
          "All is well where the last backup is no older than 7 days and none is late, 512 MB are free, and nothing failed in the last 24 hours (or since the server's start).",
        example: {
          ...{ isWell: true, isBackedUpElsewhere: false, lastBackupAt: "2025-03-05T03:00:00.000Z" },
          ...{ freeBytes: 53_687_091_200, failures: 0 },
        },
        refusals: [...whenSignedIn, ...whenQuerying],
      }),
    });
}
