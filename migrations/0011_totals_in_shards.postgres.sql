-- The same as 0011_totals_in_shards.sql for PostgreSQL. Those who write orders and totals wait, in the order in which a purchase writes them.
LOCK TABLE orders, key_totals IN SHARE ROW EXCLUSIVE MODE;

DROP TABLE all_key_totals;
CREATE TABLE all_key_totals (
  expiry_day BIGINT NOT NULL,
  shard INTEGER NOT NULL,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL,
  PRIMARY KEY (expiry_day, shard)
);
INSERT INTO all_key_totals (expiry_day, shard, made_count, revoked_count)
SELECT expiry_day, owner % 64, sum(made_count), sum(revoked_count) FROM key_totals GROUP BY 1, 2;
CREATE OR REPLACE FUNCTION key_totals_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO all_key_totals (expiry_day, shard, made_count, revoked_count)
  VALUES (NEW.expiry_day, NEW.owner % 64, NEW.made_count, NEW.revoked_count)
  ON CONFLICT (expiry_day, shard) DO UPDATE SET made_count = all_key_totals.made_count + NEW.made_count,
    revoked_count = all_key_totals.revoked_count + NEW.revoked_count;
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION key_totals_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE all_key_totals SET made_count = made_count + NEW.made_count - OLD.made_count,
    revoked_count = revoked_count + NEW.revoked_count - OLD.revoked_count
  WHERE expiry_day = NEW.expiry_day AND shard = NEW.owner % 64;
  RETURN NEW;
END $$;

DROP TABLE order_totals;
CREATE TABLE order_totals (
  made_day BIGINT NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  shard INTEGER NOT NULL,
  key_count BIGINT NOT NULL,
  cost_tenths BIGINT NOT NULL,
  PRIMARY KEY (made_day, game, shard)
);
INSERT INTO order_totals (made_day, game, shard, key_count, cost_tenths)
SELECT created_at / 86400000, game, coalesce(reseller_id, 0) % 64, sum(key_count), sum(cost_tenths) FROM orders GROUP BY 1, 2, 3;
CREATE OR REPLACE FUNCTION order_totals_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_totals (made_day, game, shard, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.game, coalesce(NEW.reseller_id, 0) % 64, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (made_day, game, shard) DO UPDATE SET key_count = order_totals.key_count + NEW.key_count,
    cost_tenths = order_totals.cost_tenths + NEW.cost_tenths;
  RETURN NEW;
END $$;

-- A purchase reads the primary keys of orders and resellers, and its page of an index is then closed to other purchases that are under way.
-- So orders are looked up at the commit, and a new balance adds nothing to any index of resellers.
ALTER TABLE license_keys ALTER CONSTRAINT license_keys_order_id_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE credit_ledger ALTER CONSTRAINT credit_ledger_order_id_fkey DEFERRABLE INITIALLY DEFERRED;
DROP INDEX resellers_keys;
DROP INDEX resellers_credits;
ALTER TABLE resellers SET (fillfactor = 70);
