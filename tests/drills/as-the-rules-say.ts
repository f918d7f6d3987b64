import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { Drill } from "./harness/drill.ts";
import { Difference, openPlay } from "./model/play.ts";
import { opening, story } from "./model/steps.ts";

interface Size {
  acts: number;
  stepsPerStory: number;
  /** How long a story may last, with the search for the shortest one that shows the same. */
  storyMsMax: number;
}

interface Figures {
  stories: number;
  acts: number;
  kills: number;
  unanswered: number;
}

/** A seed, and of how many steps the story is at most. */
type Seed = [seed: number, steps: number];

export const drill: Drill<Size> = {
  number: "R21",
  promise:
    "in any order, by parallel callers and with kill -9 in between, every answer and every list is what the rules say of it",
  onPostgres: true,
  sizes: {
    short: { acts: 450, stepsPerStory: 80, storyMsMax: 40_000 },
    long: { acts: 10_000, stepsPerStory: 300, storyMsMax: 900_000 },
    // Of five short runs one may miss a single forgotten change; what is broken is found long before these are done.
    proof: { acts: 2_000, stepsPerStory: 80, storyMsMax: 40_000 },
  },
  async run({ acts, stepsPerStory, storyMsMax }) {
    const figures: Figures = { stories: 0, acts: 0, kills: 0, unanswered: 0 };
    for (const seed of keptSeeds()) await tell(seed, storyMsMax, figures);
    while (figures.acts < acts) await tell([newSeed(), stepsPerStory], storyMsMax, figures);
    const { stories, kills, unanswered } = figures;
    const told = `${figures.acts.toLocaleString("en-US")} operations in ${stories} stories`;
    return `${told}, ${kills} kills, ${unanswered} operations killed without an answer, 0 differences`;
  },
};

/** Of a difference that needs no opening the shortest story has none. */
const opened = fc.constantFrom(false, true, true, true);

/** Tells one story on a server of its own. Of a difference it prints the shortest story that shows one. */
async function tell([seed, steps]: Seed, storyMsMax: number, figures: Figures): Promise<void> {
  const property = fc.asyncProperty(opened, story(steps), async (isOpened, commands) => {
    const play = await openPlay();
    try {
      if (isOpened) for (const choose of opening) await play.step([choose], { killAfterMs: null, isWatched: false });
      await fc.asyncModelRun(() => ({ model: {}, real: play }), commands);
      await play.lookAround();
    } finally {
      await play.end();
    }
    figures.stories += 1;
    for (const name of ["acts", "kills", "unanswered"] as const) figures[name] += play.figures[name];
  });
  const result = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: storyMsMax });
  if (!result.failed) return;
  if (!(result.errorInstance instanceof Difference)) throw result.errorInstance;
  console.error(`\n${result.errorInstance.message}\n`);
  assert.fail(
    `The story of the seed ${seed} ${steps} is not as the rules say. Keep it in tests/drills/model/seeds.txt.`,
  );
}

function keptSeeds(): Seed[] {
  const text = readFileSync(join(import.meta.dir, "model/seeds.txt"), "utf8");
  return [...text.matchAll(/^(-?\d+) (\d+)/gm)].map(([, seed, steps]) => [Number(seed), Number(steps)]);
}

function newSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}
