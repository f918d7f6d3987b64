-- Texts are folded without joiners and selectors, and ignoring case in every script: the program that migrates folds them again.
-- In SQL that takes nothing.
SELECT 1;
