import { Database as Connection } from "bun:sqlite";
import { compose, type Sql, type SqlArgument, type SqlPart, type SqlValue, type Unit } from "../src/db/contract.ts";
import { testServer } from "./database.ts";
import type { Panel } from "./panel.ts";

/**
 * How the database would read what a function asks for, one line for each table, while it does it in one unit. With
 * `isAnalyzed`, PostgreSQL carries statements out to show the steps of their recursions, so they must not write.
 */
export async function plansOf(
  { database, file }: Panel,
  ask: (unit: Unit) => Promise<unknown>,
  { isAnalyzed = false } = {},
): Promise<string[]> {
  let plans: string[] = [];
  await database.transaction(null, (unit) => {
    plans = [];
    const explained = async <Row>(strings: TemplateStringsArray | readonly string[], ...values: SqlArgument[]) => {
      const statement = { strings, values } as SqlPart;
      plans.push(...(testServer ? await postgresPlan(unit.sql, statement, isAnalyzed) : sqlitePlan(file, statement)));
      return unit.sql<Row>`${statement}`;
    };
    return ask({ ...unit, sql: explained as Sql });
  });
  return plans;
}

async function postgresPlan(sql: Sql, { strings, values }: SqlPart, isAnalyzed: boolean): Promise<string[]> {
  const how = isAnalyzed ? "EXPLAIN (ANALYZE, COSTS OFF)" : "EXPLAIN (COSTS OFF)";
  const rows = await sql<{
    "QUERY PLAN": string;
  }>`${{ strings: [`${how} ${strings[0]}`, ...strings.slice(1)], values }}`;
  return rows.map((row) => row["QUERY PLAN"]);
}

/** On a connection that it closes, because Bun does not reset such a statement, and its snapshot would stay. */
export function sqlitePlan(file: string, statement: SqlPart): string[] {
  const connection = new Connection(file);
  const { text, values } = compose(statement);
  const steps = connection.query<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${text}`).all(...values);
  connection.close();
  return steps.map(({ detail }) => detail);
}
