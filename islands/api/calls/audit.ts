import type { QueryOf } from "../contract.ts";
import { download } from "../download.ts";
import { listOf } from "../list.ts";

const auditLog = "GET /api/admin/audit";

export const auditList = listOf(auditLog);

/** All rows that match the filters, as a CSV file. */
export const downloadAuditLog = (filters: QueryOf<typeof auditLog>, fallbackName: string) =>
  download(auditLog, { query: { ...filters, format: "csv" }, fallbackName });
