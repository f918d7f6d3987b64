import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { applyMissing, type Migration } from "../db/migrate/applied-migrations.ts";
import { releasedMigrations } from "../db/migrate/migrations.ts";

const now = () => 1_741_185_000_000;
const next: Migration = { version: 9_999, name: "9999_next", sql: "CREATE TABLE later (id INTEGER)", checksum: "next" };

test("a migration is in the audit log, and a failed one is not", () => {
  const connection = new Connection(":memory:");
  const released = releasedMigrations();
  applyMissing(connection, released, now);
  const rows = () => connection.query("SELECT * FROM audit WHERE details LIKE '%next%'").all();
  const broken = { ...next, sql: "CREATE TABLE later (id INTEGER); CREATE TABLE oops (" };
  expect(() => applyMissing(connection, [...released, broken], now)).toThrow();
  expect(rows()).toEqual([]);
  applyMissing(connection, [...released, next], now);
  expect(rows()).toEqual([
    {
      ...{ id: expect.any(Number), at: now(), action: "database_migrated", target: "database", address: null },
      ...{ actor_id: null, actor_username: null, actor_role: null },
      details: JSON.stringify({ by: "command line", migration: "9999_next" }),
    },
  ]);
});
