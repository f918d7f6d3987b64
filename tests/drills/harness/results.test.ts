import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allDrills } from "./catalogue.ts";

const page = readFileSync(join(import.meta.dir, "../../../docs/reliability.md"), "utf8");

test("docs/reliability.md has the promise of every drill", async () => {
  const rows = [...(await allDrills())].map(
    ([name, { number, promise }]) => `| ${number} | ${promise} | \`${name}\` |`,
  );
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});
