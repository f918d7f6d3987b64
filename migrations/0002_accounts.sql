-- Accounts that can be cared for: admins who leave, sessions that people see and end, two-factor.

-- Who was removed keeps the row, because keys, tokens and the ledger name who made them; the name is free again.
ALTER TABLE accounts ADD COLUMN removed_at INTEGER;
DROP INDEX accounts_username;
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username)) WHERE removed_at IS NULL;

-- A session gets a public id. What the cookie carries stays what it was, so nobody is signed out.
ALTER TABLE sessions RENAME TO sessions_before;
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What the cookie carries, signed. It is shown to nobody.
  secret TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  -- Where and with what the sign-in came; unknown of sessions that are older than these columns.
  address TEXT CHECK (length(address) <= 64),
  user_agent TEXT CHECK (length(user_agent) <= 256)
) STRICT;
INSERT INTO sessions (secret, account_id, created_at, last_seen_at)
  SELECT id, account_id, created_at, last_seen_at FROM sessions_before ORDER BY created_at, id;
DROP TABLE sessions_before;
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX sessions_last_seen ON sessions (last_seen_at);

-- When time last went on, which is asked at every start: the other times are found by the newest row.
CREATE INDEX license_keys_revoked ON license_keys (revoked_at) WHERE revoked_at IS NOT NULL;

-- The second factor of an account: being set up while enabled_at is null, then demanded at every sign-in.
CREATE TABLE two_factor (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  -- Encrypted under a key that is derived from SECRET, for this account alone.
  sealed_secret TEXT NOT NULL,
  enabled_at INTEGER,
  -- The latest 30-second step of which a code was used: none of it or of an earlier one is good again.
  used_step INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What is left of the codes that stand in for the second factor. One that is used is erased.
CREATE TABLE recovery_codes (
  account_id INTEGER NOT NULL REFERENCES two_factor (account_id) ON DELETE CASCADE,
  code_hash TEXT NOT NULL,
  PRIMARY KEY (account_id, code_hash)
) STRICT, WITHOUT ROWID;
