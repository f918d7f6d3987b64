-- Lists, counts and statistics that cost the same whatever the number of keys.

-- How many keys an owner has of a game, by the UTC day of their expiry (its number since 1970); owner 0 stands for the admins' keys.
-- Kept in the transaction that makes or revokes keys. Those of later days are ACTIVE, so only this day's keys have to be looked at.
CREATE TABLE key_totals (
  owner INTEGER NOT NULL,
  game TEXT NOT NULL,
  expiry_day INTEGER NOT NULL,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL DEFAULT 0 CHECK (revoked_count BETWEEN 0 AND made_count),
  PRIMARY KEY (owner, game, expiry_day)
) STRICT, WITHOUT ROWID;
INSERT INTO key_totals (owner, game, expiry_day, made_count, revoked_count)
SELECT coalesce(reseller_id, 0), game, expires_at / 86400000, count(*), count(revoked_at) FROM license_keys GROUP BY 1, 2, 3;

-- The same of everybody's keys, which follows by itself.
CREATE TABLE all_key_totals (
  expiry_day INTEGER PRIMARY KEY,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL
) STRICT;
INSERT INTO all_key_totals (expiry_day, made_count, revoked_count) SELECT expiry_day, sum(made_count), sum(revoked_count) FROM key_totals GROUP BY 1;
CREATE TRIGGER key_totals_are_added AFTER INSERT ON key_totals
BEGIN
  INSERT INTO all_key_totals (expiry_day, made_count, revoked_count) VALUES (NEW.expiry_day, NEW.made_count, NEW.revoked_count)
  ON CONFLICT (expiry_day) DO UPDATE SET made_count = made_count + NEW.made_count, revoked_count = revoked_count + NEW.revoked_count;
END;
CREATE TRIGGER key_totals_are_changed AFTER UPDATE ON key_totals
BEGIN
  UPDATE all_key_totals SET made_count = made_count + NEW.made_count - OLD.made_count, revoked_count = revoked_count + NEW.revoked_count - OLD.revoked_count
  WHERE expiry_day = NEW.expiry_day;
END;

-- A reseller's keys of all games, for the list of resellers and its order.
ALTER TABLE resellers ADD COLUMN key_count INTEGER NOT NULL DEFAULT 0 CHECK (key_count >= 0);
UPDATE resellers SET key_count = totals.made_count
FROM (SELECT owner, sum(made_count) AS made_count FROM key_totals GROUP BY owner) AS totals WHERE totals.owner = resellers.id;
CREATE INDEX resellers_keys ON resellers (key_count);
CREATE INDEX resellers_credits ON resellers (credits_tenths);
CREATE INDEX accounts_registered ON accounts (created_at);

-- The totals answer what this index counted. The others hold each row's id by themselves, and need not name it.
DROP INDEX license_keys_live_of_reseller;
DROP INDEX license_keys_created;
DROP INDEX license_keys_expiry;
DROP INDEX license_keys_text;
CREATE INDEX license_keys_created ON license_keys (reseller_id, created_at);
CREATE INDEX license_keys_expiry ON license_keys (reseller_id, expires_at);
CREATE INDEX license_keys_text ON license_keys (reseller_id, lower(key_string));
CREATE INDEX license_keys_revoked_of_owner ON license_keys (reseller_id, created_at) WHERE revoked_at IS NOT NULL;

CREATE INDEX referral_tokens_used ON referral_tokens (id) WHERE used_by IS NOT NULL;
CREATE INDEX referral_tokens_used_at ON referral_tokens (used_at);

-- An index that nothing is known of looks better to the planner than those that it knows.
PRAGMA analysis_limit = 1000;
ANALYZE license_keys;
ANALYZE resellers;
ANALYZE accounts;
ANALYZE referral_tokens;
