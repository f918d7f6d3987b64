import { heldByTest } from "./harness/held-by-test.ts";

export const drill = heldByTest({
  number: "R4",
  promise:
    "of 200 devices that race for the last slots of a key, with a limit of 1, 2 and 100, exactly the limit get in; one device takes one",
  file: "tests/api/races.test.ts",
  named: "devices that race for a key|one device that asks",
  onPostgres: true,
  times: 40,
});
