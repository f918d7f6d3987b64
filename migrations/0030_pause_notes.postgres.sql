-- The same as 0030_pause_notes.sql for PostgreSQL.
ALTER TABLE interventions ADD COLUMN reseller_note TEXT COLLATE "C"
  CHECK (reseller_note IS NULL OR (kind = 'pause' AND length(reseller_note) BETWEEN 1 AND 200));
CREATE INDEX license_keys_paused_in ON license_keys (reseller_id, paused_in_id, game_id)
  WHERE paused_in_id IS NOT NULL AND revoked_at IS NULL;
