import type { Database as Connection, Statement } from "bun:sqlite";
import type { SqlArgument, SqlPart, SqlValue } from "./contract.ts";

/** How many texts are kept prepared. Filters and orders make few; the bound is against surprises. */
const composedStatementsMax = 500;

/** Runs one template on one connection and answers its rows. */
export type RunTemplate = (strings: TemplateStringsArray, values: readonly SqlArgument[]) => unknown[];

/** Prepares each text once. */
export function createStatements(connection: Connection): RunTemplate {
  const runText = createTextStatements(connection);
  const compose = createComposer();

  return (strings, values) => {
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

/** Puts a template and all its parts together. */
export type Compose = (template: SqlPart) => ComposedTemplate;

export interface ComposedTemplate {
  text: string;
  /** Its own and those of its parts, in their order. */
  values: SqlValue[];
}

/**
 * Each template's latest text is kept, and told again as long as the template has the same parts: to put it together took longer than to find
 * the statement. `mark` writes the parameter at a place, counted from 1.
 */
export function createComposer(mark: (place: number) => string = () => "?"): Compose {
  const latest = new Map<readonly string[], { text: string; makeup: Makeup }>();

  return (template) => {
    const makeup: Makeup = [];
    const values: SqlValue[] = [];
    takeApart(template, makeup, values);
    const known = latest.get(template.strings);
    if (known && isSame(known.makeup, makeup)) return { text: known.text, values };
    const text = textOf(template, mark);
    latest.set(template.strings, { text, makeup });
    return { text, values };
  };
}

/** What a template's text depends on, in its order: the strings of each part, known by their identity, and `null` for each value. */
type Makeup = (readonly string[] | null)[];

function takeApart(piece: SqlPart, makeup: Makeup, values: SqlValue[]): void {
  for (const value of piece.values) {
    if (isPart(value)) {
      makeup.push(value.strings);
      takeApart(value, makeup, values);
    } else {
      makeup.push(null);
      values.push(value);
    }
  }
}

function isSame(one: Makeup, other: Makeup): boolean {
  return one.length === other.length && one.every((strings, at) => strings === other[at]);
}

function textOf(template: SqlPart, mark: (place: number) => string): string {
  let places = 0;
  return textOfPiece(template);

  function textOfPiece(piece: SqlPart): string {
    return piece.values.reduce<string>(
      (text, value, index) => text + (isPart(value) ? textOfPiece(value) : mark(++places)) + piece.strings[index + 1],
      piece.strings[0] ?? "",
    );
  }
}

function isPart(value: SqlArgument): value is SqlPart {
  return typeof value === "object" && value !== null;
}
