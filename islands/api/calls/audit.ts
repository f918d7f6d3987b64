import type { QueryOf } from "../contract.ts";
import { download } from "../download.ts";
import { listOf } from "../list.ts";

const auditLog = "GET /api/admin/audit";

/** The page shows the migrations of a start as one row, and a new database has two dozen. */
export const auditRowsPerPage = 60;

export const auditList = { ...listOf(auditLog), rowsPerPage: auditRowsPerPage };

/** All rows that match the filters, as a CSV file. */
export const downloadAuditLog = (filters: QueryOf<typeof auditLog>, fallbackName: string) =>
  download(auditLog, { query: { ...filters, format: "csv" }, fallbackName });
