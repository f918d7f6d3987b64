-- Shops that were paid ask for the keys of a sale (rules.md: Shop links).
CREATE TABLE shop_links (
  -- Not given again: the orders of a deleted link keep it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  -- The end of its address.
  ref TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  game_id INTEGER NOT NULL REFERENCES games (id),
  -- What its account decides besides: of which keys, and where the parts of a sale stand in a shop's body.
  terms TEXT NOT NULL CHECK (json_valid(terms) AND json_type(terms) = 'object'),
  -- Encrypted under SECRET.
  sealed_secret TEXT NOT NULL,
  is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
  -- Its account is suspended.
  is_suspended INTEGER NOT NULL DEFAULT 0 CHECK (is_suspended IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX shop_links_account ON shop_links (account_id);

-- What shops asked for: deliveries, and equal refusals of a minute. Those of a deleted link stay until they are old.
CREATE TABLE shop_sales (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shop_link_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  sale_id TEXT CHECK (length(sale_id) BETWEEN 1 AND 100),
  quantity INTEGER,
  status INTEGER NOT NULL CHECK (status BETWEEN 200 AND 599),
  code TEXT CHECK (length(code) <= 40),
  message TEXT CHECK (length(message) <= 1000),
  order_id INTEGER REFERENCES orders (id),
  -- Of the refusal and its minute.
  refusal_hash TEXT,
  refusal_count INTEGER NOT NULL CHECK (refusal_count >= 1),
  UNIQUE (shop_link_id, refusal_hash),
  CHECK ((order_id IS NULL) = (refusal_hash IS NOT NULL) AND (order_id IS NULL) = (code IS NOT NULL)
    AND (order_id IS NULL) = (message IS NOT NULL))
) STRICT;
CREATE INDEX shop_sales_of_link ON shop_sales (shop_link_id, at, id);
CREATE INDEX shop_sales_refused ON shop_sales (shop_link_id, at) WHERE refusal_hash IS NOT NULL;

-- When sale.failed was recorded last, for each code.
CREATE TABLE shop_failures (
  shop_link_id INTEGER NOT NULL REFERENCES shop_links (id) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (length(code) <= 40),
  told_at INTEGER NOT NULL,
  PRIMARY KEY (shop_link_id, code)
) STRICT, WITHOUT ROWID;

-- A sale id is delivered once per link, for ever.
ALTER TABLE orders ADD COLUMN shop_link_id INTEGER;
ALTER TABLE orders ADD COLUMN shop_link_name TEXT CHECK (length(shop_link_name) BETWEEN 1 AND 64
  AND (shop_link_name IS NULL) = (shop_link_id IS NULL));
ALTER TABLE orders ADD COLUMN sale_id TEXT CHECK (length(sale_id) BETWEEN 1 AND 100
  AND (sale_id IS NULL) = (shop_link_id IS NULL));
ALTER TABLE orders ADD COLUMN sale_id_folded TEXT CHECK (length(sale_id_folded) <= 512);
CREATE UNIQUE INDEX orders_sale ON orders (shop_link_id, sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX orders_sold ON orders (reseller_id, sale_id_folded) WHERE sale_id_folded IS NOT NULL;
-- The latest sale of a link, and what its sales cost on a day.
CREATE INDEX orders_of_shop_link ON orders (shop_link_id, created_at, cost_tenths) WHERE shop_link_id IS NOT NULL;
