import { join } from "node:path";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { type Bench, type Figure, inRounds, median } from "./bench.ts";
import { load } from "./load.ts";
import { adminLists, adminPages } from "./pages.ts";
import type { RepeatOrder } from "./repeat.ts";
import { onLoadCore, type Server } from "./server.ts";

export const works = [
  "lists and searches",
  "pages",
  "the list of all keys",
  "backups",
  "a compensation",
  "a reset",
] as const;

const connections = 32;
const keyPagesOpened = 500;

/** For each kind of work, the ratio of verify's p99 during it to the p99 without it, both at half load. */
export async function interference(bench: Bench): Promise<Figure[]> {
  const folder = await bench.dataFolder(bench.keys);
  const server = await bench.serve(folder);
  const admin = await signInAdmin(() => createClient(server.url));
  const commands = await commandsOf(bench, folder, server, admin);
  await server.idle();
  // A reset takes the keys in order. A key that it has passed is verified as a new device, so the load uses the last
  // ones.
  const keys = { first: bench.keys * 0.9, count: bench.keys * 0.1 };
  const drive = (requestsPerSecond?: number) =>
    load({ port: server.port, kind: "connected", keys, connections, seconds: bench.seconds, requestsPerSecond });
  const figures: Figure[] = [];
  for (const work of works) {
    // A second reset has nothing left to do.
    const rounds = work === "a reset" ? 1 : bench.rounds;
    const p99s = await inRounds(rounds, async () => {
      const half = (await drive()).perSecond / 2;
      const quiet = await drive(half);
      const busy = await (work === "a compensation"
        ? duringCompensation(admin, () => drive(half))
        : during(commands[work], { DATA_DIR: folder }, () => drive(half)));
      return { quiet: quiet.p99Ms, busy: busy.p99Ms };
    });
    const [quiet, busy] = [median(p99s.map((round) => round.quiet)), median(p99s.map((round) => round.busy))];
    figures.push({ value: busy / quiet, note: `${quiet.toFixed(1)} to ${busy.toFixed(1)} ms` });
  }
  await server.stop();
  return figures;
}

/** Requests each page and list once, because the first request after a start fills caches. */
async function commandsOf({ keys, executable }: Bench, folder: string, { url }: Server, admin: Client) {
  const lists = [...adminLists, "/api/admin/search?q=00"];
  const pages = Array.from({ length: keyPagesOpened }, () => `/admin/keys/${1 + Math.floor(Math.random() * keys)}`);
  for (const path of [...lists, "/admin"]) await admin.get(path);
  const repeat = (paths: string[], method?: string) => {
    const order: RepeatOrder = { url, cookie: admin.cookie(), method, paths };
    return [process.execPath, join(import.meta.dir, "repeat.ts"), JSON.stringify(order)];
  };
  const backups = 'while "$0" backup "$1"; do rm "$1"; done; exit 1';
  return {
    "lists and searches": repeat(lists),
    pages: repeat([...adminPages, ...pages]),
    "the list of all keys": repeat(["/api/admin/keys/manage"]),
    backups: ["sh", "-c", backups, executable, join(folder, "copy.db")],
    "a reset": repeat(["/api/admin/keys/reset-devices"], "POST"),
  } satisfies Record<Exclude<(typeof works)[number], "a compensation">, string[]>;
}

/** Runs a command during the measurement, with a lower priority than the load on the same core. */
async function during<Result>(
  command: string[],
  env: Record<string, string>,
  measure: () => Promise<Result>,
): Promise<Result> {
  const nice = onLoadCore(["nice", "-n", "19", ...command]);
  const child = Bun.spawn(nice, { env, stdout: "ignore", stderr: "pipe", detached: true });
  const errors = new Response(child.stderr).text();
  try {
    const result = await measure();
    if (child.exitCode !== null) throw new Error(`The work during the load ended early: ${await errors}`);
    return result;
  } finally {
    // The process group includes the backup that the shell started.
    if (child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await child.exited;
  }
}

/** Compensates all keys, and takes back what was given during the measurement. */
async function duringCompensation<Result>(admin: Client, measure: () => Promise<Result>): Promise<Result> {
  const form = { kind: "compensate", scope: { all: true }, hours: 1, reason: "Measurement", dryRun: false };
  const { body: started } = await admin.post("/api/admin/interventions", form);
  const state = async () => (await admin.get("/api/admin/interventions")).body[0].state;
  const result = await measure();
  if ((await state()) !== "running") throw new Error("The compensation ended early.");
  await admin.post(`/api/admin/interventions/${started.id}/undo`);
  while ((await state()) !== "undone") await Bun.sleep(50);
  return result;
}
