import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { migrate, releasedMigrations } from "../../src/db/migrate/migrations.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { temporaryFolder } from "../process.ts";

/** Both schemas as read from the databases, in comparable terms. */
let folder: string;
let sqlite: Connection;
let postgres: Bun.SQL;
let drop: () => Promise<void>;
beforeAll(async () => {
  folder = temporaryFolder();
  const file = join(folder, "latchkey.db");
  migrate(file, releasedMigrations(), () => 1);
  sqlite = new Connection(file);
  const made = await makePostgresDatabase(testServer as string);
  drop = made.drop;
  postgres = new SQL(made.url, { max: 1 });
});
afterAll(async () => {
  sqlite.close();
  await postgres.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Tables that only one engine has. */
const own = ["sqlite_sequence", "sqlite_stat1", "rate_limits"];

interface Column {
  table: string;
  name: string;
  type: string;
  isRequired: boolean;
  preset: string | null;
}

const tablesOfSqlite = () =>
  sqlite
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name)
    .filter((name) => !own.includes(name));

const columnsOfSqlite = () =>
  tablesOfSqlite().flatMap((table) =>
    sqlite
      .query<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }, [string]>(
        'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)',
      )
      .all(table)
      .map(
        ({ name, type, notnull, dflt_value, pk }): Column => ({
          ...{ table, name, type: type.toLowerCase(), isRequired: notnull === 1 || pk > 0, preset: dflt_value },
        }),
      ),
  );

const columnsOfPostgres = async (): Promise<Column[]> => {
  const rows: { table: string; name: string; type: string; required: boolean; preset: string | null; made: string }[] =
    await postgres.unsafe(`
      SELECT table_name AS "table", column_name AS name, data_type AS type, is_nullable = 'NO' AS required,
        column_default AS preset FROM information_schema.columns WHERE table_schema = 'public'
      ORDER BY table_name COLLATE "C", ordinal_position`);
  return rows
    .filter(({ table }) => !own.includes(table))
    .map(({ table, name, type, required, preset }) => ({
      ...{ table, name, isRequired: required, preset: preset?.replace(/::\w+$/, "") ?? null },
      type: type === "bigint" ? "integer" : type,
    }));
};

const byName = (columns: Column[]) =>
  columns
    .map(
      ({ table, name, type, isRequired, preset }) =>
        `${table}.${name} ${type} ${isRequired ? "NOT NULL" : ""} ${preset ?? ""}`,
    )
    .sort();

test("have the same tables with the same columns", async () => {
  expect(byName(await columnsOfPostgres())).toEqual(byName(columnsOfSqlite()));
});

test("compare and sort texts byte by byte", async () => {
  const rows = await postgres.unsafe(`
    SELECT table_name, column_name FROM information_schema.columns
    WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`);
  expect([...rows]).toEqual([]);
});

/** An index with its name, table, columns and whether it is partial. A UNIQUE constraint has only its columns. */
interface Index {
  table: string;
  name: string | null;
  isUnique: boolean;
  isPartial: boolean;
  on: string[];
}

const indexesOfSqlite = () =>
  tablesOfSqlite().flatMap((table) =>
    sqlite
      .query<{ name: string; unique: number; origin: string; partial: number }, [string]>(
        "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?) WHERE origin <> 'pk'",
      )
      .all(table)
      .map(({ name, unique, origin, partial }): Index => {
        const on = sqlite
          .query<{ name: string | null }, [string]>("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
          .all(name)
          .map((column) => column.name ?? "expression");
        return { table, name: origin === "c" ? name : null, isUnique: unique === 1, isPartial: partial === 1, on };
      }),
  );

const indexesOfPostgres = async (): Promise<Index[]> => {
  const rows: Index[] = await postgres.unsafe(`
    SELECT t.relname AS "table", CASE WHEN c.oid IS NULL THEN i.relname END AS name, x.indisunique AS "isUnique",
      x.indpred IS NOT NULL AS "isPartial",
      (SELECT array_agg(coalesce(a.attname, 'expression') ORDER BY place) FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.number <> 0
        WHERE place <= x.indnkeyatts) AS "on"
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
      LEFT JOIN pg_constraint c ON c.conindid = i.oid AND c.contype = 'u'
    WHERE t.relnamespace = 'public'::regnamespace AND NOT x.indisprimary`);
  return rows.filter(({ table }) => !own.includes(table)).map((row) => ({ ...row, on: [...row.on] }));
};

/** SQLite's indexes end with the row id implicitly; PostgreSQL's must name it. */
const comparable = (indexes: Index[]) =>
  indexes
    .map(({ table, name, isUnique, isPartial, on }) => {
      const columns = on.at(-1) === "id" && on.length > 1 ? on.slice(0, -1) : on;
      return `${table} ${name ?? ""} ${isUnique ? "UNIQUE" : ""} (${columns}) ${isPartial ? "WHERE" : ""}`;
    })
    .sort();

test("have the same indexes on the same columns", async () => {
  expect(comparable(await indexesOfPostgres())).toEqual(comparable(indexesOfSqlite()));
});

test("have the same primary and foreign keys", async () => {
  const keysOfSqlite = tablesOfSqlite().flatMap((table) => {
    const primary = sqlite
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk")
      .all(table);
    const references = sqlite
      .query<{ from: string; table: string; on_delete: string; id: number }, [string]>(
        'SELECT id, "from", "table", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq',
      )
      .all(table);
    const byReference = Object.values(Object.groupBy(references, ({ id }) => id)).map(
      (columns = []) => `${table} (${columns.map(({ from }) => from)}) → ${columns[0]?.table} ${columns[0]?.on_delete}`,
    );
    return [`${table} (${primary.map(({ name }) => name)})`, ...byReference];
  });
  const rows: { kind: string; table: string; columns: string[]; other: string | null; erases: boolean }[] =
    await postgres.unsafe(`
      SELECT c.contype AS kind, t.relname AS "table", o.relname AS other, c.confdeltype = 'c' AS erases,
        (SELECT array_agg(a.attname ORDER BY place) FROM unnest(c.conkey) WITH ORDINALITY AS k (number, place)
          JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) AS columns
      FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid LEFT JOIN pg_class o ON o.oid = c.confrelid
      WHERE t.relnamespace = 'public'::regnamespace AND c.contype IN ('p', 'f')`);
  const keysOfPostgres = rows
    .filter(({ table }) => !own.includes(table))
    .map(({ kind, table, columns, other, erases }) =>
      kind === "p"
        ? `${table} (${[...columns]})`
        : `${table} (${[...columns]}) → ${other} ${erases ? "CASCADE" : "NO ACTION"}`,
    );
  expect(keysOfPostgres.sort()).toEqual(keysOfSqlite.sort());
});

/** CHECK constraints are written differently, so only their number is compared. */
test("have the same number of CHECK constraints per table", async () => {
  const ofSqlite = tablesOfSqlite().map((table) => {
    const { sql = "" } = sqlite
      .query<{ sql: string }, [string]>("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(table) ?? { sql: "" };
    return [table, sql.match(/\bCHECK \(/g)?.length ?? 0];
  });
  const rows: { table: string; count: number }[] = await postgres.unsafe(`
    SELECT t.relname AS "table", (SELECT count(*)::int FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype = 'c') AS count
    FROM pg_class t WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' ORDER BY t.relname COLLATE "C"`);
  expect(rows.filter(({ table }) => !own.includes(table)).map(({ table, count }) => [table, count])).toEqual(ofSqlite);
});
