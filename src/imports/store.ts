import { firstOf, hasRows, inFewSizes, listed, listOf, nothing, part, type Sql, type SqlPart } from "../db/contract.ts";
import type { Page } from "../db/paging.ts";
import type { ImportCause, ImportState, LineResult } from "./schema.ts";

export interface NewImport {
  madeBy: number;
  at: number;
  isDryRun: boolean;
  fileName: string | null;
  /** Of a command that could be continued; null for an import by the servers. */
  requestHash: string | null;
}

export interface ImportRow {
  id: number;
  madeBy: number;
  at: number;
  isDryRun: number;
  fileName: string | null;
  /** `reading` until all lines are stored. */
  state: ImportState | "reading";
  total: number;
  /** The last line that was handled. */
  reachedLine: number;
  valid: number;
  duplicate: number;
  wrong: number;
}

const columns = part`id, made_by AS "madeBy", created_at AS at, is_dry_run AS "isDryRun", file_name AS "fileName", state, line_count AS total,
  reached_line AS "reachedLine", valid_count AS valid, duplicate_count AS duplicate, wrong_count AS wrong`;

export async function insertImport(sql: Sql, given: NewImport): Promise<ImportRow> {
  const { madeBy, at, isDryRun, fileName, requestHash } = given;
  const [row] = await sql<ImportRow>`
    INSERT INTO imports (made_by, created_at, is_dry_run, file_name, request_hash, state)
    VALUES (${madeBy}, ${at}, ${isDryRun ? 1 : 0}, ${fileName}, ${requestHash}, 'reading') RETURNING ${columns}`;
  return row as ImportRow;
}

/** Newest first, without dry runs and files that are still being read. */
export function listImports(sql: Sql, { after, limitPart }: Page<[number]>): Promise<(ImportRow & { by: string })[]> {
  const older = after ? part`AND id < ${after[0]}` : nothing;
  return sql`
    SELECT ${columns}, (SELECT a.username FROM accounts a WHERE a.id = made_by) AS by FROM imports
    WHERE is_dry_run = 0 AND state <> 'reading' ${older} ORDER BY id DESC ${limitPart}`;
}

export async function importOf(sql: Sql, id: number): Promise<ImportRow | null> {
  return firstOf(sql<ImportRow>`SELECT ${columns} FROM imports WHERE id = ${id}`);
}

/** The import that the command with this hash has begun. */
export async function importBegun(sql: Sql, requestHash: string): Promise<ImportRow | null> {
  return firstOf(sql<ImportRow>`SELECT ${columns} FROM imports WHERE request_hash = ${requestHash}`);
}

/** From then on the same command begins another import. */
export async function endCommand(sql: Sql, id: number): Promise<void> {
  await sql`UPDATE imports SET request_hash = NULL WHERE id = ${id}`;
}

/** The oldest import of the servers that still has lines to handle. */
export async function nextRunning(sql: Sql): Promise<ImportRow | null> {
  return firstOf(sql<ImportRow>`
    SELECT ${columns} FROM imports WHERE state = 'running' AND request_hash IS NULL ORDER BY id LIMIT 1`);
}

/** Lets servers import the lines of a file. */
export async function setRunning(sql: Sql, id: number, fileHash: string | null): Promise<void> {
  await sql`UPDATE imports SET state = 'running', file_hash = ${fileHash} WHERE id = ${id}`;
}

/** Whether servers are importing the file with this hash. */
export async function isRunning(sql: Sql, fileHash: string): Promise<boolean> {
  return hasRows(sql`
    SELECT 1 FROM imports WHERE state = 'running' AND request_hash IS NULL AND file_hash = ${fileHash} LIMIT 1`);
}

export async function setState(sql: Sql, id: number, state: ImportState): Promise<void> {
  await sql`UPDATE imports SET state = ${state} WHERE id = ${id}`;
}

/** A line of a file: the key that it becomes or its problem, in JSON. */
export interface StoredLine {
  line: number;
  details: string;
  /** Only of a key in a dry run. */
  normalForm: string | null;
}

/** Adds the next lines of the file. */
export async function addLines(sql: Sql, id: number, lines: StoredLine[]): Promise<void> {
  for (const some of inFewSizes(lines)) {
    const rows = some.map(({ line, details, normalForm }) => part`(${id}, ${line}, ${details}, ${normalForm})`);
    await sql`INSERT INTO import_lines (import_id, line, details, normal_form) VALUES ${listOf(rows)}`;
  }
  await sql`UPDATE imports SET line_count = line_count + ${lines.length} WHERE id = ${id}`;
}

/** The last line of the file that is stored; 0 if there is none. */
export async function lastLine(sql: Sql, id: number): Promise<number> {
  const [row] = await sql<{ line: number }>`
    SELECT coalesce(max(l.line), 0) AS line FROM import_lines l WHERE l.import_id = ${id}`;
  return row?.line ?? 0;
}

/** The details of the next lines after the one that was reached. */
export async function nextLines(
  sql: Sql,
  { id, reachedLine }: Pick<ImportRow, "id" | "reachedLine">,
  rowsMax: number,
): Promise<string[]> {
  const rows = await sql<{ details: string }>`
    SELECT l.details FROM import_lines l WHERE l.import_id = ${id} AND l.line > ${reachedLine}
    ORDER BY l.line LIMIT ${rowsMax}`;
  return rows.map(({ details }) => details);
}

