-- The same as 0007_life_of_a_key.sql for PostgreSQL. What is summed is INTEGER, because a sum of BIGINT is a decimal number.

ALTER TABLE key_events ADD COLUMN connected_at BIGINT;
ALTER TABLE key_events ADD COLUMN device_count BIGINT CHECK (device_count >= 0);

CREATE TABLE key_refusals (
  refused_day BIGINT NOT NULL,
  key_id BIGINT NOT NULL REFERENCES license_keys (id),
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 2 AND 4),
  refusal_count INTEGER NOT NULL CHECK (refusal_count >= 1),
  last_at BIGINT NOT NULL,
  last_device_id TEXT COLLATE "C" NOT NULL CHECK (length(last_device_id) BETWEEN 1 AND 128),
  PRIMARY KEY (refused_day, key_id, verdict_code)
);

CREATE TABLE verdict_totals (
  told_day BIGINT NOT NULL,
  owner BIGINT NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 4),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, owner, verdict_code)
);

CREATE TABLE all_verdict_totals (
  told_day BIGINT NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 4),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, verdict_code)
);

CREATE INDEX license_keys_noted ON license_keys (reseller_id) WHERE note IS NOT NULL;

-- What several processes count together (rules.md: Limits); the embedded engine counts in memory, so this table is here alone. It outlives no
-- crash of the database, and so costs no wait for the disk.
CREATE UNLOGGED TABLE rate_limits (
  name TEXT COLLATE "C" NOT NULL,
  person TEXT COLLATE "C" NOT NULL,
  closes_at BIGINT NOT NULL,
  tries INTEGER NOT NULL,
  PRIMARY KEY (name, person)
);
