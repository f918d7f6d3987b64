-- Webhooks send events to the servers of resellers and admins (rules.md: Webhooks).
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- Whose events it gets: those of a reseller's id, or of everybody with 0.
  owner INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('standard', 'discord', 'telegram')),
  url TEXT CHECK (length(url) <= 2048),
  chat_id TEXT CHECK (length(chat_id) <= 64),
  -- The secret that signs, or the bot's token, encrypted under SECRET.
  sealed_secret TEXT,
  -- The secret before the last rotation, which signs for another day.
  sealed_previous TEXT,
  rotated_at INTEGER,
  -- Separated by spaces.
  events TEXT NOT NULL,
  credits_below_tenths INTEGER CHECK (credits_below_tenths >= 1),
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  -- Its account is suspended.
  is_suspended INTEGER NOT NULL DEFAULT 0 CHECK (is_suspended IN (0, 1)),
  switched_off_at INTEGER,
  switched_off_reason TEXT CHECK (switched_off_reason IN ('GONE', 'FAILED', 'BACKLOG')),
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'telegram') = (url IS NULL) AND (kind = 'telegram') = (chat_id IS NOT NULL)),
  CHECK ((kind = 'discord') = (sealed_secret IS NULL)),
  CHECK ((switched_off_at IS NULL) = (switched_off_reason IS NULL) AND (switched_off_at IS NULL OR is_active = 0))
) STRICT;
CREATE INDEX webhooks_account ON webhooks (account_id);
CREATE INDEX webhooks_listening ON webhooks (owner) WHERE is_active = 1 AND is_suspended = 0;

-- One event for one webhook.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  -- The receiver's id for it: random, because ids of rows are given again after a restore.
  message_id TEXT NOT NULL CHECK (length(message_id) <= 64),
  type TEXT NOT NULL CHECK (length(type) <= 40),
  data TEXT NOT NULL CHECK (json_valid(data) AND json_type(data) = 'object'),
  at INTEGER NOT NULL,
  -- When the next attempt is due; null if there is none.
  next_at INTEGER,
  tries TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tries) AND json_type(tries) = 'array'),
  UNIQUE (webhook_id, message_id)
) STRICT;
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, next_at) WHERE next_at IS NOT NULL;

-- The last key, in the order of their expiry, for which key.expiring was recorded.
CREATE TABLE key_expiry_watch (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  recorded_until_at INTEGER NOT NULL,
  recorded_key_id INTEGER
) STRICT;
INSERT INTO key_expiry_watch (id, recorded_until_at) VALUES (1, 0);
