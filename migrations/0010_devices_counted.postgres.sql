-- The same as 0010_devices_counted.sql for PostgreSQL.
ALTER TABLE license_keys DROP COLUMN device_count;
