-- Devices that no key of a reseller, or no key at all, connects (rules.md: Blocked devices).
CREATE TABLE blocked_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The reseller's id; 0 for the admins, whose blocks cover all keys.
  owner INTEGER NOT NULL,
  device_id TEXT NOT NULL CHECK (length(device_id) BETWEEN 1 AND 128),
  device_folded TEXT NOT NULL CHECK (length(device_folded) <= 512),
  given_reason TEXT NOT NULL CHECK (length(given_reason) BETWEEN 1 AND 200),
  reason_folded TEXT NOT NULL CHECK (length(reason_folded) <= 512),
  blocked_by INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  UNIQUE (device_id, owner)
) STRICT;
CREATE INDEX blocked_devices_owner ON blocked_devices (owner, id);

-- Verdicts have one more code: 8 DEVICE_BLOCKED.
CREATE TABLE key_refusals_after (
  refused_day INTEGER NOT NULL,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 2 AND 8),
  refusal_count INTEGER NOT NULL CHECK (refusal_count >= 1),
  last_at INTEGER NOT NULL,
  last_device_id TEXT NOT NULL CHECK (length(last_device_id) BETWEEN 1 AND 128),
  PRIMARY KEY (refused_day, key_id, verdict_code)
) STRICT, WITHOUT ROWID;
INSERT INTO key_refusals_after SELECT * FROM key_refusals;
DROP TABLE key_refusals;
ALTER TABLE key_refusals_after RENAME TO key_refusals;
CREATE INDEX key_refusals_key ON key_refusals (key_id);
CREATE TABLE verdict_totals_after (
  told_day INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 8),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, owner, verdict_code)
) STRICT, WITHOUT ROWID;
INSERT INTO verdict_totals_after SELECT * FROM verdict_totals;
DROP TABLE verdict_totals;
ALTER TABLE verdict_totals_after RENAME TO verdict_totals;
CREATE TABLE all_verdict_totals_after (
  told_day INTEGER NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 8),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, verdict_code)
) STRICT, WITHOUT ROWID;
INSERT INTO all_verdict_totals_after SELECT * FROM all_verdict_totals;
DROP TABLE all_verdict_totals;
ALTER TABLE all_verdict_totals_after RENAME TO all_verdict_totals;

PRAGMA analysis_limit = 1000;
ANALYZE key_refusals;
