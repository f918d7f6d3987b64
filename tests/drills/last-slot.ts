import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R4",
  promise:
    "when 200 devices race for a key with a limit of 1, 2 or 100, exactly the limit connect; one device takes one slot",
  file: "tests/api/races.test.ts",
  named: "devices that race for a key|one device that verifies",
  onPostgres: true,
  times: 40,
});
