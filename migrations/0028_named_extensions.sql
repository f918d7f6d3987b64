-- Programs name the extensions of keys as they name their orders, so that a repeated call pays nothing twice
-- (rules.md: Retries).
CREATE TABLE named_extensions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  external_id TEXT NOT NULL CHECK (length(external_id) BETWEEN 1 AND 100),
  external_id_folded TEXT NOT NULL CHECK (length(external_id_folded) <= 512),
  -- SHA-256 of the request in hexadecimal.
  request_hash TEXT NOT NULL,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  -- Null where nothing was charged.
  ledger_id INTEGER UNIQUE REFERENCES credit_ledger (id) CHECK ((ledger_id IS NULL) = (cost_tenths = 0)),
  cost_tenths INTEGER NOT NULL CHECK (cost_tenths >= 0),
  -- What was left of the balance.
  balance_tenths INTEGER NOT NULL CHECK (balance_tenths >= 0),
  UNIQUE (made_by, external_id)
) STRICT;
CREATE INDEX named_extensions_key ON named_extensions (key_id);
