import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, whenQuerying, whenSignedIn } from "../http/describe.ts";
import type { Figures } from "./figures.ts";
import { DayFigures, FiguresQuery } from "./figures-schema.ts";

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
