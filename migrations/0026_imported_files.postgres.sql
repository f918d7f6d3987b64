-- The same as 0026_imported_files.sql for PostgreSQL.
ALTER TABLE imports ADD COLUMN file_hash TEXT COLLATE "C" CHECK (length(file_hash) = 64);
