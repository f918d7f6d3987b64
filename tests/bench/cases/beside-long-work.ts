import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../../client.ts";
import { type Bench, executable, type Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { times } from "../goal.ts";
import { load } from "../load.ts";
import { besideLoad, onLoadCore, startServer } from "../server.ts";
import type { TrafficName } from "../traffic.ts";

const slowerTimesMax = 2;
const connections = 32;

/** So many there are in each form. */
const resellersOpened = 90;

/** One long work, which ends early when nobody needs it any more. */
type Work = (isOver: AbortSignal) => Promise<unknown>;

/**
 * P6: how long connected devices wait, at half of what the server can do, while one long work after another is carried out. Who opens pages and
 * downloads lists is elsewhere.
 */
export const besideLongWork = (bench: Bench): Promise<Findings> => besideLoad(() => measured(bench));

async function measured(bench: Bench): Promise<Findings> {
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
  const half = (await drive("knownDevice")).perSecond / 2;
  // The goal is about a server that runs: what searches look through is read once after a start, with the first page that somebody opens.
  await admin.get("/admin");
  await server.settled();
  const p99OfKnown = async () => (await drive("knownDevice", half)).p99Ms;
  const p99OfLate = async () => (await drive("lateKnownDevice", half)).p99Ms;
  // What a machine does elsewhere for 8 ms of a round is that round's p99: so it takes many to tell one from the other.
  const rounds = Math.ceil(bench.closeRounds / 2);
  const goals = [];
  try {
    for (const [name, work] of Object.entries(worksOf(bench, server.url, admin, given.environment))) {
      let quiet = await p99OfKnown();
      const ratios = await inRounds(rounds, async () => {
        const before = quiet;
        const busy = await beside(work, p99OfKnown);
        quiet = await p99OfKnown();
        // On both sides, because a neighbour of a virtual machine may come or go meanwhile.
        return busy / ((before + quiet) / 2);
      });
      goals.push(times("P6", `verify's p99 beside ${name}`, { max: slowerTimesMax }, spreadOf(ratios).median));
    }
    // Once begun it goes on until it is done: so all that is quiet comes before. Whom it has reached is a new device, which waits for the disk (P2).
    const reset = taken(server.url, admin, "/api/admin/keys/reset-devices", "POST");
    const quiet = await inRounds(rounds, p99OfLate);
    const busy = await beside(reset, () => inRounds(rounds, p99OfLate));
    const ratio = spreadOf(busy).median / spreadOf(quiet).median;
    const name = "verify's p99 beside a reset of all devices, whom it has not reached";
    goals.push(times("P6", name, { max: slowerTimesMax }, ratio));
  } finally {
    await server.stop();
  }
  return { rows: [], goals };
}

async function inRounds(rounds: number, measure: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await measure());
  return found;
}

function worksOf(bench: Bench, url: string, admin: Client, environment: Record<string, string>): Record<string, Work> {
  let opened = 0;
  const copies: string[] = [];
  return {
    "lists and searches": async () => {
      await admin.get("/api/admin/keys/manage?limit=50&search=zz");
      await admin.get("/api/admin/resellers?limit=50&search=9");
      await admin.get("/api/admin/stats");
      await admin.get("/admin");
    },
    // Each time about others: a page that was opened before would come from memory.
    "pages in use": async () => {
      opened += 1;
      const reseller = 3 + (opened % resellersOpened);
      const key = 1 + (opened % bench.keys);
      for (const path of [
        `/admin/resellers/${reseller}`,
        `/api/admin/resellers/${reseller}/ledger?limit=30`,
        "/api/admin/orders/1",
        `/admin/keys/${key}`,
        `/api/admin/keys/${key}/timeline`,
        "/api/admin/search?q=00042",
        "/api/admin/figures?days=30",
      ])
        await admin.get(path);
    },
    "a whole list": taken(url, admin, "/api/admin/keys/manage"),
    "a download of everything": taken(url, admin, "/api/admin/backup/download-all"),
    "a backup": (signal) => {
      const copy = join(environment.DATA_DIR as string, `copy-${copies.push("")}.db`);
      const command = onLoadCore([executable, "backup", copy]);
      return Bun.spawn(command, { env: environment, stdout: "ignore", stderr: "ignore", signal }).exited;
    },
  };
}

/** One call, whose answer is read to its end. */
function taken(url: string, admin: Client, path: string, method = "GET"): Work {
  return async (signal) => {
    const response = await fetch(url + path, { method, headers: { cookie: admin.cookie() }, signal });
    if (!response.ok) throw new Error(`${path} was answered: ${await response.text()}`);
    for await (const piece of response.body ?? []) void piece;
  };
}

/** The work again and again, as long as what is measured beside it lasts. */
async function beside<Result>(work: Work, measure: () => Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const working = (async () => {
    while (!over.signal.aborted) await work(over.signal);
  })();
  const ended = working.catch((error) => {
    if (!over.signal.aborted) throw error;
  });
  const result = await measure();
  over.abort();
  await ended;
  return result;
}
