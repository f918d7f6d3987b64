-- The same as 0015_labels.sql for PostgreSQL.

ALTER TABLE referral_tokens ADD COLUMN label TEXT COLLATE "C" CHECK (length(label) BETWEEN 1 AND 60);
ALTER TABLE referral_tokens ADD COLUMN label_folded TEXT COLLATE "C" CHECK (length(label_folded) <= 512);
