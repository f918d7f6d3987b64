-- Games, durations and prices are rows, which admins change and nothing deletes (rules.md: Catalogue).

CREATE TABLE games (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Its current name, which is one of its names below.
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  prefix TEXT NOT NULL CHECK (length(prefix) <= 8),
  is_retired INTEGER NOT NULL DEFAULT 0 CHECK (is_retired IN (0, 1)),
  -- While it is set, each verification returns it.
  maintenance TEXT CHECK (length(maintenance) BETWEEN 1 AND 200),
  minimum_version TEXT CHECK (length(minimum_version) BETWEEN 1 AND 64),
  update_message TEXT CHECK (length(update_message) BETWEEN 1 AND 200)
) STRICT;
-- Names and aliases, which calls take regardless of case.
CREATE TABLE game_names (
  name_folded TEXT PRIMARY KEY,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  game_id INTEGER NOT NULL REFERENCES games (id)
) STRICT, WITHOUT ROWID;
CREATE TABLE durations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 40),
  hours INTEGER NOT NULL UNIQUE CHECK (hours BETWEEN 1 AND 8760),
  is_retired INTEGER NOT NULL DEFAULT 0 CHECK (is_retired IN (0, 1))
) STRICT;
CREATE TABLE price_lists (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40),
  name_folded TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE prices (
  price_list_id INTEGER NOT NULL REFERENCES price_lists (id),
  game_id INTEGER NOT NULL REFERENCES games (id),
  duration_id INTEGER NOT NULL REFERENCES durations (id),
  device_limit INTEGER NOT NULL CHECK (device_limit BETWEEN 1 AND 100),
  credits_tenths INTEGER NOT NULL CHECK (credits_tenths BETWEEN 0 AND 10000000),
  PRIMARY KEY (price_list_id, game_id, duration_id, device_limit)
) STRICT, WITHOUT ROWID;

INSERT INTO games (name, prefix) VALUES ('PUBG MOBILE', 'PBGM'), ('LAST ISLAND OF SURVIVAL', 'LIOS'), ('FREE FIRE', 'FIRE');
INSERT INTO game_names (name_folded, name, game_id) SELECT lower(name), name, id FROM games;
INSERT INTO game_names (name_folded, name, game_id)
SELECT 'last island', 'LAST ISLAND', id FROM games WHERE name = 'LAST ISLAND OF SURVIVAL';
INSERT INTO durations (label, hours) VALUES ('5 days', 120), ('10 days', 240), ('20 days', 480), ('30 days', 720), ('60 days', 1440);
INSERT INTO price_lists (name, name_folded) VALUES ('Standard', 'standard');
-- A day costs a tenth of a credit (specification: Prices), for each game and each of the resellers' device limits.
WITH limits (device_limit) AS (VALUES (1), (2), (100))
INSERT INTO prices (price_list_id, game_id, duration_id, device_limit, credits_tenths)
SELECT 1, g.id, d.id, l.device_limit, d.hours / 24 FROM games g CROSS JOIN durations d CROSS JOIN limits l;

ALTER TABLE resellers ADD COLUMN price_list_id INTEGER NOT NULL DEFAULT 1 REFERENCES price_lists (id);

-- The tables that name a game refer to it. Constraints cannot be changed, so they are made again. Keys get room for texts of up to
-- 128 characters and for expiries that are not known yet, and the form in which they are looked up has its own column.
CREATE TABLE license_keys_after (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_string TEXT NOT NULL CHECK (length(key_string) BETWEEN 1 AND 128),
  -- In this form keys are looked up, and no two have the same (rules.md: Key text).
  normal_form TEXT NOT NULL CHECK (length(normal_form) BETWEEN 1 AND 128),
  game_id INTEGER NOT NULL REFERENCES games (id),
  device_limit INTEGER NOT NULL CHECK (device_limit BETWEEN 1 AND 100),
  created_at INTEGER NOT NULL,
  -- Null until the key starts.
  expires_at INTEGER CHECK (expires_at > created_at),
  -- Null for an admin key.
  reseller_id INTEGER REFERENCES resellers (id),
  created_by INTEGER NOT NULL REFERENCES accounts (id),
  -- Null for a key from before there were orders.
  order_id INTEGER REFERENCES orders (id),
  revoked_at INTEGER,
  revoked_by INTEGER REFERENCES accounts (id),
  note TEXT CHECK (length(note) BETWEEN 1 AND 200),
  -- What searches read (rules.md: Searching keys).
  text_folded TEXT NOT NULL DEFAULT '' CHECK (length(text_folded) <= 512),
  look_alike TEXT NOT NULL DEFAULT '' CHECK (length(look_alike) <= 512),
  note_folded TEXT CHECK (length(note_folded) <= 512),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
) STRICT;
INSERT INTO license_keys_after (id, key_string, normal_form, game_id, device_limit, created_at, expires_at, reseller_id, created_by,
  order_id, revoked_at, revoked_by, note, text_folded, look_alike, note_folded)
