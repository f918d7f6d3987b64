-- The same as 0013_clock.sql for PostgreSQL.

CREATE TABLE clock_doubt (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  doubted_since_at BIGINT NOT NULL
);
