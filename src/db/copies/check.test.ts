import { Database as Connection } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { createPasswords } from "../../accounts/passwords/passwords.ts";
import { adminScopes } from "../../accounts/scopes.ts";
import { applicationId, applyMissing } from "../migrate/applied-migrations.ts";
import { releasedMigrations } from "../migrate/migrations.ts";
import { checkDatabase, columnsByTable, kindOf } from "./check.ts";
import { textRuleOf } from "./text-rules.ts";

function columnsOf(type: "INTEGER" | "TEXT") {
  const schema = new Connection(":memory:");
  applyMissing(schema, releasedMigrations(), () => 0);
  return [...columnsByTable(schema, type)].flatMap(([table, names]) => names.map((name) => [table, name] as const));
}

test("a restore checks the bounds of every integer column", () => {
  const columns = columnsOf("INTEGER");
  expect(columns).toContainEqual(["license_keys", "expires_at"]);
  expect(columns.filter(([, name]) => kindOf(name) === undefined)).toEqual([]);
});

test("for every text column it is decided whether a restore checks its texts", () => {
  const columns = columnsOf("TEXT");
  expect(columns).toContainEqual(["license_keys", "note"]);
  expect(columns.filter(([table, name]) => textRuleOf(table, name) === undefined)).toEqual([]);
});

test("every column of every table is a whole number or a text, so that one of these rules applies", () => {
  const schema = new Connection(":memory:");
  applyMissing(schema, releasedMigrations(), () => 0);
  const others = `SELECT t.name, c.name, c.type FROM sqlite_schema t JOIN pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' AND c.type NOT IN ('INTEGER', 'TEXT')`;
  expect(schema.query(others).values()).toEqual([]);
});

test("every scope of an API key can be restored", () => {
  expect(textRuleOf("api_keys", "scopes")?.test(adminScopes.join(" "))).toBe(true);
});

test("a backup of every earlier version can be restored", () => {
  const folder = temporaryFolder();
  const released = releasedMigrations();
  const earlier = new Connection(":memory:");
  earlier.run(`PRAGMA application_id = ${applicationId}`);
  for (const { version } of released) {
    applyMissing(earlier, released.slice(0, version), () => 1);
    const file = join(folder, `${version}.db`);
    writeFileSync(file, earlier.serialize());
    checkDatabase(file, released);
  }
  rmSync(folder, { recursive: true });
});

test("every password hash that Latchkey makes can be restored", async () => {
  const hash = await createPasswords((bytes) => bytes).hash("any", { lane: "known", person: "1" });
  expect(textRuleOf("accounts", "password_hash")?.test(hash)).toBe(true);
});

test.each([
  ["note", "Mojibake \u0080\u0099, \u202eturned round\u202c, \u2066isolated\u2069, zero\u200bwidth"],
  ["title", "\u202enewer\u202c"],
  ["message", "Two\r\nlines\tand a tab"],
  ["device_id", "phone-\u3164\ufe0f"],
  ["key_string", "SUMMER_2025-x"],
  ["username", "Night.owl_1-2"],
])("a text that a version of Latchkey accepted can be restored: %s", (column, text) => {
  expect(textRuleOf("any", column)?.test(text)).toBe(true);
});
