-- The same as 0014_take_back.sql for PostgreSQL, where constraints can be changed.

ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_reason_check;
ALTER TABLE credit_ledger ADD CHECK (reason IN ('token_bonus', 'admin_grant', 'key_purchase', 'grant_taken_back'));
ALTER TABLE credit_ledger DROP CONSTRAINT credit_ledger_check;
ALTER TABLE credit_ledger ADD CHECK ((reason IN ('key_purchase', 'grant_taken_back')) = (amount_tenths < 0));
ALTER TABLE credit_ledger ADD COLUMN grant_id BIGINT REFERENCES credit_ledger (id)
  CHECK ((grant_id IS NULL) = (reason <> 'grant_taken_back'));
CREATE INDEX credit_ledger_taken_back ON credit_ledger (grant_id) WHERE grant_id IS NOT NULL;
