import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../../client.ts";
import { type Bench, executable, type Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { stated, times } from "../goal.ts";
import { load } from "../load.ts";
import { onLoadCore, startServer } from "../server.ts";

const slowerTimesMax = 2;
const connections = 32;

/** P6: how long connected devices wait, at half of what the server can do, while one long work after another is carried out. */
export async function besideLongWork(bench: Bench): Promise<Findings> {
  const given = await bench.startCommand(bench.keys);
  const server = await startServer(given);
  await server.settled();
  const admin = await signInAdmin(() => createClient(server.url));
  const drive = async (perSecond?: number) => {
    const groups = [{ traffic: "knownDevice", connections, ...(perSecond !== undefined && { perSecond }) } as const];
    const [report] = await load({ port: server.port, seconds: bench.seconds, keys: bench.keys, etag: "", groups });
    if (!report) throw new Error("The load reported nothing.");
    return report;
  };
  const half = (await drive()).perSecond / 2;
  const goals = [];
  try {
    for (const [name, work] of Object.entries(worksOf(admin, given.environment))) {
      const ratios: number[] = [];
      for (let round = 0; round < bench.rounds; round += 1) {
        const quiet = (await drive(half)).p99Ms;
        ratios.push((await beside(work, () => drive(half))).p99Ms / quiet);
      }
      goals.push(times("P6", `verify's p99 beside ${name}`, { max: slowerTimesMax }, spreadOf(ratios).median));
    }
    const startedAt = performance.now();
    const reset = admin.post("/api/admin/keys/reset-devices");
    const { p99Ms } = await drive(half);
    const { status } = await reset;
    if (status !== 200) throw new Error("The reset failed.");
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    goals.push(
      stated("P6", "verify's p99 beside a reset of all devices", `${p99Ms.toFixed(1)} ms, over in ${seconds} s`),
    );
  } finally {
    await server.stop();
  }
  return { rows: [], goals };
}

function worksOf(admin: Client, environment: Record<string, string>): Record<string, () => Promise<unknown>> {
  const copy = join(environment.DATA_DIR as string, "copy.db");
  return {
    "lists and searches": async () => {
      await admin.get("/api/admin/keys/manage?limit=50&search=zz");
      await admin.get("/api/admin/resellers?limit=50&search=9");
      await admin.get("/api/admin/stats");
      await admin.get("/admin");
    },
    "a whole list": () => admin.get("/api/admin/keys/manage"),
    "a download of everything": () => admin.get("/api/admin/backup/download-all"),
    "a backup": async () => {
      await Bun.spawn(onLoadCore([executable, "backup", copy]), { env: environment, stdout: "ignore" }).exited;
      rmSync(copy, { force: true });
    },
  };
}

/** The work again and again, as long as what is measured beside it lasts. */
async function beside<Result>(work: () => Promise<unknown>, measure: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const working = (async () => {
    while (!isOver) await work();
  })();
  const result = await measure();
  isOver = true;
  await working;
  return result;
}
