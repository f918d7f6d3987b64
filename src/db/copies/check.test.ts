import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { applyMissing } from "../migrate/applied-migrations.ts";
import { releasedMigrations } from "../migrate/migrations.ts";
import { columnsByTable, kindOf } from "./check.ts";

test("a restore checks the bounds of every integer column", () => {
  const schema = new Connection(":memory:");
  applyMissing(schema, releasedMigrations(), () => 0);
  const columns = [...columnsByTable(schema)].flatMap(([table, names]) => names.map((name) => [table, name] as const));
  expect(columns).toContainEqual(["license_keys", "expires_at"]);
  expect(columns.filter(([, name]) => kindOf(name) === undefined)).toEqual([]);
});
