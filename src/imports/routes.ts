import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { Refusal, refuseProblems } from "../core/refusal.ts";
import { fileOf } from "../http/body.ts";
import { described } from "../http/describe.ts";
import { attachment, wholeOrPage } from "../http/response.ts";
import { IdParams } from "../http/schema.ts";
import type { Imports } from "./imports.ts";
import { mapOf } from "./reading/headings.ts";
import { replacementOf } from "./reading/read.ts";
import { Import, ImportCause, ImportQuery, ListedImport, ListQuery, StartedImport } from "./schema.ts";

const exampleCounts = { id: 5, state: "finished", valid: 1180, duplicate: 12, wrong: 8 };
const exampleImport = { ...exampleCounts, done: 1200, total: 1200, orderIds: [12, 13] };
const exampleListed = { ...exampleCounts, at: "2025-03-05T14:30:00.000Z", by: "admin", fileName: "keys.csv" };

/** Keys from files (rules.md: Imports). */
export function createImportRoutes({ access, imports }: { access: Access; imports: Imports }) {
  return new Elysia({ name: "imports", prefix: "/api/admin/imports", tags: ["Keys"] })
    .use(access)
    .post(
      "",
      async ({ query: { dryRun, name = null, ...options }, caller, request, server, status }) => {
        const map = mapOf(repeated(request, "map"));
        const replacements = repeated(request, "value").map(replacementOf);
        const format = formatOf(request);
        const content = fileOf({ request, server });
        const source = { ...options, content, format, map, replacements, isDryRun: dryRun === "true", fileName: name };
        return status(202, await imports.start(caller, source));
      },
      {
        onlyPeopleWithFile: "admin",
        query: ImportQuery,
        response: { 202: StartedImport },
        detail: described({
          id: "startImport",
          summary: "Import keys from a file",
          description:
            "The body is the file: CSV (`text/csv`) or JSON lines (`application/x-ndjson`), at most 200 MiB. The response comes once it has been read; its lines become keys in the background. Duplicate and wrong lines are left out, and the report says why.",
          example: { id: 5, state: "running" },
          bodyTypes: Object.keys(formats),
          refusals: ["IMPORT_UNDER_WAY", "CLOCK_AHEAD"],
        }),
      },
    )
    .get("", ({ query, caller, request, set }) => wholeOrPage(query, { request, set }, imports.list(caller, query)), {
      onlyPeople: "admin",
      query: ListQuery,
      response: { 200: Type.Array(ListedImport) },
      detail: described({ id: "listImports", summary: "Imports, newest first; no dry runs", example: [exampleListed] }),
    })
    .get("/:id/causes", ({ params, caller }) => imports.causes(caller, params.id), {
      onlyPeople: "admin",
      params: IdParams,
      response: { 200: Type.Array(ImportCause) },
      detail: described({
        id: "listImportCauses",
        summary: "Why lines are wrong, the most frequent mistakes first",
        description: "At most 100. There are none once the report is erased.",
        example: [{ field: "game", value: "PUBG", reason: "There is no game PUBG.", lines: 42 }],
      }),
    })
    .get("/:id", ({ params }) => imports.open(params.id), {
      onlyPeople: "admin",
      params: IdParams,
      response: { 200: Import },
      detail: described({
        id: "openImport",
        summary: "How far an import has come",
        description: "While `state` is `running`, `done` rises to `total`.",
        example: exampleImport,
      }),
    })
    .get(
      "/:id/report",
      async ({ params, caller, set }) =>
        attachment(await imports.downloadReport(caller, params.id), "text/csv; charset=utf-8", set),
      {
        onlyPeople: "admin",
        params: IdParams,
        detail: described({
          id: "downloadImportReport",
          summary: "What became of each line, as a CSV file",
          description:
            "Its columns are line, key, result (`valid`, `duplicate` or `wrong`) and reason. It is kept for 30 days.",
          example: null,
          fileTypes: ["text/csv"],
        }),
      },
    )
    .post("/:id/undo", ({ params, caller }) => imports.undo(caller, params.id), {
      onlyPeople: "admin",
      params: IdParams,
      response: { 200: Import },
      detail: described({
        id: "undoImport",
        summary: "Delete the keys of an import",
        description:
          "All of them or, once one has had a device connected or something paid for it, none. One that is still running stops. The orders stay, with count 0.",
        example: { ...exampleImport, state: "undone" },
        refusals: ["NOT_UNDOABLE", "ALREADY_UNDONE", "IMPORT_IN_USE"],
      }),
    });
}

const timesMax = 32;
const charactersMax = 512;

/**
 * The values of a parameter that may be repeated. In `query` Elysia splits them at each comma, and fails where they
 * exceed a limit of their schema. Throws `INVALID`.
 */
function repeated({ url }: Request, name: string): string[] {
  const values = new URL(url).searchParams.getAll(name);
  const fit = values.length <= timesMax && values.every(({ length }) => length <= charactersMax);
  const message = `${name} must be at most ${timesMax} texts of at most ${charactersMax} characters`;
  refuseProblems(fit ? [] : [{ path: name, message }]);
  return values;
}

const formats = { "text/csv": "csv", "application/x-ndjson": "ndjson" } as const;

/** Throws `NOT_JSON` for another content type. */
function formatOf({ headers }: Request): "csv" | "ndjson" {
  const [type = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const format = Object.entries(formats).find(([each]) => each === type.trim());
  if (format) return format[1];
  throw new Refusal("NOT_JSON", "The body must be a file, with the content type text/csv or application/x-ndjson.");
}
