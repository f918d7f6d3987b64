import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "../markdown-table.ts";
import { describeRun } from "../run-description.ts";
import { carryOut } from "./harness/carry-out.ts";
import { allDrills } from "./harness/catalogue.ts";
import type { Outcome } from "./harness/drill.ts";
import { prove } from "./harness/proof.ts";
import { keep, type Result } from "./harness/results.ts";

/**
 * `bun run drills`: what docs/reliability.md promises, tried on the executable `build/latchkey`, in the short form that CI runs. Names of
 * drills run those alone. `--long` runs them at length and writes docs/reliability.md; `--prove` breaks the product by each drill's patch,
 * and passes where the drill fails with it. Ends with a table and one line, `N passed, N failed`; what cannot be run here counts as neither.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { long: { type: "boolean", default: false }, prove: { type: "boolean", default: false } },
});

const root = join(import.meta.dir, "../..");
const drills = await allDrills();
const unknown = asked.filter((name) => !drills.has(name));
if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(", ")}. There are: ${[...drills.keys()].join(", ")}.`);
  process.exit(2);
}

const form = options.long ? "long" : "short";
const results: Result[] = [];
for (const [name, drill] of drills) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n${drill.number}, ${name}: ${drill.promise} …`);
  const startedAt = performance.now();
  const { outcome, found } = await outcomeOf(name);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  console.log(`${outcome}: ${found} (${seconds} s)`);
  results.push({ name, number: drill.number, promise: drill.promise, form, outcome, found, seconds, ...describeRun() });
}

async function outcomeOf(name: string): Promise<Outcome> {
  const drill = drills.get(name);
  if (options.prove) return prove(name);
  if (drill?.sizes.short === null && form === "short") return { outcome: "not run", found: drill.longOnly ?? "" };
  return carryOut(root, name, form);
}

const rows = results.map(({ number, name, outcome, found, seconds }) => [number, name, outcome, found, `${seconds} s`]);
console.log(`\n${markdownTable(["", "Drill", "Outcome", "Found", "Took"], rows)}\n`);
if (!options.prove) keep(results);
const count = (...wanted: Outcome["outcome"][]) => results.filter(({ outcome }) => wanted.includes(outcome)).length;
const failed = count("failed", "broke off");
if (count("not run") > 0) console.log(`${count("not run")} not run`);
console.log(`${count("passed")} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
