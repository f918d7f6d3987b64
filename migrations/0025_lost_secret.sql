-- What a lost SECRET leaves behind (rules.md: A lost SECRET).

-- The secret opens under no SECRET any more, so only recovery codes work.
ALTER TABLE two_factor ADD COLUMN is_lost INTEGER NOT NULL DEFAULT 0 CHECK (is_lost IN (0, 1));

-- Constraints cannot be changed, so the table is made again.
CREATE TABLE webhooks_after (
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
  switched_off_reason TEXT CHECK (switched_off_reason IN ('GONE', 'FAILED', 'BACKLOG', 'SECRET_LOST')),
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'telegram') = (url IS NULL) AND (kind = 'telegram') = (chat_id IS NOT NULL)),
  CHECK ((kind = 'discord') = (sealed_secret IS NULL)),
  CHECK ((switched_off_at IS NULL) = (switched_off_reason IS NULL) AND (switched_off_at IS NULL OR is_active = 0))
) STRICT;
INSERT INTO webhooks_after (id, account_id, owner, kind, url, chat_id, sealed_secret, sealed_previous, rotated_at, events, credits_below_tenths, is_active, is_suspended,
  switched_off_at, switched_off_reason, created_at)
SELECT id, account_id, owner, kind, url, chat_id, sealed_secret, sealed_previous, rotated_at, events, credits_below_tenths, is_active, is_suspended,
  switched_off_at, switched_off_reason, created_at
FROM webhooks ORDER BY id;
DROP TABLE webhooks;
ALTER TABLE webhooks_after RENAME TO webhooks;
CREATE INDEX webhooks_account ON webhooks (account_id);
CREATE INDEX webhooks_listening ON webhooks (owner) WHERE is_active = 1 AND is_suspended = 0;
