import { heldByTest } from "./harness/held-by-test.ts";

export const drill = heldByTest({
  number: "R6",
  promise: "of 200 people who register with one referral token at once, one gets an account and the bonus",
  file: "tests/api/races.test.ts",
  named: "register with one token",
  environment: { RACERS: "200" },
  onPostgres: true,
  times: 10,
});
