-- From when on the times of rows are doubted, while the system's clock is ahead (rules.md: The clock). One row, or none.

CREATE TABLE clock_doubt (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  doubted_since_at INTEGER NOT NULL
) STRICT;
