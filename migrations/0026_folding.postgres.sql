-- The same as 0026_folding.sql for PostgreSQL.
SELECT 1;
