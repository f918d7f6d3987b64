-- The different devices that found a key full on its last such day and on the day before (rules.md: Keys that seem shared).
CREATE TABLE refused_devices (
  key_id INTEGER PRIMARY KEY REFERENCES license_keys (id),
  -- The reseller's id; 0 for an admin key.
  owner INTEGER NOT NULL,
  refused_day INTEGER NOT NULL,
  -- Of device ids, separated by spaces: of that day, and of the day before.
  hashes TEXT NOT NULL CHECK (length(hashes) BETWEEN 1 AND 1400),
  hashes_before TEXT NOT NULL CHECK (length(hashes_before) <= 1400),
  -- How many of that day, and of both together.
  own_count INTEGER NOT NULL CHECK (own_count BETWEEN 1 AND 100),
  both_count INTEGER NOT NULL CHECK (both_count BETWEEN own_count AND 100)
) STRICT;
CREATE INDEX refused_devices_day ON refused_devices (refused_day, both_count, own_count);
CREATE INDEX refused_devices_owner ON refused_devices (owner, refused_day, both_count, own_count);
