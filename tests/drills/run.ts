import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "../markdown-table.ts";
import { NoPostgres, startPostgres } from "../postgres-server.ts";
import { describeRun } from "../run-description.ts";
import { allDrills, patchesOf, patchProblems } from "./harness/catalogue.ts";
import type { Drill, Engine, Outcome } from "./harness/drill.ts";
import { prove } from "./harness/proof.ts";
import { keep, type Result } from "./harness/results.ts";
import { runDrill } from "./harness/run-drill.ts";

/**
 * `bun run drills` checks the promises of docs/reliability.md on the executable `build/latchkey`, in the short form
 * that CI runs. Names of drills as arguments run only those. Drills about data also run on a PostgreSQL server that is
 * started for them; `--engine sqlite` or `--engine postgres` selects one engine, and LATCHKEY_TEST_PROCESSES=2 runs two
 * processes on PostgreSQL. `--long` runs the long form and updates docs/reliability.md. `--prove` applies each of a
 * drill's patches to the product and passes if the drill fails. Nothing runs unless every patch applies. Prints a table
 * and the line `N passed, N failed`; drills that cannot run here count as neither.
 */
const { values: options, positionals: requested } = parseArgs({
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

/** How many of the drills that mostly wait run at once. All twelve together kept two cores from starting a server. */
const waitingAtOnce = 3;

const root = join(import.meta.dir, "../..");
const drills = await allDrills();
const unknown = requested.filter((name) => !drills.has(name));
if (unknown.length > 0) {
  console.error(`Unknown drill: ${unknown.join(", ")}. The drills are ${[...drills.keys()].join(", ")}.`);
  process.exit(2);
}

const problems = patchProblems();
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}

const engines = enginesFor(options);
if (engines === null) {
  console.error("--engine must be sqlite or postgres; --prove works only on sqlite.");
  process.exit(2);
}

const form = options.long ? "long" : "short";
const trials = engines.flatMap(trialsOn);
const postgres = trials.some(({ engine }) => engine === "postgres") ? await startPostgres().catch(nullIfMissing) : null;
if (postgres) console.log(postgres.description);
const outcomes = new Map<Trial, Promise<Timed>>();
// Drills mostly wait, so some run in parallel. The long form measures times, so nothing runs in parallel.
if (form === "short" && !options.prove) {
  for (const each of engines) begin(trials.filter(({ drill, engine }) => !drill.waitsMostly && engine === each));
  const waiting = trials.filter(({ drill }) => drill.waitsMostly);
  for (let lane = 0; lane < waitingAtOnce; lane += 1)
    begin(waiting.filter((_, index) => index % waitingAtOnce === lane));
} else begin(trials);

const results: Result[] = [];
const rows: string[][] = [];
for (const trial of trials) {
  const { name, engine } = trial;
  const { number, promise } = trial.drill;
  console.log(`\n${number}, ${titleOf(trial)}: ${promise} …`);
  const { outcome, found, seconds } = (await outcomes.get(trial)) as Timed;
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
  const chosen = [...drills].filter(([name]) => requested.length === 0 || requested.includes(name));
  const here = chosen.filter(
    ([, { onPostgres, sizes }]) => engine === "sqlite" || (onPostgres && sizes[form] !== null),
  );
  // Drills that were named but do not run on this engine appear in the table as not run.
  return (here.length > 0 || options.engine === undefined ? here : chosen).flatMap(([name, drill]) => {
    const trial = { name, drill, engine };
    return options.prove ? patchesOf(name).map((patch) => ({ ...trial, patch })) : [trial];
  });
}

/** Starts the trials one after the other. */
function begin(lane: Trial[]): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const trial of lane) {
    const ended = before.then(() => timed(trial));
    before = ended;
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
  if (engine === "sqlite") return runDrill({ root, name, form });
  if (!drill.onPostgres) return { outcome: "not run", found: "It does not run on PostgreSQL." };
  if (!postgres) return { outcome: "not run", found: "PostgreSQL is not installed on this machine." };
  return runDrill({ root, name, form, postgres: postgres.url });
}

function titleOf({ name, engine, patch }: Trial): string {
  return patch ?? (engine === "postgres" ? `${name}, PostgreSQL` : name);
}

/** Without PostgreSQL its drills are not run. A PostgreSQL that fails to start is an error. */
function nullIfMissing(error: unknown): null {
  if (!(error instanceof NoPostgres)) throw error;
  console.log(error.message);
  return null;
}
