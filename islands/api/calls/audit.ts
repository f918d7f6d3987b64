import type { QueryOf } from "../contract.ts";
import { download } from "../download.ts";
import { listOf } from "../list.ts";

const record = "GET /api/admin/audit";

export const auditList = listOf(record);

/** All rows that match the filters, as a CSV file. */
export const downloadRecord = (filters: QueryOf<typeof record>, fallbackName: string) =>
  download(record, { query: { ...filters, format: "csv" }, fallbackName });
