-- What was ordered on a UTC day (its number since 1970), of each game: figures of a month cost the same whatever the number of orders.
CREATE TABLE order_totals (
  made_day INTEGER NOT NULL,
  game TEXT NOT NULL,
  key_count INTEGER NOT NULL,
  cost_tenths INTEGER NOT NULL,
  PRIMARY KEY (made_day, game)
) STRICT, WITHOUT ROWID;
INSERT INTO order_totals (made_day, game, key_count, cost_tenths)
SELECT created_at / 86400000, game, sum(key_count), sum(cost_tenths) FROM orders GROUP BY 1, 2;
CREATE TRIGGER orders_are_added AFTER INSERT ON orders
BEGIN
  INSERT INTO order_totals (made_day, game, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.game, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (made_day, game) DO UPDATE SET key_count = key_count + NEW.key_count, cost_tenths = cost_tenths + NEW.cost_tenths;
END;
