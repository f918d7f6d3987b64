-- The same as 0004_fewer_indexes.sql for PostgreSQL.
DROP INDEX license_keys_devices;
