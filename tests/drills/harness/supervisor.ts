import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePostgresDatabase, testServer } from "../../database.ts";
import { freePort } from "../../free-port.ts";
import { type Latchkey, sharedSecret, startLatchkey, temporaryFolder } from "../../process.ts";
import { type Stored, storedInFile, storedInPostgres } from "./stored.ts";

/** A server that is ended and started again on the same folder and the same port, so that whoever talks to it keeps its address. */
export interface Supervised {
  url: string;
  dataFolder: string;
  /** With which a command works on the same database. */
  environment: Record<string, string>;
  /** The database's file, on the embedded engine. */
  file: string;
  stored: Stored;
  pid: () => number;
  output: () => string;
  start: () => Promise<void>;
  /** Answers its exit code. */
  stop: () => Promise<number>;
  /** As `kill -9` does. */
  kill: () => Promise<void>;
  /** Of its own memory, without what is only mapped from files, in MiB. */
  memoryMib: () => number;
  descriptors: () => number;
  /** Ends it, and removes the folder. */
  close: () => Promise<void>;
}

interface SuperviseOptions {
  environment?: Record<string, string>;
  dataFolder?: string;
  command?: string[];
  /** Of the PostgreSQL, one that is not empty. It is dropped at the end. */
  postgres?: { url: string; drop: () => Promise<void> } | null;
}

export async function supervise(options: SuperviseOptions = {}): Promise<Supervised> {
  const dataFolder = options.dataFolder ?? temporaryFolder();
  const port = await freePort();
  const postgres = options.postgres ?? (testServer ? await makePostgresDatabase(testServer) : null);
  const database: Record<string, string> = postgres ? { DATABASE_URL: postgres.url, SECRET: sharedSecret } : {};
  const environment = { ...options.environment, PORT: String(port), ...database };
  const file = join(dataFolder, "latchkey.db");
  const onPostgres = postgres && storedInPostgres(postgres.url);
  const start = () => startLatchkey({ dataFolder, environment, ...(options.command && { command: options.command }) });
  let current: Latchkey = await start();
  const status = () => readFileSync(`/proc/${current.pid}/status`, "utf8");
  return {
    url: `http://127.0.0.1:${port}`,
    dataFolder,
    environment: { DATA_DIR: dataFolder, ...database },
    file,
    stored: onPostgres ?? storedInFile(file),
    pid: () => current.pid,
    output: () => current.output(),
    async start() {
      current = await start();
    },
    stop: () => current.stop(),
    kill: () => current.kill(),
    memoryMib: () => Number(status().match(/RssAnon:\s+(\d+) kB/)?.[1]) / 1_024,
    descriptors: () => readdirSync(`/proc/${current.pid}/fd`).length,
    async close() {
      await current.kill();
      await onPostgres?.end();
      await postgres?.drop();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
