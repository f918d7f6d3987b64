import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Contestant, Row } from "./compare.ts";
import { benchFolder, copyToDisk, filledDatabase, filledFloor, heldInCache } from "./fill.ts";
import type { GoalFigure } from "./goal.ts";
import { type Server, startServer } from "./server.ts";
import type { Step } from "./steps.ts";

/** What a case works with: how long to measure, and the servers, which start when first asked for and live to the end. */
export interface Bench {
  rounds: number;
  /** In place of them for a ratio that is near its goal. */
  closeRounds: number;
  seconds: number;
  /** Of each program that is compared so many run, and take turns: two of one program differ by some 4 % for as long as they live. */
  processes: number;
  /** Keys in the large database; the small one has `keysSmall`. */
  keys: number;
  verificationsForMemory: number;
  /** What every ratio is to: bare Bun.serve that parses a POST and answers a fixed JSON. */
  limit: () => Promise<Contestant>;
  /** Another process of bare Bun.serve, which whoever starts it stops. */
  startBare: () => Promise<Server>;
  /** The hand-written server; `each` commits every new device alone. */
  floors: (commits?: "together" | "each") => Promise<Server[]>;
  latchkeys: (keys?: number) => Promise<Server[]>;
  /** Of those the first. */
  latchkey: (keys?: number, resellers?: number) => Promise<Server>;
  /** What lies between the limit and Latchkey, up to a step. */
  upToStep: (step: Step) => Promise<Server>;
  /** How Latchkey is started by a case that does so itself, on a data folder of its own. */
  startCommand: (
    keys: number,
    resellers?: number,
  ) => Promise<{ command: string[]; environment: Record<string, string> }>;
}

/** What a case found: rows for the table, and the figures that goals ask for. */
export interface Findings {
  rows: Row[];
  goals: GoalFigure[];
}

export type BenchCase = (bench: Bench) => Promise<Findings>;

export const keysSmall = 1_000;

/** What the pages of a large database are compared with. */
export const keysFew = 100;

/** Where the lists of one of them fill a page. */
export const resellersFew = 2;

const databaseName = "latchkey.db";

export const executable = join(import.meta.dir, "../../build/latchkey");

export function createBench(
  options: Pick<Bench, "rounds" | "closeRounds" | "seconds" | "processes" | "keys" | "verificationsForMemory">,
) {
  mkdirSync(benchFolder, { recursive: true });
  const workFolder = mkdtempSync(join(benchFolder, "run-"));
  const program = (name: string) => [process.execPath, join(import.meta.dir, `servers/${name}.ts`)];
  // Nothing is written there, so all of them share it.
  let folderOfSteps: Promise<string> | undefined;
  const held: Uint8Array[] = [];
  const filledCopy = (filled: string, file: string) => {
    copyToDisk(filled, file);
    held.push(heldInCache(file));
  };
  const started = new Map<string, Promise<Server>>();
  const once = (name: string, start: () => Promise<Server>) => {
    const running = started.get(name) ?? start();
    started.set(name, running);
    return running;
  };
  const several = async (start: (process: number) => Promise<Server>) => {
    const servers: Server[] = [];
    for (let process = 0; process < options.processes; process += 1) servers.push(await start(process));
    return servers;
  };

  const dataFolder = async (keys: number, resellers?: number) => {
    const folder = mkdtempSync(join(workFolder, "data-"));
    filledCopy(await filledDatabase(keys, resellers), join(folder, databaseName));
    return folder;
  };
  const startCommand: Bench["startCommand"] = async (keys, resellers) => {
    const folder = await dataFolder(keys, resellers);
    // An address that a proxy forwards counts, so that the load can come from many. All else is as it comes, the limits included.
    const environment = { PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder, TRUSTED_PROXIES: "127.0.0.1" };
    return { command: [executable, "serve"], environment };
  };

  const startedAndSettled = async (program: Parameters<typeof startServer>[0]) => {
    const server = await startServer(program);
    await server.settled();
    return server;
  };

  const startBare = () => startServer({ command: program("bare") });

  const latchkey = (keys = options.keys, resellers: number | undefined = undefined, process = 0) =>
    once(`latchkey ${keys} ${resellers} ${process}`, async () =>
      startedAndSettled(await startCommand(keys, resellers)),
    );

  const bench: Bench = {
    ...options,
    startCommand,
    startBare,
    limit: async () => ({
      name: "bare Bun.serve",
      servers: await several((process) => once(`bare ${process}`, startBare)),
      traffic: "knownDevice",
      keys: options.keys,
    }),
    floors: (commits = "together") =>
      several((process) =>
        once(`floor ${commits} ${process}`, async () => {
          const file = join(workFolder, `floor-${commits}-${process}.db`);
          filledCopy(await filledFloor(options.keys), file);
          return startServer({ command: [...program("floor"), file, commits] });
        }),
      ),
    latchkeys: (keys) => several((process) => latchkey(keys, undefined, process)),
    latchkey: (keys, resellers) => latchkey(keys, resellers),
    upToStep: (step) =>
      once(`up to ${step}`, async () => {
        folderOfSteps ??= dataFolder(options.keys);
        const file = join(await folderOfSteps, databaseName);
        return startedAndSettled({ command: [...program("steps"), step, file] });
      }),
  };

  return Object.assign(bench, {
    async end() {
      for (const server of started.values()) await (await server).stop();
      held.length = 0;
      rmSync(workFolder, { recursive: true, force: true });
    },
  });
}
