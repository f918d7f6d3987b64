import { heldByTest } from "./harness/held-by-test.ts";

export const drill = heldByTest({
  number: "R9",
  promise:
    "every call is answered to nobody, its owner, another reseller, a suspended one and an admin as it is declared; a call that is not declared fails",
  file: "tests/api/access.test.ts",
  onPostgres: true,
  times: 2,
});
