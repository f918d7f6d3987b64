-- API keys: programs act for an account (rules.md: API keys).
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  -- SHA-256 in hexadecimal. The key itself is shown once and not kept.
  key_hash TEXT NOT NULL UNIQUE CHECK (length(key_hash) = 64),
  last_four TEXT NOT NULL CHECK (length(last_four) = 4),
  -- Both separated by spaces. No addresses: any.
  scopes TEXT NOT NULL,
  addresses TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  last_used_at INTEGER,
  limit_per_day_tenths INTEGER CHECK (limit_per_day_tenths >= 1)
) STRICT;
CREATE INDEX api_keys_account ON api_keys (account_id);

-- What an API key with a limit has spent on the UTC day on which it spent last.
CREATE TABLE api_key_spending (
  api_key_id INTEGER PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
  spent_day INTEGER NOT NULL,
  spent_tenths INTEGER NOT NULL CHECK (spent_tenths >= 0)
) STRICT;
