import { expect, test } from "bun:test";
import { LoginForm, RegistrationForm } from "../../src/accounts/schema.ts";
import { CreditGrant } from "../../src/resellers/schema.ts";
import { problemsInUpdate, UpdateForm } from "../../src/updates/schema.ts";
import check from "./check.ts";

test("empty fields say what is required", () => {
  expect(check(LoginForm, { username: "", password: "" })).toEqual({
    username: "Username is required",
    password: "Password is required",
  });
  expect(check(RegistrationForm, { username: "ab", password: "12345", referralToken: "" })).toEqual({
    username: "Username must be at least 3 characters",
    password: "Password must be at least 6 characters",
    referralToken: "Referral token is required",
  });
});

test("each invalid field has one message, and valid fields have none", () => {
  expect(check(CreditGrant, { amount: 0 })).toEqual({
    resellerId: "Please select a reseller",
    amount: "Amount must be at least 1",
  });
  expect(check(CreditGrant, { resellerId: 2, amount: 5 })).toEqual({});
});

test("a rule between fields adds its messages after those of the schema", () => {
  const values = { title: "", message: "m", buttonText: "Read", linkUrl: "" };
  expect(check(UpdateForm, values, problemsInUpdate)).toEqual({
    title: "Title is required",
    linkUrl: "Link URL is required when button text is provided",
  });
});
