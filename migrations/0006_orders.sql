-- Orders: what was generated at once, by whom and for how much. And notes, on keys, orders and grants.

-- One call that made keys. What was made before this migration belongs to none.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The reseller who bought it; an admin's order belongs to nobody, like its keys.
  reseller_id INTEGER REFERENCES resellers (id),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  game TEXT NOT NULL CHECK (game IN ('PUBG MOBILE', 'LAST ISLAND OF SURVIVAL', 'FREE FIRE')),
  device_limit INTEGER NOT NULL CHECK (device_limit BETWEEN 1 AND 100),
  -- Whole days between the making of its keys and their expiry, rounded down.
  days INTEGER NOT NULL CHECK (days >= 0),
  key_count INTEGER NOT NULL CHECK (key_count >= 1),
  cost_tenths INTEGER NOT NULL CHECK (cost_tenths >= 0),
  note TEXT CHECK (length(note) BETWEEN 1 AND 200),
  created_at INTEGER NOT NULL,
  CHECK ((reseller_id IS NULL) = (cost_tenths = 0))
) STRICT;
CREATE INDEX orders_owner ON orders (reseller_id, created_at);

ALTER TABLE license_keys ADD COLUMN order_id INTEGER REFERENCES orders (id);
ALTER TABLE license_keys ADD COLUMN note TEXT CHECK (length(note) BETWEEN 1 AND 200);
CREATE INDEX license_keys_order ON license_keys (order_id) WHERE order_id IS NOT NULL;

-- An order is paid for once.
ALTER TABLE credit_ledger ADD COLUMN order_id INTEGER REFERENCES orders (id) CHECK (order_id IS NULL OR reason = 'key_purchase');
ALTER TABLE credit_ledger ADD COLUMN note TEXT CHECK (length(note) BETWEEN 1 AND 200);
CREATE UNIQUE INDEX credit_ledger_order ON credit_ledger (order_id) WHERE order_id IS NOT NULL;

-- The ledger is read by time, and by what it was for.
DROP INDEX credit_ledger_reseller;
CREATE INDEX credit_ledger_time ON credit_ledger (reseller_id, created_at);
CREATE INDEX credit_ledger_reason ON credit_ledger (reseller_id, reason, created_at);

-- That a key was noted is part of its history.
ALTER TABLE key_events RENAME TO key_events_before;
CREATE TABLE key_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  what TEXT NOT NULL CHECK (what IN ('DEVICE_REMOVED', 'DEVICES_RESET', 'NOTED')),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  device_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO key_events SELECT * FROM key_events_before;
DROP TABLE key_events_before;
CREATE INDEX key_events_key ON key_events (key_id, id);

-- What a retry is answered with has the form of today; its keys belong to no order.
UPDATE idempotency_keys SET answer = json_set(answer, '$.orderId', NULL,
  '$.keys', (SELECT json_group_array(json_set(value, '$.orderId', NULL, '$.note', NULL)) FROM json_each(answer, '$.keys')));

PRAGMA analysis_limit = 1000;
ANALYZE credit_ledger;
ANALYZE license_keys;
