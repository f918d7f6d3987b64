import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R6",
  promise: "when 200 people register with one referral token at once, one gets an account and the bonus",
  file: "tests/api/races.test.ts",
  named: "register with one token",
  environment: { RACERS: "200" },
  onPostgres: true,
  times: 10,
});
