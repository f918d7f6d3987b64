import { parseArgs } from "node:util";
import { describeRun } from "../run-description.ts";
import { type BenchCase, createBench, type Findings } from "./bench.ts";
import { besideLongWork } from "./cases/beside-long-work.ts";
import { besideWrites } from "./cases/beside-writes.ts";
import { engines } from "./cases/engines.ts";
import { growth } from "./cases/growth.ts";
import { guessing } from "./cases/guessing.ts";
import { memory } from "./cases/memory.ts";
import { newDevice } from "./cases/new-device.ts";
import { pages } from "./cases/pages.ts";
import { purchase } from "./cases/purchase.ts";
import { knownDevice, preview, unknownKey } from "./cases/reading.ts";
import { refusals } from "./cases/refusals.ts";
import { start } from "./cases/start.ts";
import { stepByStep } from "./cases/steps.ts";
import { updates } from "./cases/updates.ts";
import { goalTable, rowTable } from "./report.ts";
import { keep } from "./results.ts";

/**
 * `bun run bench`: what the goals of docs/performance.md ask for, measured on this machine, and written there.
 * `--short` is for CI: a smaller database and one short round each; it prints, judges no time and writes nothing, and fails only where an
 * answer is wrong. `--only <case>`, which may stand several times, runs a part of it, and writes nothing either.
 * `--rounds` and `--seconds` make a run shorter or longer.
 */
const { values: options } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    rounds: { type: "string" },
    seconds: { type: "string" },
  },
});

/**
 * What only reads comes first: new devices and purchases change the database that they are measured on. Last is what writes gigabytes, copies of
 * the database: a disk that may write only so much for a while then takes 100 ms for an fsync.
 */
const cases: Record<string, BenchCase> = {
  knownDevice,
  stepByStep,
  preview,
  unknownKey,
  guessing,
  updates,
  growth,
  start,
  memory,
  pages,
  newDevice,
  besideWrites,
  purchase,
  refusals,
  engines,
  besideLongWork,
};

const lengths = {
  // Many short rounds: what else a machine does comes and goes within seconds, and a ratio should meet the same of it on both sides.
  full: { keys: 1_000_000, rounds: 7, closeRounds: 31, seconds: 0.8, processes: 3, verificationsForMemory: 1_000_000 },
  short: { keys: 50_000, rounds: 1, closeRounds: 1, seconds: 0.3, processes: 1, verificationsForMemory: 20_000 },
};

/** Servers that only say where time goes, or how engines compare: CI would learn nothing from them. */
const leftOutOfShort = (name: string) => options.short && ["stepByStep", "engines"].includes(name);

const chosen = Object.entries(cases).filter(([name]) => options.only?.includes(name) ?? !leftOutOfShort(name));
const unknown = options.only?.filter((name) => !Object.hasOwn(cases, name)) ?? [];
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(", ")}. There are: ${Object.keys(cases).join(", ")}.`);
  process.exit(2);
}

const length = options.short ? lengths.short : lengths.full;
const bench = createBench({
  ...length,
  rounds: Number(options.rounds ?? length.rounds),
  closeRounds: Number(options.rounds ?? length.closeRounds),
  seconds: Number(options.seconds ?? length.seconds),
});
const found: Findings = { rows: [], goals: [] };
try {
  for (const [name, measure] of chosen) {
    console.log(`${name} …`);
    const { rows, goals } = await measure(bench);
    if (rows.length > 0) console.log(rowTable(rows));
    found.rows.push(...rows);
    found.goals.push(...goals);
  }
} finally {
  await bench.end();
}

found.goals.sort((a, b) => a.goal.localeCompare(b.goal));
const { keys, rounds, closeRounds, seconds, processes } = bench;
const run = { ...describeRun(), keys, rounds, closeRounds, seconds, processes };
console.log(
  `\n${goalTable([found.goals], { judged: !options.short })}\n\n${run.machine}, ${run.date}, commit ${run.commit}`,
);
if (!options.short && options.only === undefined) keep({ run, ...found });
