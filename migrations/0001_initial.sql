-- The whole of Latchkey's data. Times are milliseconds since 1970 in UTC, credits are tenths, flags are 0 or 1.
-- A migration that has been released is never edited: its checksum is stored with every database that it made.

-- Who can sign in. A username belongs to one person whatever its case and whatever the role.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  role TEXT NOT NULL CHECK (role IN ('admin', 'reseller')),
  username TEXT NOT NULL CHECK (length(username) BETWEEN 3 AND 32),
  password_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (id, role)
) STRICT;
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username));

-- What an account of the role reseller has. The balance is the sum of the reseller's rows in credit_ledger.
CREATE TABLE resellers (
  id INTEGER PRIMARY KEY,
  role TEXT NOT NULL DEFAULT 'reseller' CHECK (role = 'reseller'),
  credits_tenths INTEGER NOT NULL DEFAULT 0 CHECK (credits_tenths BETWEEN 0 AND 1000000000000),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  FOREIGN KEY (id, role) REFERENCES accounts (id, role)
) STRICT;

-- Every change of a balance, append-only. balance_tenths is what the balance was after it.
CREATE TABLE credit_ledger (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reseller_id INTEGER NOT NULL REFERENCES resellers (id),
  amount_tenths INTEGER NOT NULL CHECK (amount_tenths <> 0),
  balance_tenths INTEGER NOT NULL CHECK (balance_tenths >= 0),
  reason TEXT NOT NULL CHECK (reason IN ('token_bonus', 'admin_grant', 'key_purchase')),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  CHECK ((reason = 'key_purchase') = (amount_tenths < 0))
) STRICT;
CREATE INDEX credit_ledger_reseller ON credit_ledger (reseller_id, id);
CREATE TRIGGER credit_ledger_is_never_changed BEFORE UPDATE ON credit_ledger
BEGIN
  SELECT raise(ABORT, 'credit_ledger is append-only');
END;
CREATE TRIGGER credit_ledger_is_never_erased BEFORE DELETE ON credit_ledger
BEGIN
  SELECT raise(ABORT, 'credit_ledger is append-only');
END;

-- Who is signed in. The cookie carries nothing but the id, signed.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_last_seen ON sessions (last_seen_at);

-- Where an account has signed in from, so that guessing from elsewhere cannot lock its owner out.
CREATE TABLE known_addresses (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  address TEXT NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;

CREATE TABLE license_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_string TEXT NOT NULL CHECK (length(key_string) BETWEEN 4 AND 64),
  game TEXT NOT NULL CHECK (game IN ('PUBG MOBILE', 'LAST ISLAND OF SURVIVAL', 'FREE FIRE')),
  device_limit INTEGER NOT NULL CHECK (device_limit BETWEEN 1 AND 100),
  -- Kept with key_devices in one transaction: its guard decides races for the last slot.
  device_count INTEGER NOT NULL DEFAULT 0 CHECK (device_count BETWEEN 0 AND device_limit),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL CHECK (expires_at > created_at),
  -- The reseller it belongs to; an admin key belongs to nobody.
  reseller_id INTEGER REFERENCES resellers (id),
  created_by INTEGER NOT NULL REFERENCES accounts (id),
  revoked_at INTEGER,
  revoked_by INTEGER REFERENCES accounts (id),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
) STRICT;
CREATE UNIQUE INDEX license_keys_key_string ON license_keys (lower(key_string));
CREATE INDEX license_keys_created ON license_keys (reseller_id, created_at, id);
CREATE INDEX license_keys_expiry ON license_keys (reseller_id, expires_at, id);
CREATE INDEX license_keys_devices ON license_keys (reseller_id, device_count, id);
CREATE INDEX license_keys_text ON license_keys (reseller_id, lower(key_string), id);
-- Statistics count ACTIVE keys, of everybody and of one reseller.
CREATE INDEX license_keys_live ON license_keys (expires_at) WHERE revoked_at IS NULL;
CREATE INDEX license_keys_live_of_reseller ON license_keys (reseller_id, expires_at) WHERE revoked_at IS NULL;

CREATE TABLE key_devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  device_id TEXT NOT NULL CHECK (length(device_id) BETWEEN 1 AND 128),
  first_connected_at INTEGER NOT NULL,
  UNIQUE (key_id, device_id)
) STRICT;

-- What happened to a key that its own rows no longer show. Creation and connections are read from those rows.
CREATE TABLE key_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id INTEGER NOT NULL REFERENCES license_keys (id),
  what TEXT NOT NULL CHECK (what IN ('DEVICE_REMOVED', 'DEVICES_RESET')),
  made_by INTEGER NOT NULL REFERENCES accounts (id),
  device_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX key_events_key ON key_events (key_id, id);

-- The answers that a retried purchase gets again, for 24 hours.
CREATE TABLE idempotency_keys (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE referral_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  token TEXT NOT NULL UNIQUE CHECK (length(token) >= 20),
  credits_tenths INTEGER NOT NULL CHECK (credits_tenths >= 0),
  created_at INTEGER NOT NULL,
  created_by INTEGER NOT NULL REFERENCES accounts (id),
  used_at INTEGER,
  used_by INTEGER UNIQUE REFERENCES resellers (id),
  CHECK ((used_at IS NULL) = (used_by IS NULL))
) STRICT;
CREATE INDEX referral_tokens_available ON referral_tokens (id) WHERE used_by IS NULL;

CREATE TABLE online_updates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 99),
  message TEXT NOT NULL CHECK (length(message) BETWEEN 1 AND 499),
  button_text TEXT,
  link_url TEXT CHECK (link_url LIKE 'http://%' OR link_url LIKE 'https://%'),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL CHECK (updated_at >= created_at),
  CHECK (button_text IS NULL OR link_url IS NOT NULL)
) STRICT;
