-- SHA-256 in hexadecimal of the file that servers import, so that the same file is refused meanwhile.
ALTER TABLE imports ADD COLUMN file_hash TEXT CHECK (length(file_hash) = 64);
