-- The record: who did what, when, to what and from where. Append-only like the ledger.

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 40),
  -- Who did it, as the name was then, and no reference: the record outlives whoever it names. All three are null for nobody and for the
  -- command line.
  actor_id INTEGER,
  actor_username TEXT,
  actor_role TEXT CHECK (actor_role IN ('admin', 'reseller')),
  target TEXT NOT NULL,
  address TEXT CHECK (length(address) <= 64),
  -- A JSON object of plain values, which the action decides.
  details TEXT NOT NULL CHECK (json_valid(details) AND json_type(details) = 'object'),
  CHECK ((actor_id IS NULL) = (actor_username IS NULL) AND (actor_id IS NULL) = (actor_role IS NULL))
) STRICT;
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_action ON audit (action, at, id);
CREATE INDEX audit_actor ON audit (lower(actor_username), at, id);

-- From when on rows are kept. Only those before it can be erased, and it only moves forward.
CREATE TABLE audit_horizon (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  kept_since_at INTEGER NOT NULL
) STRICT;
INSERT INTO audit_horizon (id, kept_since_at) VALUES (1, 0);
CREATE TRIGGER audit_horizon_never_moves_back BEFORE UPDATE ON audit_horizon WHEN NEW.kept_since_at < OLD.kept_since_at
BEGIN
  SELECT raise(ABORT, 'audit_horizon moves forward only');
END;
CREATE TRIGGER audit_horizon_is_never_erased BEFORE DELETE ON audit_horizon
BEGIN
  SELECT raise(ABORT, 'audit_horizon is kept');
END;

CREATE TRIGGER audit_is_never_changed BEFORE UPDATE ON audit
BEGIN
  SELECT raise(ABORT, 'audit is append-only');
END;
CREATE TRIGGER audit_is_never_erased BEFORE DELETE ON audit
WHEN OLD.at >= (SELECT kept_since_at FROM audit_horizon)
BEGIN
  SELECT raise(ABORT, 'audit is append-only');
END;

-- Every migration from here on is on the record, in the transaction that applies it.
CREATE TRIGGER schema_migrations_are_on_record AFTER INSERT ON schema_migrations
BEGIN
  INSERT INTO audit (at, action, target, details)
  VALUES (NEW.applied_at, 'database_migrated', 'database', json_object('by', 'command line', 'migration', NEW.name));
END;
