import type { Bench, Findings } from "../bench.ts";
import { atMost, stated } from "../goal.ts";
import { load } from "../load.ts";
import { startServer } from "../server.ts";

const mebibytesMax = 250;
const connections = 64;

/** P5: what a server of its own holds after it has answered `verifications` connected devices, drawn at random. */
export async function memory(bench: Bench): Promise<Findings> {
  const server = await startServer(await bench.startCommand(bench.keys));
  await server.settled();
  let answers = 0;
  while (answers < bench.verificationsForMemory) {
    const groups = [{ traffic: "knownDevice", connections } as const];
    const [report] = await load({ port: server.port, seconds: bench.seconds, keys: bench.keys, etag: "", groups });
    answers += report?.answers ?? Number.POSITIVE_INFINITY;
  }
  const { residentMiB, ownMiB } = server.memory();
  await server.stop();
  const work = `memory after ${bench.verificationsForMemory} verifications`;
  return {
    rows: [],
    goals: [
      atMost("P5", work, mebibytesMax, "MiB", residentMiB),
      stated("P5", `${work}, without mapped files`, `${ownMiB.toFixed(0)} MiB`),
    ],
  };
}
