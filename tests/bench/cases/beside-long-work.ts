import { join } from "node:path";
import { createClient, signInAdmin } from "../../client.ts";
import { type Bench, executable, type Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { times } from "../goal.ts";
import { load } from "../load.ts";
import type { LongWork, LongWorkOrder } from "../long-work.ts";
import { onLoadCore, startServer } from "../server.ts";
import type { TrafficName } from "../traffic.ts";

const slowerTimesMax = 2;
const connections = 32;

/** P6: how long connected devices wait, at half of what the server can do, while one long work after another is carried out. */
export async function besideLongWork(bench: Bench): Promise<Findings> {
  const given = await bench.startCommand(bench.keys);
  const server = await startServer(given);
  await server.settled();
  const admin = await signInAdmin(() => createClient(server.url));
  const drive = async (traffic: TrafficName, perSecond?: number) => {
    const groups = [{ traffic, connections, ...(perSecond !== undefined && { perSecond }) }];
    const [report] = await load({ port: server.port, seconds: bench.seconds, keys: bench.keys, etag: "", groups });
    if (!report) throw new Error("The load reported nothing.");
    return report;
  };
  const half = async () => (await drive("knownDevice")).perSecond / 2;
  const p99Of = async (traffic: TrafficName, perSecond: number) => (await drive(traffic, perSecond)).p99Ms;
  // The goal is about a server that runs: what searches look through is read once after a start, with the first page that somebody opens.
  await half();
  await admin.get("/admin");
  await server.settled();
  // What a machine does elsewhere for 8 ms of a round is that round's p99: so it takes many to tell one from the other.
  const rounds = Math.ceil(bench.closeRounds / 2);
  const longWork = (name: LongWork) => {
    const order: LongWorkOrder = { name, url: server.url, cookie: admin.cookie(), keys: bench.keys };
    return () => [process.execPath, join(import.meta.dir, "../long-work.ts"), JSON.stringify(order)];
  };
  let copies = 0;
  const backup = () => {
    copies += 1;
    return [executable, "backup", join(given.environment.DATA_DIR as string, `copy-${copies}.db`)];
  };
  const inThePanel: LongWork[] = ["lists and searches", "pages in use", "a whole list", "a download of everything"];
  const works = [...inThePanel.map((name) => ({ name, work: longWork(name) })), { name: "a backup", work: backup }];
  const goals = [];
  try {
    for (const { name, work } of works) {
      let quiet = await p99Of("knownDevice", await half());
      const ratios = await inRounds(rounds, async () => {
        const before = quiet;
        // Asked anew each time: half of what the server could do beside quieter neighbours may be all that it can now.
        const perSecond = await half();
        const busy = await beside(work, given.environment, () => p99Of("knownDevice", perSecond));
        quiet = await p99Of("knownDevice", perSecond);
        // On both sides, because a neighbour of a virtual machine may come or go meanwhile.
        return busy / ((before + quiet) / 2);
      });
      goals.push(times("P6", `verify's p99 beside ${name}`, { max: slowerTimesMax }, spreadOf(ratios).median));
    }
    // Once begun it goes on until it is done: so all that is quiet comes before. Whom it has reached is a new device, which waits for the disk (P2).
    const halves = await inRounds(rounds, half);
    const perSecond = spreadOf(halves).median;
    const quiet = await inRounds(rounds, () => p99Of("lateKnownDevice", perSecond));
    const reset = longWork("a reset of all devices");
    const busy = await beside(reset, given.environment, () =>
      inRounds(rounds, () => p99Of("lateKnownDevice", perSecond)),
    );
    const ratio = spreadOf(busy).median / spreadOf(quiet).median;
    const name = "verify's p99 beside a reset of all devices, whom it has not reached";
    goals.push(times("P6", name, { max: slowerTimesMax }, ratio));
  } finally {
    await server.stop();
  }
  return { rows: [], goals };
}

async function inRounds<Result>(rounds: number, measure: () => Promise<Result>): Promise<Result[]> {
  const found: Result[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await measure());
  return found;
}

/** The work again and again, as long as what is measured beside it lasts. The load, which is on the same core, goes before it. */
async function beside<Result>(
  work: () => string[],
  environment: Record<string, string>,
  measure: () => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) {
      const command = onLoadCore(["nice", "-n", "19", ...work()]);
      const child = Bun.spawn(command, { env: environment, stdout: "ignore", stderr: "pipe", signal: over.signal });
      const [complaint, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
      if (code !== 0 && !over.signal.aborted) throw new Error(`The work beside the load ended early: ${complaint}`);
    }
  })();
  // The measure is waited for in any case, and then the work, which would go on for ever.
  working.catch(() => {});
  try {
    return await measure();
  } finally {
    over.abort();
    await working;
  }
}
