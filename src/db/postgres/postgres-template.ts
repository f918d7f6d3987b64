import { compose, type SqlArgument, type SqlValue, withoutNul } from "../contract.ts";

/** What is sent to PostgreSQL: its parameters are numbered, and its statements are kept prepared by their text. */
export interface PostgresStatement {
  text: string;
  values: PostgresValue[];
}

export type PostgresValue = SqlValue | bigint;

export function statementOf(strings: TemplateStringsArray, values: SqlArgument[]): PostgresStatement {
  const composed = compose({ strings, values }, (place) => `$${place}`);
  return { text: composed.text, values: composed.values.map(bound) };
}

/**
 * A value as it is sent. A whole number goes as a BigInt: numbers would be of another type beyond 32 bits, and each mixture of types is a
 * statement of its own, which a connection keeps prepared for as long as it lasts. Whoever sends hundreds of ids could make endlessly many.
 */
function bound(value: SqlValue): PostgresValue {
  if (typeof value === "string") return withoutNul(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/**
 * A row as SQLite would answer it. Whole numbers come as BigInt, because some do not fit into a number; ours are all below 2^53.
 */
export function plainRows<Row>(rows: Iterable<Record<string, unknown>>): Row[] {
  const plain: Record<string, unknown>[] = [];
  for (const row of rows) {
    const made: Record<string, unknown> = {};
    for (const name in row) made[name] = typeof row[name] === "bigint" ? Number(row[name]) : row[name];
    plain.push(made);
  }
  return plain as Row[];
}
