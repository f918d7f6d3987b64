import type { DateOrder } from "../../../src/imports/schema.ts";
import type { Column } from "../../../src/keys/export/columns.ts";
import { call, queryOf, readBody, send } from "../api.ts";
import type { ResponseOf } from "../contract.ts";
import { download } from "../download.ts";
import { listOf } from "../list.ts";

export type Import = ResponseOf<"GET /api/admin/imports/:id">;

export type ImportCause = ResponseOf<"GET /api/admin/imports/:id/causes">[number];

export const importList = listOf("GET /api/admin/imports");

/** A file, and what its lines leave out. */
export interface ImportForm {
  file: File;
  isJson: boolean;
  fixes: {
    /** Headings of the file by our column. */
    map: Partial<Record<Column, string>>;
    /** `PUBG MOBILE` by `game:PUBG`; "" for a value that stays. */
    values: Record<string, string>;
    dates?: DateOrder;
  };
  game: string;
  owner: string;
}

export function valuesIn({ values }: ImportForm["fixes"]): string[] {
  return Object.entries(values).flatMap(([from, to]) => (to === "" ? [] : `${from}=${to}`));
}

/** Returns once the file is on the server, which then works by itself. */
async function start({ file, isJson, fixes, ...query }: ImportForm, dryRun: boolean) {
  const map = Object.entries(fixes.map).map(([column, heading]) => `${column}=${heading}`);
  // The call takes no invisible characters.
  const name = file.name.replace(/\p{C}/gu, "");
  const response = await send("POST /api/admin/imports", {
    query: { ...query, dryRun, dates: fixes.dates, name, map, value: valuesIn(fixes) },
    file,
    headers: { "content-type": isJson ? "application/x-ndjson" : "text/csv" },
  });
  return readBody<ResponseOf<"POST /api/admin/imports">>(response);
}

export const startImport = (form: ImportForm) => start(form, false);

const lookAgainMs = 1_000;

/** Counts what each line would become, and why lines are wrong. `onProgress` gets the counts so far. */
export async function checkFile(form: ImportForm, onProgress: (soFar: Import) => void) {
  const { id } = await start(form, true);
  for (;;) {
    const soFar = await call("GET /api/admin/imports/:id", { params: { id } });
    if (soFar.state !== "running") {
      const causes = soFar.wrong > 0 ? await call("GET /api/admin/imports/:id/causes", { params: { id } }) : [];
      return { counts: soFar, causes };
    }
    onProgress(soFar);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/** Fetched again and again while it is running. */
export const importQuery = (id: string) => ({
  ...queryOf("GET /api/admin/imports/:id", { params: { id } }),
  staleTime: 0,
  refetchInterval: ({ state }: { state: { data?: Import } }) => state.data?.state === "running" && lookAgainMs,
});

export const downloadReport = (id: number) =>
  download("GET /api/admin/imports/:id/report", { params: { id }, fallbackName: `latchkey-import-${id}.csv` });

export const undoImport = (id: number) => call("POST /api/admin/imports/:id/undo", { params: { id } });

export const downloadExport = () => download("GET /api/admin/export", { fallbackName: "latchkey-export.csv" });
