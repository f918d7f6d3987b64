-- The life of a key, and what verification was told. Verdicts are gathered in memory and written together; their codes are numbers here,
-- because there are many rows: VALID 0, NOT_FOUND 1, REVOKED 2, EXPIRED 3, DEVICE_LIMIT_REACHED 4. Days are UTC, by their number since 1970.

-- When a device that was removed had connected, and how many devices a reset forgot: their own rows are gone by then.
ALTER TABLE key_events ADD COLUMN connected_at INTEGER;
ALTER TABLE key_events ADD COLUMN device_count INTEGER CHECK (device_count >= 0);

-- How often a key was refused on a day, by which verdict, when last, and on which device. The day comes first: it is by days that they go.
CREATE TABLE key_refusals (
  refused_day INTEGER NOT NULL,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 2 AND 4),
  refusal_count INTEGER NOT NULL CHECK (refusal_count >= 1),
  last_at INTEGER NOT NULL,
  last_device_id TEXT NOT NULL CHECK (length(last_device_id) BETWEEN 1 AND 128),
  PRIMARY KEY (refused_day, key_id, verdict_code)
) STRICT, WITHOUT ROWID;

-- What clients were told of an owner's keys on a day; owner 0 stands for the admins' keys. `connected_count` of them connected a new device.
CREATE TABLE verdict_totals (
  told_day INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 4),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, owner, verdict_code)
) STRICT, WITHOUT ROWID;

-- The same of all keys, and of those that are none: nobody owns what was not found.
CREATE TABLE all_verdict_totals (
  told_day INTEGER NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 4),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, verdict_code)
) STRICT, WITHOUT ROWID;

-- A search looks through all notes; few keys have one.
CREATE INDEX license_keys_noted ON license_keys (reseller_id) WHERE note IS NOT NULL;
