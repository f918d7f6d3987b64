-- The same as 0025_lost_secret.sql for PostgreSQL, where constraints can be changed.
ALTER TABLE two_factor ADD COLUMN is_lost BIGINT NOT NULL DEFAULT 0 CHECK (is_lost IN (0, 1));
ALTER TABLE webhooks DROP CONSTRAINT webhooks_switched_off_reason_check,
  ADD CHECK (switched_off_reason IN ('GONE', 'FAILED', 'BACKLOG', 'SECRET_LOST'));
