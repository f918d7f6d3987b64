-- The same as 0031_sales_by_reseller.sql for PostgreSQL.
LOCK TABLE orders, credit_ledger IN SHARE ROW EXCLUSIVE MODE;
CREATE TABLE reseller_totals (
  made_day BIGINT NOT NULL,
  reseller_id BIGINT NOT NULL REFERENCES resellers (id),
  key_count BIGINT NOT NULL,
  cost_tenths BIGINT NOT NULL,
  PRIMARY KEY (reseller_id, made_day)
);
INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
SELECT day, reseller_id, sum(keys), sum(cost) FROM (
  SELECT created_at / 86400000 AS day, reseller_id, key_count AS keys, cost_tenths AS cost
  FROM orders WHERE import_id IS NULL AND reseller_id IS NOT NULL
  UNION ALL SELECT created_at / 86400000, reseller_id, 0, -amount_tenths
  FROM credit_ledger WHERE reason IN ('key_extension', 'device_limit_change')) AS made
GROUP BY 1, 2;
CREATE FUNCTION reseller_totals_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.reseller_id, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (reseller_id, made_day) DO UPDATE SET key_count = reseller_totals.key_count + NEW.key_count,
    cost_tenths = reseller_totals.cost_tenths + NEW.cost_tenths;
  RETURN NEW;
END $$;
CREATE TRIGGER orders_are_sold AFTER INSERT ON orders FOR EACH ROW
  WHEN (NEW.import_id IS NULL AND NEW.reseller_id IS NOT NULL) EXECUTE FUNCTION reseller_totals_add();
CREATE FUNCTION reseller_totals_add_later() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.reseller_id, 0, -NEW.amount_tenths)
  ON CONFLICT (reseller_id, made_day) DO UPDATE SET cost_tenths = reseller_totals.cost_tenths - NEW.amount_tenths;
  RETURN NEW;
END $$;
CREATE TRIGGER credit_ledger_is_sold AFTER INSERT ON credit_ledger FOR EACH ROW
  WHEN (NEW.reason IN ('key_extension', 'device_limit_change')) EXECUTE FUNCTION reseller_totals_add_later();
