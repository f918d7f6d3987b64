import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, whenQuerying, whenSignedIn } from "../http/describe.ts";
import type { Figures, Overview } from "./figures.ts";
import { Condition, DayFigures, FiguresQuery, Stats } from "./schema.ts";

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

const example = [
  {
    day: "2025-03-05",
    keys: { "PUBG MOBILE": 10, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 2 },
    credits: { "PUBG MOBILE": 30, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 1 },
    verdicts: { VALID: 412, NOT_FOUND: 3, REVOKED: 0, EXPIRED: 7, DEVICE_LIMIT_REACHED: 2 },
    devices: 9,
  },
];

const description =
  "Oldest first, every day there, in UTC. Verdicts are those that `POST /api/verify` gave; those of the last seconds may be missing.";

export function createFigureRoutes({ access, figures }: { access: Access; figures: Figures }) {
  const shape = { query: FiguresQuery, response: { 200: Type.Array(DayFigures) } };
  const refusals = ["INVALID", ...whenSignedIn, ...whenQuerying] as const;
  const summary = "Keys made, credits spent, verdicts and new devices, by day";

  return new Elysia({ name: "figures", prefix: "/api", tags: ["Overview"] })
    .use(access)
    .get("/admin/figures", ({ query }) => figures.ofAll(query.days), {
      only: "admin",
      ...shape,
      detail: described({ id: "readFigures", summary, description, example, refusals }),
    })
    .get("/reseller/figures", ({ query, caller }) => figures.ofReseller(caller.id, query.days), {
      only: "reseller",
      ...shape,
      detail: described({ id: "readOwnFigures", summary: `One's own: ${summary}`, description, example, refusals }),
    });
}
