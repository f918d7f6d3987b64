-- The same as 0005_lists.sql for PostgreSQL. Nothing was sold before it on this engine, so there is nothing to count.
-- The counts are INTEGER, because a sum of BIGINT is a decimal number, which no number of ours is.

CREATE TABLE key_totals (
  owner BIGINT NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  expiry_day BIGINT NOT NULL,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL DEFAULT 0 CHECK (revoked_count BETWEEN 0 AND made_count),
  PRIMARY KEY (owner, game, expiry_day)
);

CREATE TABLE all_key_totals (
  expiry_day BIGINT PRIMARY KEY,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL
);
CREATE FUNCTION key_totals_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO all_key_totals (expiry_day, made_count, revoked_count) VALUES (NEW.expiry_day, NEW.made_count, NEW.revoked_count)
  ON CONFLICT (expiry_day) DO UPDATE SET made_count = all_key_totals.made_count + NEW.made_count,
    revoked_count = all_key_totals.revoked_count + NEW.revoked_count;
  RETURN NEW;
END $$;
CREATE TRIGGER key_totals_are_added AFTER INSERT ON key_totals FOR EACH ROW EXECUTE FUNCTION key_totals_add();
CREATE FUNCTION key_totals_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE all_key_totals SET made_count = made_count + NEW.made_count - OLD.made_count,
    revoked_count = revoked_count + NEW.revoked_count - OLD.revoked_count
  WHERE expiry_day = NEW.expiry_day;
  RETURN NEW;
END $$;
CREATE TRIGGER key_totals_are_changed AFTER UPDATE ON key_totals FOR EACH ROW EXECUTE FUNCTION key_totals_change();

ALTER TABLE resellers ADD COLUMN key_count BIGINT NOT NULL DEFAULT 0 CHECK (key_count >= 0);
CREATE INDEX resellers_keys ON resellers (key_count);
CREATE INDEX resellers_credits ON resellers (credits_tenths);
CREATE INDEX accounts_registered ON accounts (created_at);

DROP INDEX license_keys_live_of_reseller;
DROP INDEX license_keys_created;
DROP INDEX license_keys_expiry;
DROP INDEX license_keys_text;
-- SQLite's indexes hold each row's id by themselves; here the order of a list needs it named.
CREATE INDEX license_keys_created ON license_keys (reseller_id, created_at, id);
CREATE INDEX license_keys_expiry ON license_keys (reseller_id, expires_at, id);
CREATE INDEX license_keys_text ON license_keys (reseller_id, lower(key_string), id);
CREATE INDEX license_keys_revoked_of_owner ON license_keys (reseller_id, created_at) WHERE revoked_at IS NOT NULL;

CREATE INDEX referral_tokens_used ON referral_tokens (id) WHERE used_by IS NOT NULL;
CREATE INDEX referral_tokens_used_at ON referral_tokens (used_at);
