import type { Bench, Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { times } from "../goal.ts";
import { load } from "../load.ts";

const slowerTimesMax = 3;
const known = { traffic: "knownDevice", connections: 32 } as const;
const writing = { traffic: "newDevice", connections: 32 } as const;

/** P2: how long connected devices wait while as many connections register new ones as fast as they can. */
export async function besideWrites(bench: Bench): Promise<Findings> {
  const { port } = await bench.latchkey();
  const p99Of = async (groups: (typeof known | typeof writing)[]) => {
    const [report] = await load({ port, seconds: bench.seconds, keys: bench.keys, etag: "", groups });
    return report?.p99Ms ?? Number.NaN;
  };
  const ratios: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    const quiet = await p99Of([known]);
    ratios.push((await p99Of([known, writing])) / quiet);
  }
  const { median } = spreadOf(ratios);
  return { rows: [], goals: [times("P2", "connected devices' p99 beside new ones", { max: slowerTimesMax }, median)] };
}
