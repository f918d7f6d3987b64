-- The totals of all owners are spread over 64 rows each, by owner, and summed when they are read. On PostgreSQL one row for all would be changed
-- by every purchase, and only one of two that run at once could succeed. Here it changes nothing, but the statements are the same.

DROP TRIGGER key_totals_are_added;
DROP TRIGGER key_totals_are_changed;
DROP TABLE all_key_totals;
CREATE TABLE all_key_totals (
  expiry_day INTEGER NOT NULL,
  shard INTEGER NOT NULL,
  made_count INTEGER NOT NULL,
  revoked_count INTEGER NOT NULL,
  PRIMARY KEY (expiry_day, shard)
) STRICT, WITHOUT ROWID;
INSERT INTO all_key_totals (expiry_day, shard, made_count, revoked_count)
SELECT expiry_day, owner % 64, sum(made_count), sum(revoked_count) FROM key_totals GROUP BY 1, 2;
CREATE TRIGGER key_totals_are_added AFTER INSERT ON key_totals
BEGIN
  INSERT INTO all_key_totals (expiry_day, shard, made_count, revoked_count)
  VALUES (NEW.expiry_day, NEW.owner % 64, NEW.made_count, NEW.revoked_count)
  ON CONFLICT (expiry_day, shard) DO UPDATE SET made_count = made_count + NEW.made_count, revoked_count = revoked_count + NEW.revoked_count;
END;
CREATE TRIGGER key_totals_are_changed AFTER UPDATE ON key_totals
BEGIN
  UPDATE all_key_totals SET made_count = made_count + NEW.made_count - OLD.made_count, revoked_count = revoked_count + NEW.revoked_count - OLD.revoked_count
  WHERE expiry_day = NEW.expiry_day AND shard = NEW.owner % 64;
END;

DROP TRIGGER orders_are_added;
DROP TABLE order_totals;
CREATE TABLE order_totals (
  made_day INTEGER NOT NULL,
  game TEXT NOT NULL,
  shard INTEGER NOT NULL,
  key_count INTEGER NOT NULL,
  cost_tenths INTEGER NOT NULL,
  PRIMARY KEY (made_day, game, shard)
) STRICT, WITHOUT ROWID;
INSERT INTO order_totals (made_day, game, shard, key_count, cost_tenths)
SELECT created_at / 86400000, game, coalesce(reseller_id, 0) % 64, sum(key_count), sum(cost_tenths) FROM orders GROUP BY 1, 2, 3;
CREATE TRIGGER orders_are_added AFTER INSERT ON orders
BEGIN
  INSERT INTO order_totals (made_day, game, shard, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.game, coalesce(NEW.reseller_id, 0) % 64, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (made_day, game, shard) DO UPDATE SET key_count = key_count + NEW.key_count, cost_tenths = cost_tenths + NEW.cost_tenths;
END;

-- On PostgreSQL these keep purchases of different resellers from running at once. A list of resellers is sorted without them.
DROP INDEX resellers_keys;
DROP INDEX resellers_credits;
