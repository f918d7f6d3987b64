-- Accounts that help a reseller, or the admins, with chosen rights (rules.md: Staff). All others are full accounts.
CREATE TABLE staff (
  id INTEGER PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('admin', 'reseller')),
  -- Null for the admins' staff.
  owner_id INTEGER REFERENCES resellers (id),
  -- Separated by spaces.
  rights TEXT NOT NULL,
  limit_per_day_tenths INTEGER CHECK (limit_per_day_tenths >= 1),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  FOREIGN KEY (id, role) REFERENCES accounts (id, role),
  CHECK ((role = 'reseller') = (owner_id IS NOT NULL)),
  CHECK (role = 'reseller' OR limit_per_day_tenths IS NULL)
) STRICT;
CREATE INDEX staff_owner ON staff (owner_id);

-- What staff spent on a day.
CREATE INDEX credit_ledger_staff ON credit_ledger (made_by, created_at, amount_tenths) WHERE made_by <> reseller_id AND amount_tenths < 0;
