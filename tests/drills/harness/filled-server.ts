import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { filledDatabase } from "../../bench/fill.ts";
import { load } from "../../bench/load.ts";
import { onServerCore } from "../../bench/server.ts";
import { makePostgresDatabase, testServer } from "../../database.ts";
import { program, runLatchkey, temporaryFolder } from "../../process.ts";
import { type Supervised, supervise } from "./supervisor.ts";

/** A server whose database is filled as for the benchmarks. The first admin has the tests' password. */
export async function superviseFilled(
  keys: number,
  environment: Record<string, string> = {},
  command?: string[],
): Promise<Supervised> {
  const dataFolder = temporaryFolder();
  copyFileSync(await filledDatabase(keys), join(dataFolder, "latchkey.db"));
  const postgres = testServer ? await movedTo(testServer, dataFolder) : null;
  const server = await supervise({ dataFolder, environment, postgres, ...(command && { command }) });
  return {
    ...server,
    async close() {
      await server.close();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Moves the database to PostgreSQL as an operator would. */
async function movedTo(server: string, dataFolder: string) {
  const postgres = await makePostgresDatabase(server, { isEmpty: true });
  const { code, stderr } = await runLatchkey(["move", "--to", postgres.url], { environment: { DATA_DIR: dataFolder } });
  assert.equal(code, 0, stderr);
  return postgres;
}

/** If there are two cores, the server gets one to itself, so that players do not wait for other processes. */
export function superviseFilledApart(keys: number, environment = {}): Promise<Supervised> {
  return superviseFilled(keys, environment, onServerCore(program));
}

/** The traffic of several thousand players, sent at a fixed rate. */
const playersPerSecond = 300;
const connections = 16;

/**
 * The p99 of verifications on known devices, measured from when a request was due so that queueing counts. Asserts
 * every response.
 */
export async function playersP99(
  { url }: Supervised,
  { keys, seconds }: { keys: number; seconds: number },
): Promise<number> {
  const rate = { connections, requestsPerSecond: playersPerSecond };
  const port = Number(new URL(url).port);
  const { p99Ms } = await load({ kind: "connected", port, seconds, keys: { count: keys }, ...rate });
  return Number.isNaN(p99Ms) ? Number.POSITIVE_INFINITY : p99Ms;
}
