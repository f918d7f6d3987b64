import { queryOf } from "./call.ts";
import { download } from "./download.ts";

export const collectionsQuery = queryOf("GET /api/admin/backup/collections");

export function downloadCollection(name: string) {
  return download("GET /api/admin/backup/download/:name", { params: { name }, fallbackName: `${name}.json` });
}

/** Every collection in one file. `onProgress` is told how many bytes have come. */
export function downloadAll(fallbackName: string, onProgress: (bytes: number) => void) {
  return download("GET /api/admin/backup/download-all", { fallbackName, onProgress });
}
