import { expect, test } from "bun:test";
import { LoginForm, RegistrationForm } from "../src/accounts/schema.ts";
import { CreditGrant } from "../src/resellers/schema.ts";
import { problemsInUpdate, UpdateForm } from "../src/updates/schema.ts";
import { numberOrNothing, problemsIn, schemaResolver } from "./form.ts";

test("empty fields say what section 5 says", () => {
  const sentences = (schema: typeof LoginForm | typeof RegistrationForm, values: object) =>
    problemsIn(schema, values).map(({ message }) => message);
  expect(sentences(LoginForm, { username: "", password: "" })).toEqual([
    "Username is required",
    "Password is required",
  ]);
  expect(sentences(RegistrationForm, { username: "ab", password: "12345", referralToken: "" })).toEqual([
    "Username must be at least 3 characters",
    "Password must be at least 6 characters",
    "Referral token is required",
  ]);
});

test("the resolver answers one message by each wrong field, and no values", async () => {
  const resolver = schemaResolver(CreditGrant);
  const outcome = await resolver({ resellerId: undefined as never, amount: 0 }, undefined, {} as never);
  expect(outcome).toEqual({
    values: {},
    errors: {
      resellerId: { type: "schema", message: "Please select a reseller" },
      amount: { type: "schema", message: "Amount must be at least 1" },
    },
  });
});

test("the resolver lets right values through as they are", async () => {
  const grant = { resellerId: 2, amount: 5 };
  const outcome = await schemaResolver(CreditGrant)(grant, undefined, {} as never);
  expect(outcome).toEqual({ values: grant, errors: {} });
});

test("a rule between fields speaks beside the schema", () => {
  const values = { title: "", message: "m", buttonText: "Read", linkUrl: "" };
  expect(problemsIn(UpdateForm, values, problemsInUpdate)).toEqual([
    { path: "title", message: "Title is required" },
    { path: "linkUrl", message: "Link URL is required when button text is provided" },
  ]);
});

test("an empty number field is missing", () => {
  expect([numberOrNothing(""), numberOrNothing("7"), numberOrNothing("0")]).toEqual([undefined, 7, 0]);
});
