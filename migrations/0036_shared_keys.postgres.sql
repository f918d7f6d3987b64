-- The same as 0036_shared_keys.sql for PostgreSQL.
CREATE TABLE refused_devices (
  key_id BIGINT PRIMARY KEY REFERENCES license_keys (id),
  owner BIGINT NOT NULL,
  refused_day BIGINT NOT NULL,
  hashes TEXT COLLATE "C" NOT NULL CHECK (length(hashes) BETWEEN 1 AND 1400),
  hashes_before TEXT COLLATE "C" NOT NULL CHECK (length(hashes_before) <= 1400),
  own_count BIGINT NOT NULL CHECK (own_count BETWEEN 1 AND 100),
  both_count BIGINT NOT NULL CHECK (both_count BETWEEN own_count AND 100)
);
CREATE INDEX refused_devices_day ON refused_devices (refused_day, both_count, own_count);
CREATE INDEX refused_devices_owner ON refused_devices (owner, refused_day, both_count, own_count);
