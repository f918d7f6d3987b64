-- What is asked about the history of a key, however long it is, and what bounds it (rules.md: History of a key).
CREATE INDEX key_events_released ON key_events (key_id, created_at) WHERE what = 'DEVICE_RELEASED';
CREATE INDEX key_events_pauses ON key_events (key_id, created_at, id) WHERE what IN ('PAUSED', 'RESUMED');
-- A key with one of these has had a device.
CREATE INDEX key_events_connected ON key_events (key_id)
  WHERE what IN ('STARTED', 'DEVICE_REMOVED', 'DEVICES_RESET', 'DEVICE_RELEASED', 'DEVICE_IDLE');
CREATE INDEX key_events_notes ON key_events (key_id, id) WHERE what = 'NOTED';
-- What resellers may do to one key without paying.
CREATE INDEX key_events_calls ON key_events (made_by, key_id, created_at)
  WHERE what IN ('EXTENDED', 'LIMIT_CHANGED', 'PAUSED', 'RESUMED', 'DEVICE_REMOVED');

PRAGMA analysis_limit = 1000;
ANALYZE key_events;
