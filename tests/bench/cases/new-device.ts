import type { Bench, Findings } from "../bench.ts";
import { compare, type Row } from "../compare.ts";
import { atMost, ofBare, stated, times } from "../goal.ts";

const ofBareMin = 0.14;
const timesOneByOneMin = 3;
const p99MsMax = 25;

/**
 * In 0.8 s there are some 80 commits, for each of which 64 wait: the p99 of so short a round is its longest commit. In three times as long it is the
 * third one.
 */
const timesAsLong = 3;

/**
 * Some 25,000 devices for each process. There are fewer of them in a second than of anything else, so what they need is compiled later, and SQLite's
 * log grows to its full length first.
 */
const roundsToWarm = 2;

/** P2: every answer is a device that was not there before, and is on the disk. */
export async function newDevice(bench: Bench): Promise<Findings> {
  const work = "POST verify, new device";
  const { keys } = bench;
  const length = { rounds: Math.ceil(bench.closeRounds / 2), seconds: bench.seconds * timesAsLong, roundsToWarm };
  const common = { traffic: "newDevice", keys } as const;
  const contestants = [
    { ...common, name: "Latchkey", servers: await bench.latchkeys() },
    { ...common, name: "by hand", servers: await bench.floors() },
    { ...common, name: "by hand, a commit each", servers: await bench.floors("each") },
  ];
  const rows = await compare(work, await bench.limit(), contestants, length);
  const [latchkey, byHand, oneByOne] = rows as [Row, Row, Row];
  return {
    rows,
    goals: [
      ofBare("P2", work, ofBareMin, latchkey.byRate),
      times("P2", `${work}, over a commit each`, { min: timesOneByOneMin }, latchkey.perSecond / oneByOne.perSecond),
      atMost("P2", `${work}, p99`, p99MsMax, "ms", latchkey.p99Ms),
      stated("P2", `${work}, p99 by hand`, `${byHand.p99Ms.toFixed(0)} ms`),
    ],
  };
}
