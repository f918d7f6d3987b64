import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "../markdown-table.ts";
import { startPostgres } from "../postgres-server.ts";
import { describeRun } from "../run-description.ts";
import { carryOut } from "./harness/carry-out.ts";
import { allDrills } from "./harness/catalogue.ts";
import type { Drill, Engine, Outcome } from "./harness/drill.ts";
import { prove } from "./harness/proof.ts";
import { keep, type Result } from "./harness/results.ts";

/**
 * `bun run drills`: what docs/reliability.md promises, tried on the executable `build/latchkey`, in the short form that CI runs. Names of
 * drills run those alone. `--engine postgres` runs those that are about data on a PostgreSQL, which it starts. `--long` runs them at length
 * and writes docs/reliability.md; `--prove` breaks the product by each drill's patch, and passes where the drill fails with it. Ends with a
 * table and one line, `N passed, N failed`; what cannot be run here counts as neither.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string", default: "sqlite" },
    long: { type: "boolean", default: false },
    prove: { type: "boolean", default: false },
  },
});

const root = join(import.meta.dir, "../..");
const drills = await allDrills();
const unknown = asked.filter((name) => !drills.has(name));
if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(", ")}. There are: ${[...drills.keys()].join(", ")}.`);
  process.exit(2);
}

if (!["sqlite", "postgres"].includes(options.engine) || (options.prove && options.engine !== "sqlite")) {
  console.error("An --engine is sqlite or postgres; --prove is shown on sqlite.");
  process.exit(2);
}

const engine = options.engine as Engine;
const postgres = engine === "postgres" ? await startPostgres() : null;
if (postgres) console.log(postgres.says);
const form = options.long ? "long" : "short";
const results: Result[] = [];
const chosen = [...drills].filter(([name, { onPostgres }]) =>
  asked.length > 0 ? asked.includes(name) : engine === "sqlite" || onPostgres,
);
// Begun with the first, and told in its turn.
const begun = new Map(chosen.filter(([, drill]) => isBeside(drill)).map(([name]) => [name, timed(name)]));
for (const [name, { number, promise }] of chosen) {
  console.log(`\n${number}, ${name}: ${promise} …`);
  const { outcome, found, seconds } = await (begun.get(name) ?? timed(name));
  console.log(`${outcome}: ${name}: ${found} (${seconds} s)`);
  const onEngine = postgres && { engine };
  results.push({ name, number, promise, form, outcome, found, seconds, ...describeRun(), ...onEngine });
}
await postgres?.stop();

function isBeside({ waitsMostly = false }: Drill): boolean {
  return waitsMostly && form === "short" && !options.prove;
}

async function timed(name: string): Promise<Outcome & { seconds: number }> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(name);
  return { ...outcome, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
}

async function outcomeOf(name: string): Promise<Outcome> {
  const drill = drills.get(name);
  if (options.prove) return prove(name);
  if (drill?.sizes.short === null && form === "short") return { outcome: "not run", found: drill.longOnly ?? "" };
  if (postgres && !drill?.onPostgres) return { outcome: "not run", found: "It is not about data in a PostgreSQL." };
  return carryOut({ root, name, form, postgres: postgres?.url });
}

const rows = results.map(({ number, name, outcome, found, seconds }) => [number, name, outcome, found, `${seconds} s`]);
console.log(`\n${markdownTable(["", "Drill", "Outcome", "Found", "Took"], rows)}\n`);
if (!options.prove) keep(results);
const count = (...wanted: Outcome["outcome"][]) => results.filter(({ outcome }) => wanted.includes(outcome)).length;
const failed = count("failed", "broke off");
if (count("not run") > 0) console.log(`${count("not run")} not run`);
console.log(`${count("passed")} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
