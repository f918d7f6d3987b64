-- The same as 0034_replaced_keys.sql for PostgreSQL.
ALTER TABLE license_keys ADD COLUMN replaced_by BIGINT REFERENCES license_keys (id)
  CHECK (replaced_by IS NULL OR (revoked_at IS NOT NULL AND order_id IS NULL));
CREATE INDEX license_keys_replaced ON license_keys (replaced_by, revoked_at) WHERE replaced_by IS NOT NULL;

CREATE FUNCTION license_keys_use_imports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE orders SET is_used = 1 WHERE id = NEW.order_id AND import_id IS NOT NULL AND is_used = 0;
  RETURN NEW;
END $$;
CREATE TRIGGER license_keys_use_imports AFTER UPDATE OF key_string ON license_keys FOR EACH ROW
  WHEN (NEW.order_id IS NOT NULL) EXECUTE FUNCTION license_keys_use_imports();

UPDATE idempotency_keys SET answer = jsonb_set(answer::jsonb, '{keys}', (
  SELECT jsonb_agg(value || '{"replacedBy": null}' ORDER BY place)
  FROM jsonb_array_elements(answer::jsonb->'keys') WITH ORDINALITY AS keys (value, place)))::text
WHERE jsonb_typeof(answer::jsonb->'keys') = 'array';
UPDATE idempotency_keys SET answer = jsonb_set(answer::jsonb, '{key,replacedBy}', 'null')::text
WHERE jsonb_typeof(answer::jsonb->'key') = 'object';
