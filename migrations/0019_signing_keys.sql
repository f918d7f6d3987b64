-- Signed verdicts (rules.md: Proofs).

CREATE TABLE signing_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kid TEXT NOT NULL UNIQUE CHECK (length(kid) = 8),
  public_key TEXT NOT NULL,
  -- The private half, encrypted under SECRET; null once the key is retired.
  sealed_secret TEXT,
  state TEXT NOT NULL CHECK (state IN ('next', 'active', 'previous', 'retired')),
  CHECK ((sealed_secret IS NULL) = (state = 'retired'))
) STRICT;
CREATE UNIQUE INDEX signing_keys_active ON signing_keys (state) WHERE state = 'active';

-- How long a proof lets a game play offline. No device may lose its slot as unseen while it does.
ALTER TABLE games ADD COLUMN lease_hours INTEGER NOT NULL DEFAULT 24
  CHECK (lease_hours BETWEEN 0 AND 168 AND lease_hours <= 24 * release_idle_days);
