-- Devices have names, and the day on which they were last seen. Players may free their own (rules.md: Devices).

ALTER TABLE key_devices ADD COLUMN name TEXT CHECK (length(name) BETWEEN 1 AND 64);
-- The UTC day of its last verification, since 1970. Earlier devices start with the day of the upgrade.
ALTER TABLE key_devices ADD COLUMN last_seen_day INTEGER NOT NULL DEFAULT 0 CHECK (last_seen_day >= 0);
UPDATE key_devices SET last_seen_day = unixepoch() / 86400;
-- Of a device that was removed.
ALTER TABLE key_events ADD COLUMN device_name TEXT CHECK (length(device_name) BETWEEN 1 AND 64);

-- Whether and how often players may free a device of a key of this game.
ALTER TABLE games ADD COLUMN release_is_allowed INTEGER NOT NULL DEFAULT 1 CHECK (release_is_allowed IN (0, 1));
ALTER TABLE games ADD COLUMN release_cooldown_hours INTEGER NOT NULL DEFAULT 24 CHECK (release_cooldown_hours BETWEEN 0 AND 720);
ALTER TABLE games ADD COLUMN release_per_thirty_days INTEGER NOT NULL DEFAULT 3 CHECK (release_per_thirty_days BETWEEN 1 AND 100);
-- After so many days unseen, a device gives its slot to a new one; null: never.
ALTER TABLE games ADD COLUMN release_idle_days INTEGER CHECK (release_idle_days BETWEEN 1 AND 365);

-- When games were under maintenance: on these days no device could be seen.
CREATE TABLE game_maintenance (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  game_id INTEGER NOT NULL REFERENCES games (id),
  began_at INTEGER NOT NULL,
  -- Null while it lasts.
  ended_at INTEGER CHECK (ended_at >= began_at)
) STRICT;
CREATE UNIQUE INDEX game_maintenance_now ON game_maintenance (game_id) WHERE ended_at IS NULL;
CREATE INDEX game_maintenance_game ON game_maintenance (game_id, began_at);
INSERT INTO game_maintenance (game_id, began_at) SELECT id, unixepoch() * 1000 FROM games WHERE maintenance IS NOT NULL;
