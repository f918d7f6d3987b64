-- The same as 0029_import_causes.sql for PostgreSQL.
ALTER TABLE imports ADD COLUMN file_name TEXT COLLATE "C" CHECK (length(file_name) BETWEEN 1 AND 255);
CREATE INDEX imports_listed ON imports (id) WHERE is_dry_run = 0 AND state <> 'reading';

ALTER TABLE import_lines ADD COLUMN field TEXT COLLATE "C", ADD COLUMN value TEXT COLLATE "C",
  ADD COLUMN mistake TEXT COLLATE "C";
CREATE INDEX import_lines_mistakes ON import_lines (import_id, field, mistake, value, line) WHERE mistake IS NOT NULL;
