import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Drill } from "./harness/drill.ts";
import { Difference, startSimulation } from "./model/simulation.ts";
import { opening, simulationRun } from "./model/steps.ts";

interface Size {
  actions: number;
  stepsPerRun: number;
  /** Limits a run, including the search for the shortest failing one. */
  runMsMax: number;
}

interface Figures {
  runs: number;
  actions: number;
  kills: number;
  unanswered: number;
  clockSteps: number;
}

/** A seed and the maximum number of steps. A run with an odd seed is from source, with a clock that steps. */
type Seed = [seed: number, steps: number];

export const drill: Drill<Size> = {
  number: "R21",
  promise:
    "in any order, with parallel callers and kill -9 in between, every response and every list follows the rules",
  onPostgres: true,
  sizes: {
    short: { actions: 300, stepsPerRun: 80, runMsMax: 180_000 },
    long: { actions: 10_000, stepsPerRun: 300, runMsMax: 900_000 },
    // One in five short runs may miss a single missing cache eviction. This size finds it well before the end.
    proof: { actions: 2_000, stepsPerRun: 80, runMsMax: 180_000 },
  },
  async run({ actions, stepsPerRun, runMsMax }) {
    const figures: Figures = { runs: 0, actions: 0, kills: 0, unanswered: 0, clockSteps: 0 };
    for (const seed of savedSeeds()) await run(seed, runMsMax, figures);
    while (figures.actions < actions) await run([newSeed(figures.runs), stepsPerRun], runMsMax, figures);
    const { runs, kills, unanswered, clockSteps } = figures;
    const total = `${figures.actions.toLocaleString("en-US")} operations in ${runs} runs`;
    const killed = `${kills} kills, ${unanswered} operations killed without a response`;
    return `${total}, ${clockSteps} steps of the clock, ${killed}, 0 differences`;
  },
};

/** Sometimes false, so that the shortest failing run has no opening unless it needs one. */
const opened = fc.constantFrom(false, true, true, true);

/** Runs one simulation on a new server. If it fails, prints the shortest failing run. */
async function run([seed, steps]: Seed, runMsMax: number, figures: Figures): Promise<void> {
  const property = fc.asyncProperty(opened, simulationRun(steps), async (isOpened, commands) => {
    const simulation = await startSimulation({ isFromSource: seed % 2 !== 0 });
    try {
      if (isOpened)
        for (const choose of opening) await simulation.step([choose], { killAfterMs: null, isWatched: false });
      await fc.asyncModelRun(() => ({ model: {}, real: simulation }), commands);
      await simulation.checkEverything();
    } finally {
      await simulation.end();
    }
    figures.runs += 1;
    for (const name of ["actions", "kills", "unanswered", "clockSteps"] as const)
      figures[name] += simulation.figures[name];
  });

  const result = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: runMsMax });
  if (!result.failed) return;
  if (result.errorInstance === null) throw new Error(`The run with seed ${seed} ${steps} took over ${runMsMax} ms.`);
  if (!(result.errorInstance instanceof Difference)) throw result.errorInstance;
  console.error(`\n${result.errorInstance.message}\n`);
  assert.fail(`The run with seed ${seed} ${steps} violates the rules. Add the seed to tests/drills/model/seeds.txt.`);
}

function savedSeeds(): Seed[] {
  const text = readFileSync(join(import.meta.dir, "model/seeds.txt"), "utf8");
  return [...text.matchAll(/^(-?\d+) (\d+)/gm)].map(([, seed, steps]) => [Number(seed), Number(steps)]);
}

/** Every second run is from source. */
function newSeed(runs: number): number {
  return Math.floor(Math.random() * 2 ** 30) * 2 + (runs % 2);
}
