-- The same as 0027_folding.sql for PostgreSQL.
SELECT 1;
