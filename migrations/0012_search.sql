-- What a search reads: each searched text has a column beside it in which it is folded (rules.md: Searching keys), and an
-- index that holds it. lower() knows the letters A to Z only: where a text has others, the program that migrates folds it.

ALTER TABLE license_keys ADD COLUMN text_folded TEXT NOT NULL DEFAULT '' CHECK (length(text_folded) <= 512);
ALTER TABLE license_keys ADD COLUMN look_alike TEXT NOT NULL DEFAULT '' CHECK (length(look_alike) <= 512);
ALTER TABLE license_keys ADD COLUMN note_folded TEXT CHECK (length(note_folded) <= 512);
ALTER TABLE orders ADD COLUMN note_folded TEXT CHECK (length(note_folded) <= 512);
ALTER TABLE key_devices ADD COLUMN device_folded TEXT NOT NULL DEFAULT '' CHECK (length(device_folded) <= 512);

DROP INDEX license_keys_text;
DROP INDEX license_keys_noted;
DROP INDEX orders_noted;
UPDATE license_keys SET text_folded = replace(lower(key_string), '-', ''), note_folded = lower(note),
  look_alike = replace(replace(replace(replace(replace(replace(lower(key_string), '-', ''),
    'o', '0'), 'i', '1'), 'l', '1'), 's', '5'), 'b', '8');
UPDATE orders SET note_folded = lower(note) WHERE note IS NOT NULL;
UPDATE key_devices SET device_folded = lower(device_id);

-- The id comes third, because a list sorted by key goes on by text and id.
CREATE INDEX license_keys_text ON license_keys (reseller_id, text_folded, id, look_alike);
CREATE INDEX license_keys_noted ON license_keys (reseller_id, note_folded) WHERE note_folded IS NOT NULL;
CREATE INDEX orders_noted ON orders (reseller_id, note_folded) WHERE note_folded IS NOT NULL;

-- Everything, the latest first. New rows come at the end of these two, so a purchase or a new device writes little more.
CREATE INDEX license_keys_searched ON license_keys (id, text_folded, look_alike);
CREATE INDEX key_devices_searched ON key_devices (id, device_folded);

PRAGMA analysis_limit = 1000;
ANALYZE license_keys;
ANALYZE key_devices;
ANALYZE orders;