/** Those of these normal forms that earlier valid lines of a dry run have. */
export async function formsBefore(sql: Sql, id: number, forms: string[]): Promise<string[]> {
  const rows = await sql<{ form: string }>`
    SELECT l.normal_form AS form FROM import_lines l
    WHERE l.import_id = ${id} AND l.normal_form IN (${listed(forms)}) AND l.result = 'valid'`;
  return rows.map(({ form }) => form);
}

/** What became of a line. `reason` is a sentence; null for a valid line. */
export interface Outcome extends Partial<Pick<ImportCause, "field" | "value">> {
  line: number;
  result: LineResult;
  reason: string | null;
}

/** Writes what became of the next lines, all of which are given. */
export async function advance(sql: Sql, { id, reachedLine }: ImportRow, outcomes: Outcome[]): Promise<void> {
  const last = outcomes.at(-1)?.line ?? reachedLine;
  const count = (which: LineResult) => outcomes.filter(({ result }) => result === which).length;
  await sql`
    UPDATE import_lines SET result = 'valid' WHERE import_id = ${id} AND line > ${reachedLine} AND line <= ${last}`;
  for (const { line, result, reason, field = null, value = null } of outcomes) {
    if (result === "valid") continue;
    // The same sentence with other numbers is the same kind of mistake.
    const mistake = result === "wrong" ? (reason?.replace(/\d+/g, "") ?? null) : null;
    await sql`
      UPDATE import_lines SET result = ${result}, reason = ${reason}, field = ${field}, value = ${value},
        mistake = ${mistake} WHERE import_id = ${id} AND line = ${line}`;
  }
  await sql`
    UPDATE imports SET reached_line = ${last}, valid_count = valid_count + ${count("valid")},
      duplicate_count = duplicate_count + ${count("duplicate")}, wrong_count = wrong_count + ${count("wrong")}
    WHERE id = ${id}`;
}

/** The wrong lines by field, kind of mistake and value, those of the most lines first. */
export function causesOf(sql: Sql, id: number, rowsMax: number): Promise<ImportCause[]> {
  return sql<ImportCause>`
    SELECT c.field, c.value, l.reason, c.lines FROM (
      SELECT field, value, count(*) AS lines, min(line) AS first FROM import_lines
      WHERE import_id = ${id} AND mistake IS NOT NULL GROUP BY field, mistake, value
      ORDER BY lines DESC, first LIMIT ${rowsMax}) c
    JOIN import_lines l ON l.import_id = ${id} AND l.line = c.first ORDER BY c.lines DESC, c.first`;
}

export interface ReportRow extends Pick<Outcome, "line" | "result" | "reason"> {
  details: string;
}

/** The lines that were handled, in their order. */
export function reportRows(sql: Sql, id: number, after: number, limitPart: SqlPart): Promise<ReportRow[]> {
  return sql<ReportRow>`
    SELECT l.line, l.details, l.result, l.reason FROM import_lines l
    WHERE l.import_id = ${id} AND l.line > ${after} AND l.result IS NOT NULL ORDER BY l.line ${limitPart}`;
}

/** The ids of all resellers with these usernames, by the lower-case name. */
export async function resellersNamed(sql: Sql, names: string[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: number; name: string }>`
    SELECT a.id, lower(a.username) AS name FROM accounts a JOIN resellers r ON r.id = a.id
    WHERE lower(a.username) IN (${listed(names)}) AND a.removed_at IS NULL`;
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Whether there are lines or unfinished imports from before these times. */
export async function isAnyOld(sql: Sql, before: Retention): Promise<boolean> {
  return hasRows(sql`SELECT 1 FROM imports i WHERE ${isOld(before)} LIMIT 1`);
}

export interface Retention {
  /** Reports of imports that began before this are erased. */
  reportsSince: number;
  /** No upload takes so long: one that began before this was broken off. */
  uploadsSince: number;
}

/** Erases some lines of one old import and, with the last of them, an import that imported nothing. */
export async function eraseOld(sql: Sql, before: Retention, rowsMax: number): Promise<void> {
  const [old] = await sql<{ id: number }>`SELECT i.id FROM imports i WHERE ${isOld(before)} ORDER BY i.id LIMIT 1`;
  if (!old) return;
  const erased = await sql`
    DELETE FROM import_lines WHERE (import_id, line) IN (
      SELECT l.import_id, l.line FROM import_lines l WHERE l.import_id = ${old.id} LIMIT ${rowsMax}) RETURNING 1 AS erased`;
  if (erased.length === rowsMax) return;
  await sql`DELETE FROM imports WHERE id = ${old.id} AND (state = 'reading' OR is_dry_run = 1)`;
  await sql`UPDATE imports SET state = CASE WHEN state = 'running' THEN 'finished' ELSE state END, request_hash = NULL
    WHERE id = ${old.id}`;
}

function isOld({ reportsSince, uploadsSince }: Retention): SqlPart {
  const hasLines = part`EXISTS (SELECT 1 FROM import_lines l WHERE l.import_id = i.id)`;
  return part`(i.created_at < ${reportsSince} AND (i.state = 'reading' OR ${hasLines})
    OR i.created_at < ${uploadsSince} AND i.state = 'reading' AND i.request_hash IS NULL)`;
}
