-- Programs name their orders, so that a repeated call buys nothing twice (rules.md: Retries).
ALTER TABLE orders ADD COLUMN external_id TEXT CHECK (length(external_id) BETWEEN 1 AND 100);
ALTER TABLE orders ADD COLUMN external_id_folded TEXT CHECK (length(external_id_folded) <= 512);
-- SHA-256 of the request in hexadecimal.
ALTER TABLE orders ADD COLUMN request_hash TEXT CHECK ((request_hash IS NULL) = (external_id IS NULL));
CREATE UNIQUE INDEX orders_external_id ON orders (made_by, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX orders_named ON orders (reseller_id, external_id_folded) WHERE external_id_folded IS NOT NULL;
