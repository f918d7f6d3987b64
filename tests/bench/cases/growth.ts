import { type Bench, type Findings, keysSmall } from "../bench.ts";
import { compare, type Row } from "../compare.ts";
import { atMost } from "../goal.ts";

const slowerPercentMax = 15;

/** P4: the same question to a shop of a thousand keys and to the large one. Their ratio is to each other, so their rows are in no table. */
export async function growth(bench: Bench): Promise<Findings> {
  const { keys, seconds } = bench;
  // It is a small difference of two large figures, which needs more of them.
  const rounds = bench.closeRounds * 2;
  const traffic = "knownDevice";
  const contestants = [
    { name: "small", servers: await bench.latchkeys(keysSmall), traffic, keys: keysSmall },
    { name: "large", servers: await bench.latchkeys(), traffic, keys },
  ] as const;
  const [small, large] = await compare("POST verify, connected device", await bench.limit(), [...contestants], {
    rounds,
    seconds,
  });
  const slower = (small as Row).byCpu.median / (large as Row).byCpu.median - 1;
  const work = `POST verify, from ${keysSmall} to ${keys} keys`;
  return { rows: [], goals: [atMost("P4", work, slowerPercentMax, "% slower", slower * 100)] };
}
