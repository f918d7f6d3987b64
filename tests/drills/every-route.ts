import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R9",
  promise:
    "every call responds as declared to an anonymous client, the owner, another reseller, a suspended reseller and an admin; an undeclared call fails",
  file: "tests/api/access.test.ts",
  onPostgres: true,
  times: 2,
});
