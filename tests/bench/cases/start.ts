import { statSync } from "node:fs";
import { type Bench, executable, type Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { atMost, stated } from "../goal.ts";
import { startServer } from "../server.ts";

const startMsMax = 80;

/** Between two starts: twenty at one go are over in two seconds, and a machine's neighbours come and go within seconds. */
const apartMs = 1_000;

/** P5: from the command to the first verdict, on the large database; and how large the one file is. */
export async function start(bench: Bench): Promise<Findings> {
  const given = await bench.startCommand(bench.keys);
  const startMs: number[] = [];
  // The first start is not counted: it reads the executable from the disk.
  for (let each = 0; each <= bench.closeRounds; each += 1) {
    const startedAt = performance.now();
    const server = await startServer(given);
    await (await fetch(`${server.url}/api/verify/NO-SUCH-KEY/FREE%20FIRE/device`)).text();
    if (each > 0) startMs.push(performance.now() - startedAt);
    await server.stop();
    await Bun.sleep(apartMs);
  }
  const mebibytes = statSync(executable).size / 1024 ** 2;
  return {
    rows: [],
    goals: [
      atMost("P5", "start to first answer", startMsMax, "ms", spreadOf(startMs).median),
      stated("P5", "the executable", `${mebibytes.toFixed(0)} MiB`),
    ],
  };
}
