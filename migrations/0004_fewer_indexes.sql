-- Every device that connected for the first time rewrote two pages of this index, as many as all the rest of it. Lists that are sorted by
-- devices sort the keys of their owner instead.
DROP INDEX license_keys_devices;
