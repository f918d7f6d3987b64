-- The same as 0021_external_ids.sql for PostgreSQL.
ALTER TABLE orders ADD COLUMN external_id TEXT COLLATE "C" CHECK (length(external_id) BETWEEN 1 AND 100),
  ADD COLUMN external_id_folded TEXT COLLATE "C" CHECK (length(external_id_folded) <= 512),
  ADD COLUMN request_hash TEXT COLLATE "C" CHECK ((request_hash IS NULL) = (external_id IS NULL));
CREATE UNIQUE INDEX orders_external_id ON orders (made_by, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX orders_named ON orders (reseller_id, external_id_folded) WHERE external_id_folded IS NOT NULL;
