import { heldByTest } from "./harness/held-by-test.ts";

export const drill = heldByTest({
  number: "R14",
  promise:
    "of all passwords for one account from 1,000 addresses 10 are looked at, of all keys from one address 20; rightful use goes on",
  file: "tests/api/guessing.test.ts",
  onPostgres: true,
  environment: { GUESSES: "20000" },
  times: 1,
});
