-- The same as 0012_search.sql for PostgreSQL.

ALTER TABLE license_keys ADD COLUMN text_folded TEXT COLLATE "C" NOT NULL DEFAULT '' CHECK (length(text_folded) <= 512);
ALTER TABLE license_keys ADD COLUMN look_alike TEXT COLLATE "C" NOT NULL DEFAULT '' CHECK (length(look_alike) <= 512);
ALTER TABLE license_keys ADD COLUMN note_folded TEXT COLLATE "C" CHECK (length(note_folded) <= 512);
ALTER TABLE orders ADD COLUMN note_folded TEXT COLLATE "C" CHECK (length(note_folded) <= 512);
ALTER TABLE key_devices ADD COLUMN device_folded TEXT COLLATE "C" NOT NULL DEFAULT '' CHECK (length(device_folded) <= 512);

DROP INDEX license_keys_text;
DROP INDEX license_keys_noted;
DROP INDEX orders_noted;
UPDATE license_keys SET text_folded = replace(lower(key_string), '-', ''), note_folded = lower(note),
  look_alike = replace(replace(replace(replace(replace(replace(lower(key_string), '-', ''),
    'o', '0'), 'i', '1'), 'l', '1'), 's', '5'), 'b', '8');
UPDATE orders SET note_folded = lower(note) WHERE note IS NOT NULL;
UPDATE key_devices SET device_folded = lower(device_id);

CREATE INDEX license_keys_text ON license_keys (reseller_id, text_folded, id, look_alike);
CREATE INDEX license_keys_noted ON license_keys (reseller_id, note_folded) WHERE note_folded IS NOT NULL;
CREATE INDEX orders_noted ON orders (reseller_id, note_folded) WHERE note_folded IS NOT NULL;

CREATE INDEX license_keys_searched ON license_keys (id, text_folded, look_alike);
CREATE INDEX key_devices_searched ON key_devices (id, device_folded);
