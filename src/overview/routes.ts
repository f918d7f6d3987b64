import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described, whenScanning, whenSignedIn } from "../http/describe.ts";
import type { Overview } from "./overview.ts";
import { Stats } from "./schema.ts";

export function createOverviewRoutes({ access, overview }: { access: Access; overview: Overview }) {
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
        refusals: [...whenSignedIn, ...whenScanning],
      }),
    });
}
