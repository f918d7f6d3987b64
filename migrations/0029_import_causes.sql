-- The list of imports names their files, and says why lines were left out (rules.md: Imports).
ALTER TABLE imports ADD COLUMN file_name TEXT CHECK (length(file_name) BETWEEN 1 AND 255);
CREATE INDEX imports_listed ON imports (id) WHERE is_dry_run = 0 AND state <> 'reading';

-- Of a wrong line: its column, if one is to blame, that column's value, where another value may mend the line, and the kind of mistake.
ALTER TABLE import_lines ADD COLUMN field TEXT;
ALTER TABLE import_lines ADD COLUMN value TEXT;
ALTER TABLE import_lines ADD COLUMN mistake TEXT;
CREATE INDEX import_lines_mistakes ON import_lines (import_id, field, mistake, value, line) WHERE mistake IS NOT NULL;
