-- A key whose text leaked gets a new one, and the old text becomes a revoked key (rules.md: Replacing keys).
-- The key that has a new text instead of this one.
ALTER TABLE license_keys ADD COLUMN replaced_by INTEGER REFERENCES license_keys (id)
  CHECK (replaced_by IS NULL OR (revoked_at IS NOT NULL AND order_id IS NULL));
CREATE INDEX license_keys_replaced ON license_keys (replaced_by, revoked_at) WHERE replaced_by IS NOT NULL;

-- It counts as use of an import.
CREATE TRIGGER license_keys_use_imports AFTER UPDATE OF key_string ON license_keys WHEN NEW.order_id IS NOT NULL
BEGIN
  UPDATE orders SET is_used = 1 WHERE id = NEW.order_id AND import_id IS NOT NULL AND is_used = 0;
END;

-- What a retry returns has the form of today.
UPDATE idempotency_keys SET answer = json_set(answer, '$.keys', (
  SELECT json_group_array(json_set(value, '$.replacedBy', NULL)) FROM json_each(answer, '$.keys')))
WHERE json_type(answer, '$.keys') = 'array';
UPDATE idempotency_keys SET answer = json_set(answer, '$.key.replacedBy', NULL) WHERE json_type(answer, '$.key') = 'object';
