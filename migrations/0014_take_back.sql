-- Admins take grants of credits back: grant_id is the grant's row. Constraints cannot be changed, so the table is made again.

ALTER TABLE credit_ledger RENAME TO credit_ledger_before;
CREATE TABLE credit_ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reseller_id INTEGER NOT NULL REFERENCES resellers (id),
  amount_tenths INTEGER NOT NULL CHECK (amount_tenths <> 0),
  balance_tenths INTEGER NOT NULL CHECK (balance_tenths >= 0),
  reason TEXT NOT NULL CHECK (reason IN ('token_bonus', 'admin_grant', 'key_purchase', 'grant_taken_back')),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  order_id INTEGER REFERENCES orders (id) CHECK (order_id IS NULL OR reason = 'key_purchase'),
  note TEXT CHECK (length(note) BETWEEN 1 AND 200),
  grant_id INTEGER REFERENCES credit_ledger (id) CHECK ((grant_id IS NULL) = (reason <> 'grant_taken_back')),
  CHECK ((reason IN ('key_purchase', 'grant_taken_back')) = (amount_tenths < 0))
) STRICT;
INSERT INTO credit_ledger (id, reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note)
SELECT id, reseller_id, amount_tenths, balance_tenths, reason, made_by, created_at, order_id, note
FROM credit_ledger_before ORDER BY id;
DROP TABLE credit_ledger_before;
CREATE UNIQUE INDEX credit_ledger_order ON credit_ledger (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX credit_ledger_time ON credit_ledger (reseller_id, created_at);
CREATE INDEX credit_ledger_reason ON credit_ledger (reseller_id, reason, created_at);
CREATE INDEX credit_ledger_taken_back ON credit_ledger (grant_id) WHERE grant_id IS NOT NULL;
CREATE TRIGGER credit_ledger_is_never_changed BEFORE UPDATE ON credit_ledger
BEGIN
  SELECT raise(ABORT, 'credit_ledger is append-only');
END;
CREATE TRIGGER credit_ledger_is_never_erased BEFORE DELETE ON credit_ledger
BEGIN
  SELECT raise(ABORT, 'credit_ledger is append-only');
END;

PRAGMA analysis_limit = 1000;
ANALYZE credit_ledger;
