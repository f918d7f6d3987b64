-- The time of a key: it may start at first use, be extended, paused and compensated (rules.md: The time of a key).

-- What admins do to many keys at once, because of an outage for example.
CREATE TABLE interventions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('compensate', 'pause', 'resume')),
  -- At most one of these narrows the scope, which otherwise is all keys.
  game_id INTEGER REFERENCES games (id),
  reseller_id INTEGER REFERENCES resellers (id),
  order_id INTEGER REFERENCES orders (id),
  hours INTEGER CHECK (hours BETWEEN 1 AND 8760),
  since_at INTEGER,
  given_reason TEXT NOT NULL CHECK (length(given_reason) BETWEEN 1 AND 200),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  undone_by INTEGER REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  -- How many keys it concerned when it began, and how many it has changed.
  key_count INTEGER NOT NULL CHECK (key_count >= 0),
  done_count INTEGER NOT NULL DEFAULT 0 CHECK (done_count >= 0),
  -- The newest key of that time, and the last one that was looked at. Keys are handled in the order of their ids.
  last_key_id INTEGER,
  reached_key_id INTEGER,
  state TEXT NOT NULL CHECK (state IN ('running', 'finished', 'undoing', 'undone')),
  CHECK ((kind = 'compensate') = (hours IS NOT NULL)),
  CHECK ((undone_by IS NOT NULL) = (state IN ('undoing', 'undone')))
) STRICT;
CREATE INDEX interventions_unfinished ON interventions (id) WHERE state IN ('running', 'undoing');

-- Until a key starts, its expiry is the last millisecond of the year 9999, so it sorts after all dates and is ACTIVE without a special case.
ALTER TABLE license_keys ADD COLUMN is_first_use INTEGER NOT NULL DEFAULT 0 CHECK (is_first_use IN (0, 1));
-- Null until it starts.
ALTER TABLE license_keys ADD COLUMN started_at INTEGER;
-- When it starts; null for an admin's expiry.
ALTER TABLE license_keys ADD COLUMN duration_hours INTEGER CHECK (duration_hours >= 1);
ALTER TABLE license_keys ADD COLUMN paused_at INTEGER;
-- Only a reseller's pause ends by itself, once the reseller's days for this key are used up.
ALTER TABLE license_keys ADD COLUMN pause_ends_at INTEGER CHECK (pause_ends_at > paused_at);
-- What earlier pauses used of those days.
ALTER TABLE license_keys ADD COLUMN pause_used_ms INTEGER NOT NULL DEFAULT 0 CHECK (pause_used_ms >= 0);
-- What paused it, if it was not paused by itself.
ALTER TABLE license_keys ADD COLUMN paused_in_id INTEGER REFERENCES interventions (id) CHECK (paused_in_id IS NULL OR paused_at IS NOT NULL);
UPDATE license_keys SET started_at = created_at,
  duration_hours = CASE WHEN reseller_id IS NOT NULL THEN (expires_at - created_at) / 3600000 END;
CREATE INDEX license_keys_pause_ends ON license_keys (pause_ends_at) WHERE pause_ends_at IS NOT NULL;
CREATE INDEX license_keys_paused ON license_keys (reseller_id, expires_at) WHERE paused_at IS NOT NULL;

ALTER TABLE orders ADD COLUMN is_first_use INTEGER NOT NULL DEFAULT 0 CHECK (is_first_use IN (0, 1));
-- Null for an admin's expiry.
ALTER TABLE orders ADD COLUMN duration_hours INTEGER CHECK (duration_hours >= 1);
UPDATE orders SET duration_hours = (SELECT max(k.duration_hours) FROM license_keys k WHERE k.order_id = orders.id);

-- What a retry returns has the form of today.
UPDATE idempotency_keys SET answer = json_set(answer, '$.keys', (
  SELECT json_group_array(json_set(value, '$.starts', 'creation', '$.startedAt', json_extract(value, '$.createdAt'), '$.pausedAt', NULL,
    '$.durationHours', (SELECT k.duration_hours FROM license_keys k WHERE k.id = json_extract(value, '$.id'))))
  FROM json_each(answer, '$.keys')))
WHERE json_type(answer, '$.keys') = 'array';

