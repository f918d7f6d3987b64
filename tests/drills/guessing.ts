import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R14",
  promise:
    "from 1,000 addresses 10 passwords are checked for one account, from one address 20 keys; legitimate use continues",
  file: "tests/api/guessing.test.ts",
  onPostgres: true,
  environment: { GUESSES: "20000" },
  times: 1,
});
