import { Database } from "bun:sqlite";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dayOf } from "../../src/core/clock.ts";
import { benchFolder, filledDatabase } from "./fill.ts";
import { startServer } from "./server.ts";

interface Size {
  /** Keys in the large database, and how many of them are in use. */
  keys: number;
  keysInUse: number;
  rounds: number;
  seconds: number;
}

export interface Figure {
  value: number;
  note?: string;
}

export type Bench = Awaited<ReturnType<typeof startBench>>;

export const keysSmall = 1_000;

/** Starts the servers that several cases use. All of them end with this process. */
export async function startBench(executable: string, size: Size) {
  mkdirSync(benchFolder, { recursive: true });
  const workFolder = mkdtempSync(join(benchFolder, "run-"));
  process.on("exit", () => rmSync(workFolder, { recursive: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
  const program = join(import.meta.dir, "servers/hand-written.ts");
  const handWritten = [process.execPath, program, join(await dataFolder(size.keys), "latchkey.db")];
  const servers = {
    handWritten: await startServer(handWritten, { NODE_ENV: "production" }),
    large: await serve(await dataFolder(size.keys)),
    small: await serve(await dataFolder(keysSmall)),
  };
  await servers.large.idle();
  return { ...size, ...servers, executable, serve, dataFolder };

  /** Every limit is on. X-Forwarded-For is trusted, so that the load can come from many addresses. */
  function serve(folder: string, environment: Record<string, string> = {}) {
    const settings = { HOST: "127.0.0.1", DATA_DIR: folder, TRUSTED_PROXIES: "127.0.0.1" };
    return startServer([executable, "serve"], { ...settings, ...environment });
  }

  /**
   * Devices have been seen today, because most verifications are not the first of their day, which also writes the day.
   * The copy is on disk when this returns, or the system would write it back during a measurement.
   */
  async function dataFolder(keys: number, resellers?: number): Promise<string> {
    const folder = mkdtempSync(join(workFolder, "data-"));
    const file = join(folder, "latchkey.db");
    await Bun.$`cp ${await filledDatabase(keys, [executable], resellers)} ${file}`;
    const connection = new Database(file);
    connection.run("UPDATE key_devices SET last_seen_day = ?", [dayOf(Date.now())]);
    connection.close();
    await Bun.$`sync ${file}`;
    return folder;
  }
}

export function median(figures: number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor((figures.length - 1) / 2)] ?? Number.NaN;
}

/** Returns the results of all rounds, in order. */
export async function inRounds<Result>(rounds: number, measure: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure());
  return results;
}
