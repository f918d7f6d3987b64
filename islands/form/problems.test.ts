import { expect, test } from "bun:test";
import { LoginForm, RegistrationForm } from "../../src/accounts/schema.ts";
import { CreditGrant } from "../../src/resellers/schema.ts";
import { problemsInUpdate, UpdateForm } from "../../src/updates/schema.ts";
import { ApiFailure } from "../server/api.ts";
import { messagesIn, messagesOfRefusal } from "./problems.ts";

test("empty fields say what is required", () => {
  expect(messagesIn(LoginForm, { username: "", password: "" })).toEqual({
    username: "Username is required",
    password: "Password is required",
  });
  expect(messagesIn(RegistrationForm, { username: "ab", password: "12345", referralToken: "" })).toEqual({
    username: "Username must be at least 3 characters",
    password: "Password must be at least 6 characters",
    referralToken: "Referral token is required",
  });
});

test("each wrong field has one message, and what is right has none", () => {
  expect(messagesIn(CreditGrant, { amount: 0 })).toEqual({
    resellerId: "Please select a reseller",
    amount: "Amount must be at least 1",
  });
  expect(messagesIn(CreditGrant, { resellerId: 2, amount: 5 })).toEqual({});
});

test("a rule between fields speaks beside the schema, and after it", () => {
  const values = { title: "", message: "m", buttonText: "Read", linkUrl: "" };
  expect(messagesIn(UpdateForm, values, problemsInUpdate)).toEqual({
    title: "Title is required",
    linkUrl: "Link URL is required when button text is provided",
  });
});

const wrong = [{ path: "expiryDate", message: "The date must be in the future." }];

test("what the server names stands by the field of that name, or by the one that the form has for it", () => {
  const refusal = new ApiFailure(422, "The date must be in the future.", "INVALID", wrong);
  expect(messagesOfRefusal(refusal, {})).toEqual({ expiryDate: "The date must be in the future." });
  expect(messagesOfRefusal(refusal, { expiryDate: "days" })).toEqual({ days: "The date must be in the future." });
});

test("a refusal whose code is about a field stands by that field; what names no field stands by none", () => {
  const taken = new ApiFailure(409, "The key MINE-1 is already taken.", "KEY_TAKEN");
  expect(messagesOfRefusal(taken, { KEY_TAKEN: "keyString" })).toEqual({
    keyString: "The key MINE-1 is already taken.",
  });
  expect(messagesOfRefusal(taken, {})).toEqual({});
  const both = new ApiFailure(409, "The token is used.", "TOKEN_USED", [{ path: "username", message: "Taken." }]);
  expect(messagesOfRefusal(both, { TOKEN_USED: "referralToken" })).toEqual({
    referralToken: "The token is used.",
    username: "Taken.",
  });
  expect(messagesOfRefusal(new TypeError("fetch failed"), { KEY_TAKEN: "keyString" })).toEqual({});
});