SELECT k.id, key_string, lower(key_string), g.id, device_limit, created_at, expires_at, reseller_id, created_by,
  order_id, revoked_at, revoked_by, note, text_folded, look_alike, note_folded
FROM license_keys k JOIN games g ON g.name = k.game ORDER BY k.id;
DROP TABLE license_keys;
ALTER TABLE license_keys_after RENAME TO license_keys;
CREATE UNIQUE INDEX license_keys_normal_form ON license_keys (normal_form);
CREATE INDEX license_keys_live ON license_keys (expires_at) WHERE revoked_at IS NULL;
CREATE INDEX license_keys_revoked ON license_keys (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX license_keys_created ON license_keys (reseller_id, created_at);
CREATE INDEX license_keys_expiry ON license_keys (reseller_id, expires_at);
CREATE INDEX license_keys_revoked_of_owner ON license_keys (reseller_id, created_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX license_keys_order ON license_keys (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX license_keys_text ON license_keys (reseller_id, text_folded, id, look_alike);
CREATE INDEX license_keys_noted ON license_keys (reseller_id, note_folded) WHERE note_folded IS NOT NULL;
CREATE INDEX license_keys_searched ON license_keys (id, text_folded, look_alike);

DROP TRIGGER orders_are_added;
CREATE TABLE orders_after (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for an admin's order.
  reseller_id INTEGER REFERENCES resellers (id),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  game_id INTEGER NOT NULL REFERENCES games (id),
  device_limit INTEGER NOT NULL CHECK (device_limit BETWEEN 1 AND 100),
  -- Whole days between the making of its keys and their expiry, rounded down.
  days INTEGER NOT NULL CHECK (days >= 0),
  key_count INTEGER NOT NULL CHECK (key_count >= 1),
  cost_tenths INTEGER NOT NULL CHECK (cost_tenths >= 0),
  note TEXT CHECK (length(note) BETWEEN 1 AND 200),
  note_folded TEXT CHECK (length(note_folded) <= 512),
  created_at INTEGER NOT NULL,
  CHECK (reseller_id IS NOT NULL OR cost_tenths = 0)
) STRICT;
INSERT INTO orders_after (id, reseller_id, made_by, game_id, device_limit, days, key_count, cost_tenths, note, note_folded, created_at)
SELECT o.id, reseller_id, made_by, g.id, device_limit, days, key_count, cost_tenths, note, note_folded, created_at
FROM orders o JOIN games g ON g.name = o.game ORDER BY o.id;
DROP TABLE orders;
ALTER TABLE orders_after RENAME TO orders;
CREATE INDEX orders_owner ON orders (reseller_id, created_at);
CREATE INDEX orders_noted ON orders (reseller_id, note_folded) WHERE note_folded IS NOT NULL;

CREATE TABLE order_totals_after (
  made_day INTEGER NOT NULL,
  game_id INTEGER NOT NULL REFERENCES games (id),
  shard INTEGER NOT NULL,
  key_count INTEGER NOT NULL,
  cost_tenths INTEGER NOT NULL,
  PRIMARY KEY (made_day, game_id, shard)
) STRICT, WITHOUT ROWID;
INSERT INTO order_totals_after SELECT made_day, g.id, shard, key_count, cost_tenths FROM order_totals t JOIN games g ON g.name = t.game;
DROP TABLE order_totals;
ALTER TABLE order_totals_after RENAME TO order_totals;
CREATE TRIGGER orders_are_added AFTER INSERT ON orders
BEGIN
  INSERT INTO order_totals (made_day, game_id, shard, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.game_id, coalesce(NEW.reseller_id, 0) % 64, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (made_day, game_id, shard) DO UPDATE SET key_count = key_count + NEW.key_count, cost_tenths = cost_tenths + NEW.cost_tenths;
END;

DROP TRIGGER key_totals_are_added;
DROP TRIGGER key_totals_are_changed;
CREATE TABLE key_totals_after (
  owner INTEGER NOT NULL,
  game_id INTEGER NOT NULL REFERENCES games (id),
  expiry_day INTEGER NOT NULL,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL DEFAULT 0 CHECK (revoked_count BETWEEN 0 AND made_count),
  PRIMARY KEY (owner, game_id, expiry_day)
) STRICT, WITHOUT ROWID;
INSERT INTO key_totals_after SELECT owner, g.id, expiry_day, made_count, revoked_count FROM key_totals t JOIN games g ON g.name = t.game;
DROP TABLE key_totals;
ALTER TABLE key_totals_after RENAME TO key_totals;
CREATE TRIGGER key_totals_are_added AFTER INSERT ON key_totals
BEGIN
  INSERT INTO all_key_totals (expiry_day, shard, made_count, revoked_count)
  VALUES (NEW.expiry_day, NEW.owner % 64, NEW.made_count, NEW.revoked_count)
  ON CONFLICT (expiry_day, shard) DO UPDATE SET made_count = made_count + NEW.made_count, revoked_count = revoked_count + NEW.revoked_count;
END;
CREATE TRIGGER key_totals_are_changed AFTER UPDATE ON key_totals
BEGIN
  UPDATE all_key_totals SET made_count = made_count + NEW.made_count - OLD.made_count, revoked_count = revoked_count + NEW.revoked_count - OLD.revoked_count
  WHERE expiry_day = NEW.expiry_day AND shard = NEW.owner % 64;
END;

-- Verdicts have more codes: 5 MAINTENANCE, 6 UPDATE_REQUIRED, 7 PAUSED.
CREATE TABLE key_refusals_after (
  refused_day INTEGER NOT NULL,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 2 AND 7),
  refusal_count INTEGER NOT NULL CHECK (refusal_count >= 1),
  last_at INTEGER NOT NULL,
  last_device_id TEXT NOT NULL CHECK (length(last_device_id) BETWEEN 1 AND 128),
  PRIMARY KEY (refused_day, key_id, verdict_code)
) STRICT, WITHOUT ROWID;
INSERT INTO key_refusals_after SELECT * FROM key_refusals;
DROP TABLE key_refusals;
ALTER TABLE key_refusals_after RENAME TO key_refusals;
CREATE TABLE verdict_totals_after (
  told_day INTEGER NOT NULL,
  owner INTEGER NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 7),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, owner, verdict_code)
) STRICT, WITHOUT ROWID;
INSERT INTO verdict_totals_after SELECT * FROM verdict_totals;
DROP TABLE verdict_totals;
ALTER TABLE verdict_totals_after RENAME TO verdict_totals;
CREATE TABLE all_verdict_totals_after (
  told_day INTEGER NOT NULL,
  verdict_code INTEGER NOT NULL CHECK (verdict_code BETWEEN 0 AND 7),
  verdict_count INTEGER NOT NULL CHECK (verdict_count >= 1),
  connected_count INTEGER NOT NULL CHECK (connected_count BETWEEN 0 AND verdict_count),
  PRIMARY KEY (told_day, verdict_code)
) STRICT, WITHOUT ROWID;
INSERT INTO all_verdict_totals_after SELECT * FROM all_verdict_totals;
DROP TABLE all_verdict_totals;
ALTER TABLE all_verdict_totals_after RENAME TO all_verdict_totals;

PRAGMA analysis_limit = 1000;
ANALYZE license_keys;
ANALYZE orders;
ANALYZE key_totals;
ANALYZE order_totals;
