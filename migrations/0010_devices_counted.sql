-- How many devices a key has is what stands in key_devices. The number beside the key had to be kept with them, and for it each new device
-- rewrote the page of its key as well: half of what it left in the log.
ALTER TABLE license_keys DROP COLUMN device_count;
