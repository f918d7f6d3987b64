import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R5",
  promise: "of 100 purchases at once with credits for 7 keys exactly 7 succeed, and no balance is ever below 0",
  file: "tests/api/races.test.ts",
  named: "of 100 purchases",
  onPostgres: true,
  times: 40,
});
