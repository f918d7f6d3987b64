-- The same as 0008_notes.sql for PostgreSQL.

ALTER TABLE resellers ADD COLUMN suspension_reason TEXT COLLATE "C"
  CHECK (suspension_reason IS NULL OR (is_active = 0 AND length(suspension_reason) BETWEEN 1 AND 200));

CREATE INDEX orders_noted ON orders (reseller_id, note) WHERE note IS NOT NULL;
DROP INDEX license_keys_noted;
CREATE INDEX license_keys_noted ON license_keys (reseller_id, note) WHERE note IS NOT NULL;
