import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R14",
  promise:
    "at most 10 passwords for an account are checked and one each from at most 20 clean addresses, 20 keys from an address over all public calls; legitimate use continues",
  file: "tests/api/guessing.test.ts",
  onPostgres: true,
  environment: { GUESSES: "20000" },
  times: 1,
});
