import { statSync } from "node:fs";
import { type Bench, executable, type Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { atMost, stated } from "../goal.ts";
import { type Server, startServer } from "../server.ts";

const startMsMax = 80;

/** Between two starts: twenty at one go are over in two seconds, and a machine's neighbours come and go within seconds. */
const apartMs = 1_000;

/** P5: from the command to the first verdict, on the large database; how long bare Bun.serve takes for it in the same minutes; and how large the one file is. */
export async function start(bench: Bench): Promise<Findings> {
  const given = await bench.startCommand(bench.keys);
  const startMs: number[] = [];
  const bareStartMs: number[] = [];
  // The first start is not counted: it reads the executable from the disk.
  for (let each = 0; each <= bench.closeRounds; each += 1) {
    const [own, bare] = [await msToFirstAnswer(() => startServer(given)), await msToFirstAnswer(bench.startBare)];
    if (each > 0) {
      startMs.push(own);
      bareStartMs.push(bare);
    }
    await Bun.sleep(apartMs);
  }
  const mebibytes = statSync(executable).size / 1024 ** 2;
  return {
    rows: [],
    goals: [
      atMost("P5", "start to first answer", startMsMax, "ms", spreadOf(startMs).median),
      stated("P5", "start to first answer, bare Bun.serve", `${spreadOf(bareStartMs).median.toFixed(0)} ms`),
      stated("P5", "the executable", `${mebibytes.toFixed(0)} MiB`),
    ],
  };
}

async function msToFirstAnswer(startOne: () => Promise<Server>): Promise<number> {
  const startedAt = performance.now();
  const server = await startOne();
  await (await fetch(`${server.url}/api/verify/NO-SUCH-KEY/FREE%20FIRE/device`)).text();
  const ms = performance.now() - startedAt;
  await server.stop();
  return ms;
}
