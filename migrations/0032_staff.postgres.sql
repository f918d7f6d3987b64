-- The same as 0032_staff.sql for PostgreSQL.
CREATE TABLE staff (
  id BIGINT PRIMARY KEY,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('admin', 'reseller')),
  owner_id BIGINT REFERENCES resellers (id),
  rights TEXT COLLATE "C" NOT NULL,
  limit_per_day_tenths BIGINT CHECK (limit_per_day_tenths >= 1),
  is_active BIGINT NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
  FOREIGN KEY (id, role) REFERENCES accounts (id, role),
  CHECK ((role = 'reseller') = (owner_id IS NOT NULL)),
  CHECK (role = 'reseller' OR limit_per_day_tenths IS NULL)
);
CREATE INDEX staff_owner ON staff (owner_id);
CREATE INDEX credit_ledger_staff ON credit_ledger (made_by, created_at, amount_tenths)
  WHERE made_by <> reseller_id AND amount_tenths < 0;
