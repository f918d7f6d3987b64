import { expect, test } from "bun:test";
import { LoginForm } from "../../src/accounts/schema.ts";
import { KeyPurchase } from "../../src/orders/schema.ts";
import { CreditGrant } from "../../src/resellers/schema.ts";
import { TokenOrder } from "../../src/tokens/schema.ts";
import { UpdateForm } from "../../src/updates/schema.ts";
import { readValues } from "./values.ts";

function dataOf(entries: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, text] of Object.entries(entries)) data.set(name, text);
  return data;
}

test("spaces around a text are dropped, but not around a password", () => {
  const values = readValues(LoginForm, dataOf({ username: " night.owl ", password: " secret " }));
  expect(values).toEqual({ username: "night.owl", password: " secret " });
});

test("the schema decides that a value is a number, also for one of a few", () => {
  const typed = { game: "FREE FIRE", deviceLimit: "100", days: " 30 ", count: "1.5", keyString: "2025" };
  expect(readValues(KeyPurchase, dataOf(typed))).toEqual({
    ...{ game: "FREE FIRE", deviceLimit: 100, days: 30, count: 1.5 },
    keyString: "2025",
  });
});

test("an empty number is missing, and not 0 or NaN; an empty text is a text", () => {
  expect(readValues(CreditGrant, dataOf({ resellerId: "", amount: " " }))).toEqual({});
  expect(readValues(CreditGrant, dataOf({ resellerId: "2", amount: "0" }))).toEqual({ resellerId: 2, amount: 0 });
  expect(readValues(LoginForm, dataOf({ username: "", password: "" }))).toEqual({ username: "", password: "" });
});

test("a number has a decimal comma or point; what could mean two numbers is none", () => {
  expect(readValues(TokenOrder, dataOf({ credits: "37,5", label: "" }))).toEqual({ credits: 37.5, label: "" });
  expect(readValues(CreditGrant, dataOf({ resellerId: "2", amount: "1.000" })).amount).toBeNaN();
});

test("a switch is on where the form has an entry for it", () => {
  const texts = { title: "News", message: "Hello", buttonText: "", linkUrl: "" };
  expect(readValues(UpdateForm, dataOf({ ...texts, isActive: "on" }))).toEqual({ ...texts, isActive: true });
  expect(readValues(UpdateForm, dataOf(texts))).toEqual({ ...texts, isActive: false });
});

test("fields without an entry are missing, and entries without a schema are ignored", () => {
  expect(readValues(KeyPurchase, dataOf({ count: "1", colour: "red" }))).toEqual({ count: 1 });
});
