-- What an admin calls a token: "for Ana". Searches read the folded text (0012_search.sql).

ALTER TABLE referral_tokens ADD COLUMN label TEXT CHECK (length(label) BETWEEN 1 AND 60);
ALTER TABLE referral_tokens ADD COLUMN label_folded TEXT CHECK (length(label_folded) <= 512);
