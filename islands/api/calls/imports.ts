import type { Column } from "../../../src/keys/export/columns.ts";
import { call, queryOf, readBody, send } from "../api.ts";
import type { ResponseOf } from "../contract.ts";
import { download } from "../download.ts";

export type Import = ResponseOf<"GET /api/admin/imports/:id">;

/** A file, and what its lines leave out. */
export interface ImportForm {
  file: File;
  isJson: boolean;
  /** Headings of the file by our column. */
  map: Partial<Record<Column, string>>;
  game: string;
  owner: string;
}

/** Returns once the file is on the server, which then works by itself. */
async function start({ file, isJson, map, ...query }: ImportForm, dryRun: boolean) {
  const pairs = Object.entries(map).map(([column, heading]) => `${column}=${heading}`);
  const response = await send("POST /api/admin/imports", {
    query: { ...query, dryRun, map: pairs },
    file,
    headers: { "content-type": isJson ? "application/x-ndjson" : "text/csv" },
  });
  return readBody<ResponseOf<"POST /api/admin/imports">>(response);
}

export const startImport = (form: ImportForm) => start(form, false);

const lookAgainMs = 1_000;

/** Counts what each line would become. `onProgress` gets the counts so far. */
export async function checkFile(form: ImportForm, onProgress: (soFar: Import) => void): Promise<Import> {
  const { id } = await start(form, true);
  for (;;) {
    const soFar = await call("GET /api/admin/imports/:id", { params: { id } });
    if (soFar.state !== "running") return soFar;
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
