import { heldByTest } from "./harness/held-by-test.ts";

export const drill = heldByTest({
  number: "R18",
  promise: "scripts that were stored in every field run on no page, and the policy has nothing to stop",
  file: "tests/browser/hostile-content.test.ts",
  onPostgres: true,
  times: 2,
});
