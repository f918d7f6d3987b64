-- Keys from files of other panels (rules.md: Imports).

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  is_dry_run INTEGER NOT NULL CHECK (is_dry_run IN (0, 1)),
  -- SHA-256 of the command's file and options in hexadecimal, while the same command would continue it. Servers work on those without.
  request_hash TEXT UNIQUE CHECK (length(request_hash) = 64),
  -- `reading` until all lines are in import_lines.
  state TEXT NOT NULL CHECK (state IN ('reading', 'running', 'finished', 'undone')),
  line_count INTEGER NOT NULL DEFAULT 0 CHECK (line_count >= 0),
  -- Lines are handled in their order, up to this one so far.
  reached_line INTEGER NOT NULL DEFAULT 0 CHECK (reached_line >= 0),
  valid_count INTEGER NOT NULL DEFAULT 0 CHECK (valid_count >= 0),
  duplicate_count INTEGER NOT NULL DEFAULT 0 CHECK (duplicate_count >= 0),
  wrong_count INTEGER NOT NULL DEFAULT 0 CHECK (wrong_count >= 0),
  -- The keys that its undo has deleted.
  deleted_count INTEGER NOT NULL DEFAULT 0 CHECK (deleted_count >= 0)
) STRICT;
CREATE INDEX imports_running ON imports (id) WHERE state = 'running' AND request_hash IS NULL;

-- The lines of a file, and what became of them: the report. Retention erases them.
CREATE TABLE import_lines (
  import_id INTEGER NOT NULL REFERENCES imports (id),
  line INTEGER NOT NULL CHECK (line >= 1),
  -- As it was read: the key that it becomes, or its problem.
  details TEXT NOT NULL CHECK (json_valid(details)),
  -- Of the lines of a dry run, in which no key tells that its text is taken.
  normal_form TEXT CHECK (length(normal_form) BETWEEN 1 AND 128),
  result TEXT CHECK (result IN ('valid', 'duplicate', 'wrong')),
  -- A sentence, for a line that is not valid.
  reason TEXT CHECK (reason IS NULL OR result <> 'valid'),
  PRIMARY KEY (import_id, line)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_lines_normal_form ON import_lines (import_id, normal_form) WHERE normal_form IS NOT NULL;

-- An import is one order for each owner. Constraints cannot be changed, so the table is made again.
DROP TRIGGER orders_are_added;
CREATE TABLE orders_after (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for an admin's order.
  reseller_id INTEGER REFERENCES resellers (id),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  -- The keys of an import may differ in these three: then they are null.
  game_id INTEGER REFERENCES games (id) CHECK (game_id IS NOT NULL OR import_id IS NOT NULL),
  device_limit INTEGER CHECK (device_limit BETWEEN 1 AND 100) CHECK (device_limit IS NOT NULL OR import_id IS NOT NULL),
  -- Whole days between the making of its keys and their expiry, rounded down.
  days INTEGER CHECK (days >= 0) CHECK (days IS NOT NULL OR import_id IS NOT NULL),
  -- 0 once an import is undone.
  key_count INTEGER NOT NULL CHECK (key_count >= 0) CHECK (key_count >= 1 OR import_id IS NOT NULL),
  cost_tenths INTEGER NOT NULL CHECK (cost_tenths >= 0) CHECK (cost_tenths = 0 OR import_id IS NULL),
  note TEXT CHECK (length(note) BETWEEN 1 AND 200),
  note_folded TEXT CHECK (length(note_folded) <= 512),
  created_at INTEGER NOT NULL,
  is_first_use INTEGER NOT NULL DEFAULT 0 CHECK (is_first_use IN (0, 1)),
  -- Null for an admin's expiry.
  duration_hours INTEGER CHECK (duration_hours >= 1),
  external_id TEXT CHECK (length(external_id) BETWEEN 1 AND 100),
  external_id_folded TEXT CHECK (length(external_id_folded) <= 512),
  -- SHA-256 of the request in hexadecimal.
  request_hash TEXT CHECK ((request_hash IS NULL) = (external_id IS NULL)),
  import_id INTEGER REFERENCES imports (id),
  -- Since the import, one of its keys has had a device connected or something paid for it. Triggers set it.
  is_used INTEGER NOT NULL DEFAULT 0 CHECK (is_used IN (0, 1)),
  -- From then on its keys take no device and no payment, and are deleted.
  undone_at INTEGER CHECK (undone_at IS NULL OR (import_id IS NOT NULL AND is_used = 0)),
  CHECK (reseller_id IS NOT NULL OR cost_tenths = 0)
) STRICT;
INSERT INTO orders_after (id, reseller_id, made_by, game_id, device_limit, days, key_count, cost_tenths, note, note_folded, created_at,
  is_first_use, duration_hours, external_id, external_id_folded, request_hash)
SELECT id, reseller_id, made_by, game_id, device_limit, days, key_count, cost_tenths, note, note_folded, created_at,
  is_first_use, duration_hours, external_id, external_id_folded, request_hash
FROM orders ORDER BY id;
DROP TABLE orders;
ALTER TABLE orders_after RENAME TO orders;
CREATE INDEX orders_owner ON orders (reseller_id, created_at);
CREATE INDEX orders_noted ON orders (reseller_id, note_folded) WHERE note_folded IS NOT NULL;
CREATE UNIQUE INDEX orders_external_id ON orders (made_by, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX orders_named ON orders (reseller_id, external_id_folded) WHERE external_id_folded IS NOT NULL;
CREATE UNIQUE INDEX orders_import ON orders (import_id, coalesce(reseller_id, 0)) WHERE import_id IS NOT NULL;
CREATE INDEX orders_undone ON orders (id) WHERE undone_at IS NOT NULL AND key_count > 0;
-- Figures do not count imported keys.
CREATE TRIGGER orders_are_added AFTER INSERT ON orders WHEN NEW.import_id IS NULL
BEGIN
  INSERT INTO order_totals (made_day, game_id, shard, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.game_id, coalesce(NEW.reseller_id, 0) % 64, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (made_day, game_id, shard) DO UPDATE SET key_count = key_count + NEW.key_count, cost_tenths = cost_tenths + NEW.cost_tenths;
END;

-- It came with its key, and did not connect here.
ALTER TABLE key_devices ADD COLUMN is_imported INTEGER NOT NULL DEFAULT 0 CHECK (is_imported IN (0, 1));
CREATE TRIGGER key_devices_use_imports AFTER INSERT ON key_devices WHEN NEW.is_imported = 0
BEGIN
  UPDATE orders SET is_used = 1
  WHERE id = (SELECT order_id FROM license_keys WHERE id = NEW.key_id) AND import_id IS NOT NULL AND is_used = 0;
END;
CREATE TRIGGER credit_ledger_uses_imports AFTER INSERT ON credit_ledger WHEN NEW.key_id IS NOT NULL
BEGIN
  UPDATE orders SET is_used = 1 WHERE id = NEW.order_id AND import_id IS NOT NULL AND is_used = 0;
END;

-- To delete a key, the database looks for rows that refer to it.
CREATE INDEX key_refusals_key ON key_refusals (key_id);

PRAGMA analysis_limit = 1000;
ANALYZE orders;
ANALYZE key_refusals;
