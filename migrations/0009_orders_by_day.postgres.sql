-- The same as 0009_orders_by_day.sql for PostgreSQL.
CREATE TABLE order_totals (
  made_day BIGINT NOT NULL,
  game TEXT COLLATE "C" NOT NULL,
  key_count BIGINT NOT NULL,
  cost_tenths BIGINT NOT NULL,
  PRIMARY KEY (made_day, game)
);
INSERT INTO order_totals (made_day, game, key_count, cost_tenths)
SELECT created_at / 86400000, game, sum(key_count), sum(cost_tenths) FROM orders GROUP BY 1, 2;
CREATE FUNCTION order_totals_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_totals (made_day, game, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.game, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (made_day, game) DO UPDATE SET key_count = order_totals.key_count + NEW.key_count,
    cost_tenths = order_totals.cost_tenths + NEW.cost_tenths;
  RETURN NEW;
END $$;
CREATE TRIGGER orders_are_added AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION order_totals_add();