-- Constraints cannot be changed, so these tables are made again.
ALTER TABLE key_events RENAME TO key_events_before;
CREATE TABLE key_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  what TEXT NOT NULL CHECK (what IN ('DEVICE_REMOVED', 'DEVICES_RESET', 'NOTED', 'STARTED', 'EXTENDED', 'LIMIT_CHANGED', 'PAUSED', 'RESUMED',
    'COMPENSATED', 'DEVICE_RELEASED', 'DEVICE_IDLE')),
  -- Null for a device and for what ended by itself.
  made_by INTEGER REFERENCES accounts (id),
  device_id TEXT,
  created_at INTEGER NOT NULL,
  connected_at INTEGER,
  device_count INTEGER CHECK (device_count >= 0),
  -- Hours, negative when taken back, or the new device limit.
  amount INTEGER,
  -- An extension of an expired key counts from then on, so what the key was given before is used up.
  is_renewal INTEGER NOT NULL DEFAULT 0 CHECK (is_renewal IN (0, 1)),
  intervention_id INTEGER REFERENCES interventions (id)
) STRICT;
INSERT INTO key_events (id, key_id, what, made_by, device_id, created_at, connected_at, device_count)
SELECT id, key_id, what, made_by, device_id, created_at, connected_at, device_count FROM key_events_before ORDER BY id;
DROP TABLE key_events_before;
CREATE INDEX key_events_key ON key_events (key_id, id);
CREATE INDEX key_events_intervention ON key_events (intervention_id, key_id) WHERE intervention_id IS NOT NULL;

ALTER TABLE credit_ledger RENAME TO credit_ledger_before;
CREATE TABLE credit_ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reseller_id INTEGER NOT NULL REFERENCES resellers (id),
  amount_tenths INTEGER NOT NULL CHECK (amount_tenths <> 0),
  balance_tenths INTEGER NOT NULL CHECK (balance_tenths >= 0),
  reason TEXT NOT NULL CHECK (reason IN ('token_bonus', 'admin_grant', 'key_purchase', 'grant_taken_back', 'key_extension',
    'device_limit_change', 'key_refund')),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  order_id INTEGER REFERENCES orders (id)
    CHECK (order_id IS NULL OR reason IN ('key_purchase', 'key_extension', 'device_limit_change', 'key_refund')),
  note TEXT CHECK (length(note) BETWEEN 1 AND 200),
  grant_id INTEGER REFERENCES credit_ledger (id) CHECK ((grant_id IS NULL) = (reason <> 'grant_taken_back')),
  -- The one key that was paid for, or whose cost was given back.
  key_id INTEGER REFERENCES license_keys (id)
    CHECK ((key_id IS NULL) = (reason NOT IN ('key_extension', 'device_limit_change', 'key_refund'))),
  CHECK ((reason IN ('key_purchase', 'grant_taken_back', 'key_extension', 'device_limit_change')) = (amount_tenths < 0))
) STRICT;
INSERT INTO credit_ledger (id, reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note, grant_id)
SELECT id, reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note, grant_id
FROM credit_ledger_before ORDER BY id;
DROP TABLE credit_ledger_before;
CREATE UNIQUE INDEX credit_ledger_order ON credit_ledger (order_id) WHERE reason = 'key_purchase' AND order_id IS NOT NULL;
CREATE INDEX credit_ledger_time ON credit_ledger (reseller_id, created_at);
CREATE INDEX credit_ledger_reason ON credit_ledger (reseller_id, reason, created_at);
CREATE INDEX credit_ledger_taken_back ON credit_ledger (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX credit_ledger_key ON credit_ledger (key_id) WHERE key_id IS NOT NULL;
-- What was paid for keys after their orders.
CREATE INDEX credit_ledger_later ON credit_ledger (reseller_id, created_at) WHERE key_id IS NOT NULL;
CREATE UNIQUE INDEX credit_ledger_refund ON credit_ledger (key_id) WHERE reason = 'key_refund';
CREATE TRIGGER credit_ledger_is_added AFTER INSERT ON credit_ledger WHEN NEW.reason IN ('key_extension', 'device_limit_change')
BEGIN
  INSERT INTO order_totals (made_day, game_id, shard, key_count, cost_tenths)
  SELECT NEW.created_at / 86400000, k.game_id, NEW.reseller_id % 64, 0, -NEW.amount_tenths FROM license_keys k WHERE k.id = NEW.key_id
  ON CONFLICT (made_day, game_id, shard) DO UPDATE SET cost_tenths = cost_tenths + excluded.cost_tenths;
END;
CREATE TRIGGER credit_ledger_is_never_changed BEFORE UPDATE ON credit_ledger
BEGIN
  SELECT raise(ABORT, 'credit_ledger is append-only');
END;
CREATE TRIGGER credit_ledger_is_never_erased BEFORE DELETE ON credit_ledger
BEGIN
  SELECT raise(ABORT, 'credit_ledger is append-only');
END;

PRAGMA analysis_limit = 1000;
ANALYZE license_keys;
ANALYZE key_events;
ANALYZE credit_ledger;
