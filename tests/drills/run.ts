import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "../markdown-table.ts";
import { NoPostgres, startPostgres } from "../postgres-server.ts";
import { describeRun } from "../run-description.ts";
import { carryOut } from "./harness/carry-out.ts";
import { allDrills, patchesOf, patchProblems } from "./harness/catalogue.ts";
import type { Drill, Engine, Outcome } from "./harness/drill.ts";
import { prove } from "./harness/proof.ts";
import { keep, type Result } from "./harness/results.ts";

/**
 * `bun run drills`: what docs/reliability.md promises, tried on the executable `build/latchkey`, in the short form that CI runs. Names of
 * drills run those alone. Those that are about data run once more on a PostgreSQL, which is started for them; `--engine sqlite` and
 * `--engine postgres` leave the other out, and LATCHKEY_TEST_PROCESSES=2 makes it two processes on the PostgreSQL. `--long` runs them at
 * length and writes docs/reliability.md; `--prove` breaks the product by each of a drill's patches, and passes where the drill fails with it.
 * Nothing starts unless every patch applies. Ends with a table and one line, `N passed, N failed`; what cannot be run here counts as neither.
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: "string" },
    long: { type: "boolean", default: false },
    prove: { type: "boolean", default: false },
  },
});

/** A line of the table: a drill on an engine, or against one of its patches. */
interface Trial {
  name: string;
  drill: Drill;
  engine: Engine;
  patch?: string;
}

type Timed = Outcome & { seconds: number };

const root = join(import.meta.dir, "../..");
const drills = await allDrills();
const unknown = asked.filter((name) => !drills.has(name));
if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(", ")}. There are: ${[...drills.keys()].join(", ")}.`);
  process.exit(2);
}

const problems = patchProblems();
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

const engines = enginesFor(options);
if (engines === null) {
  console.error("An --engine is sqlite or postgres; --prove is shown on sqlite.");
  process.exit(2);
}

const form = options.long ? "long" : "short";
const trials = engines.flatMap(trialsOn);
const postgres = trials.some(({ engine }) => engine === "postgres") ? await startPostgres().catch(tellNone) : null;
if (postgres) console.log(postgres.says);
const outcomes = new Map<Trial, Promise<Timed>>();
// Drills wait more than they compute. At length, where times are judged, none goes beside another.
if (form === "short" && !options.prove)
  for (const each of engines) begin(trials.filter(({ engine }) => engine === each));
else begin(trials);

const results: Result[] = [];
const rows: string[][] = [];
for (const [trial, ended] of outcomes) {
  const { name, engine } = trial;
  const { number, promise } = trial.drill;
  console.log(`\n${number}, ${titleOf(trial)}: ${promise} …`);
  const { outcome, found, seconds } = await ended;
  console.log(`${outcome}: ${titleOf(trial)}: ${found} (${seconds} s)`);
  rows.push([number, titleOf(trial), outcome, found, `${seconds} s`]);
  const onEngine = engine === "postgres" && { engine };
  results.push({ name, number, promise, form, outcome, found, seconds, ...describeRun(), ...onEngine });
}
await postgres?.stop();

console.log(`\n${markdownTable(["", "Drill", "Outcome", "Found", "Took"], rows)}\n`);
if (!options.prove) keep(results);
const count = (...wanted: Outcome["outcome"][]) => results.filter(({ outcome }) => wanted.includes(outcome)).length;
const failed = count("failed", "broke off");
if (count("not run") > 0) console.log(`${count("not run")} not run`);
console.log(`${count("passed")} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function enginesFor({ engine, prove: isProof }: typeof options): Engine[] | null {
  if (engine === undefined) return isProof ? ["sqlite"] : ["sqlite", "postgres"];
  if (engine === "sqlite" || (engine === "postgres" && !isProof)) return [engine];
  return null;
}

function trialsOn(engine: Engine): Trial[] {
  const chosen = [...drills].filter(([name]) => asked.length === 0 || asked.includes(name));
  const here = chosen.filter(
    ([, { onPostgres, sizes }]) => engine === "sqlite" || (onPostgres && sizes[form] !== null),
  );
  // Whoever asks for one that does not run there is told so.
  return (here.length > 0 || options.engine === undefined ? here : chosen).flatMap(([name, drill]) => {
    const trial = { name, drill, engine };
    return options.prove ? patchesOf(name).map((patch) => ({ ...trial, patch })) : [trial];
  });
}

/** Begins them, one after the other but for those that go beside all others. They are told in their order. */
function begin(lane: Trial[]): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const trial of lane) {
    const isBeside = trial.drill.waitsMostly && form === "short" && !options.prove;
    const ended = isBeside ? timed(trial) : before.then(() => timed(trial));
    if (!isBeside) before = ended;
    outcomes.set(trial, ended);
  }
}

async function timed(trial: Trial): Promise<Timed> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(trial);
  return { ...outcome, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
}

async function outcomeOf({ name, drill, engine, patch }: Trial): Promise<Outcome> {
  if (patch !== undefined) return prove(name, patch);
  if (drill.sizes.short === null && form === "short") return { outcome: "not run", found: drill.longOnly ?? "" };
  if (engine === "sqlite") return carryOut({ root, name, form });
  if (!drill.onPostgres) return { outcome: "not run", found: "It is not about data in a PostgreSQL." };
  if (!postgres) return { outcome: "not run", found: "There is no PostgreSQL on this machine." };
  return carryOut({ root, name, form, postgres: postgres.url });
}

function titleOf({ name, engine, patch }: Trial): string {
  return patch ?? (engine === "postgres" ? `${name}, PostgreSQL` : name);
}

/** What is to be tried on it is not run then. One that does not start is a failure. */
function tellNone(error: unknown): null {
  if (!(error instanceof NoPostgres)) throw error;
  console.log(error.message);
  return null;
}
