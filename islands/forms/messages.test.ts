import { expect, test } from "bun:test";
import { ApiFailure } from "../api/api.ts";
import { messagesOfRefusal } from "./values.ts";

const wrong = [{ path: "expiryDate", message: "The date must be in the future." }];

test("an error goes to the field of its name, or to the one that the form maps it to", () => {
  const refusal = new ApiFailure(422, "The date must be in the future.", "INVALID", wrong);
  expect(messagesOfRefusal(refusal, {})).toEqual({ expiryDate: "The date must be in the future." });
  expect(messagesOfRefusal(refusal, { expiryDate: "days" })).toEqual({ days: "The date must be in the future." });
});

test("a refusal whose code is mapped goes to that field; others go to none", () => {
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
