import type { Database as Connection, Statement } from "bun:sqlite";
import type { SqlArgument, SqlPart, SqlValue } from "./database.ts";

/** How many texts are kept prepared. Filters and orders make few; the bound is against surprises. */
const composedStatementsMax = 500;

/** Runs one template on one connection and answers its rows. */
export type RunTemplate = (strings: TemplateStringsArray, values: readonly SqlArgument[]) => unknown[];

/**
 * Prepares each template once. A template without parts is found again by the identity of its strings, which costs a
 * map look-up; one with parts is composed to text first and found by that.
 */
export function createStatements(connection: Connection): RunTemplate {
  const byTemplate = new Map<TemplateStringsArray, Statement>();
  const runText = createTextStatements(connection);

  return (strings, values) => {
    const known = byTemplate.get(strings);
    if (known) return known.all(...(values as SqlValue[]));

    if (!values.some(isPart)) {
      const statement = connection.prepare(strings.join("?"));
      byTemplate.set(strings, statement);
      return statement.all(...(values as SqlValue[]));
    }

    const composed = compose({ strings, values });
    return runText(composed.text, composed.values);
  };
}

/** Runs texts on one connection, and keeps the latest of them prepared. */
export function createTextStatements(connection: Connection): (text: string, values: SqlValue[]) => unknown[] {
  const byText = new Map<string, Statement>();
  return (text, values) => {
    const known = byText.get(text);
    if (known) return known.all(...values);
    const oldest = byText.size >= composedStatementsMax ? byText.keys().next().value : undefined;
    if (oldest !== undefined) {
      byText.get(oldest)?.finalize();
      byText.delete(oldest);
    }
    const statement = connection.prepare(text);
    byText.set(text, statement);
    return statement.all(...values);
  };
}

/** The text of a template with all its parts, and its values in their order. `mark` writes the parameter at a place, counted from 1. */
export function compose(piece: SqlPart, mark: (place: number) => string = () => "?") {
  let text = "";
  const values: SqlValue[] = [];
  append(piece);
  return { text, values };

  function append(next: SqlPart): void {
    text += next.strings[0] ?? "";
    next.values.forEach((value, index) => {
      if (isPart(value)) append(value);
      else text += mark(values.push(value));
      text += next.strings[index + 1];
    });
  }
}

export function isPart(value: SqlArgument): value is SqlPart {
  return typeof value === "object" && value !== null;
}
