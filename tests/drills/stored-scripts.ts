import { testDrill } from "./harness/test-drill.ts";

export const drill = testDrill({
  number: "R18",
  promise: "scripts stored in every field run on no page, and the content security policy has nothing to block",
  file: "tests/browser/hostile-content.test.ts",
  onPostgres: true,
  times: 2,
});
