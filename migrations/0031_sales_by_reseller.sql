-- What each reseller bought on a day, so that the figures of the best ones read neither keys nor orders (rules.md: Daily figures).
CREATE TABLE reseller_totals (
  made_day INTEGER NOT NULL,
  reseller_id INTEGER NOT NULL REFERENCES resellers (id),
  key_count INTEGER NOT NULL,
  cost_tenths INTEGER NOT NULL,
  PRIMARY KEY (reseller_id, made_day)
) STRICT, WITHOUT ROWID;
INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
SELECT day, reseller_id, sum(keys), sum(cost) FROM (
  SELECT created_at / 86400000 AS day, reseller_id, key_count AS keys, cost_tenths AS cost
  FROM orders WHERE import_id IS NULL AND reseller_id IS NOT NULL
  UNION ALL SELECT created_at / 86400000, reseller_id, 0, -amount_tenths
  FROM credit_ledger WHERE reason IN ('key_extension', 'device_limit_change')) AS made
GROUP BY 1, 2;
CREATE TRIGGER orders_are_sold AFTER INSERT ON orders WHEN NEW.import_id IS NULL AND NEW.reseller_id IS NOT NULL
BEGIN
  INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.reseller_id, NEW.key_count, NEW.cost_tenths)
  ON CONFLICT (reseller_id, made_day) DO UPDATE SET key_count = key_count + NEW.key_count, cost_tenths = cost_tenths + NEW.cost_tenths;
END;
CREATE TRIGGER credit_ledger_is_sold AFTER INSERT ON credit_ledger WHEN NEW.reason IN ('key_extension', 'device_limit_change')
BEGIN
  INSERT INTO reseller_totals (made_day, reseller_id, key_count, cost_tenths)
  VALUES (NEW.created_at / 86400000, NEW.reseller_id, 0, -NEW.amount_tenths)
  ON CONFLICT (reseller_id, made_day) DO UPDATE SET cost_tenths = cost_tenths - NEW.amount_tenths;
END;
