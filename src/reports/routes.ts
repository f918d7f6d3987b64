import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described } from "../http/describe.ts";
import type { createCondition } from "./condition.ts";
import type { Figures } from "./figures.ts";
import { Condition, DayFigures, FiguresQuery, Stats, TopReseller } from "./schema.ts";

const figuresExample = [
  {
    day: "2025-03-05",
    keys: { "PUBG MOBILE": 10, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 2 },
    credits: { "PUBG MOBILE": 30, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 1 },
    verdicts: { VALID: 412, NOT_FOUND: 3, REVOKED: 0, EXPIRED: 7, DEVICE_LIMIT_REACHED: 2 },
    devices: 9,
  },
];

type Services = { access: Access; figures: Figures; condition: ReturnType<typeof createCondition> };

export function createReportRoutes({ access, figures, condition }: Services) {
  const byDay = { query: FiguresQuery, response: { 200: Type.Array(DayFigures) } };
  const summary = "Keys made, credits spent, verdicts and new devices, by day";
  const byDayDetail = {
    description:
      "Oldest first, with every day present, in UTC. Verdicts are those of `POST /api/verify`; those of the last few seconds may be missing.",
    example: figuresExample,
  };

  return new Elysia({ name: "reports", prefix: "/api", tags: ["Overview"] })
    .use(access)
    .get("/admin/stats", ({ caller }) => figures.stats(caller), {
      only: ["admin", "stats:read"],
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
      }),
    })
    .get("/admin/condition", () => condition(), {
      only: ["admin", "stats:read"],
      response: { 200: Condition },
      detail: described({
        id: "readCondition",
        summary: "The condition of the system",
        description:
          "All is well if the last backup is at most 7 days old and none is overdue, 512 MB are free, and nothing failed in the last 24 hours (or since the server started).",
        example: {
          isWell: true,
          problems: [],
          isBackedUpElsewhere: false,
          lastBackupAt: "2025-03-05T03:00:00.000Z",
          freeBytes: 53_687_091_200,
          failures: 0,
          isClockAhead: false,
          unopenedTwoFactor: 0,
          unopenedKeys: 0,
          webhooksOff: 0,
          firstSteps: { hasKey: true, hasInvited: true, hasVerified: true, hasBackups: true },
        },
      }),
    })
    .get("/admin/figures", ({ query, caller }) => figures.byDay(caller, query.days), {
      only: ["admin", "stats:read"],
      ...byDay,
      detail: described({ id: "readFigures", summary, ...byDayDetail }),
    })
    .get("/admin/figures/resellers", ({ query, caller }) => figures.resellers(caller, query.days), {
      only: ["admin", "stats:read"],
      query: FiguresQuery,
      response: { 200: Type.Array(TopReseller) },
      detail: described({
        id: "readTopResellers",
        summary: "The ten resellers who sold most",
        description:
          "By the credits that they spent, then by the keys that they bought. What was sold in the last few seconds may be missing.",
        example: [{ id: 7, username: "night.owl", keys: 120, credits: 360 }],
      }),
    })
    .get("/reseller/figures", ({ query, caller }) => figures.byDay(caller, query.days), {
      only: ["reseller", "credits:read"],
      ...byDay,
      detail: described({ id: "readOwnFigures", summary: `Your own: ${summary}`, ...byDayDetail }),
    });
}
