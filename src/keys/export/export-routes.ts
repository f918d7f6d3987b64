import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import { described } from "../../http/describe.ts";
import { attachment } from "../../http/response.ts";
import type { Export } from "./export.ts";
import { ExportQuery } from "./export-schema.ts";

export function createExportRoutes({ access, exports }: { access: Access; exports: Export }) {
  return new Elysia({ name: "export", tags: ["Keys"] })
    .use(access)
    .get(
      "/api/admin/export",
      async ({ query, caller, set }) =>
        attachment(await exports.keys(caller, caller, query), "text/csv; charset=utf-8", set),
      {
        onlyPeople: "admin",
        query: ExportQuery,
        detail: described({
          id: "exportKeys",
          summary: "All keys with their devices, as a CSV file that an import reads",
          description:
            "For programs: no text is guarded against formulas, so do not open it in a spreadsheet. The columns are key, game, created, expires, duration_hours, starts, started, paused_at, revoked, device_limit, status, owner, note and devices. The audit log records the export.",
          example: null,
          fileTypes: ["text/csv"],
          refusals: ["NOT_FOUND"],
        }),
      },
    );
}
