import { expect, test } from "bun:test";
import { listOf, nothing, part, type SqlPart, type SqlValue } from "./contract.ts";
import { createComposer } from "./statements.ts";

/** A template as a slice writes it, with a condition that may be another one each time. */
const template = (condition: SqlPart, last: SqlValue) => piece`SELECT 1 FROM notes WHERE ${condition} LIMIT ${last}`;
const piece = (strings: TemplateStringsArray, ...values: SqlPart["values"]): SqlPart => ({ strings, values });

test("a template is put together with its parts, and with theirs", () => {
  const compose = createComposer((place) => `$${place}`);
  const condition = part`a = ${1} AND ${part`b IN (${listOf([2, 3])})`}${nothing}`;

  expect(compose(template(condition, 4))).toEqual({
    text: "SELECT 1 FROM notes WHERE a = $1 AND b IN ($2, $3) LIMIT $4",
    values: [1, 2, 3, 4],
  });
});

test("a text is told again where the parts are the same, with the values of this time", () => {
  const compose = createComposer();
  const condition = (value: number) => part`a = ${value}`;

  const first = compose(template(condition(1), 2));
  const second = compose(template(condition(3), 4));

  expect(second).toEqual({ text: first.text, values: [3, 4] });
});

test("a template whose parts are others by turns is put together anew", () => {
  const compose = createComposer();
  const conditions = [part`a = ${1}`, part`b = ${1}`, listOf([1, 2]), listOf([1, 2, 3]), nothing, 7];

  for (const condition of [...conditions, ...conditions.toReversed()]) {
    const given = template(condition as SqlPart, 9);
    expect(compose(given)).toEqual(createComposer()(given));
  }
});

test("a value where a part stood, and a part where a value stood, are told apart", () => {
  const compose = createComposer();
  const same = part`a`;
  const both = (one: SqlPart | SqlValue, other: SqlPart | SqlValue) => piece`SELECT ${one}, ${other}`;

  expect(compose(both(same, 1)).text).toBe("SELECT a, ?");
  expect(compose(both(1, same)).text).toBe("SELECT ?, a");
});
