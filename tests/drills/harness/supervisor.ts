import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePostgresDatabase, testServer } from "../../database.ts";
import { freePort } from "../../free-port.ts";
import { type Latchkey, processes, sharedSecret, startLatchkey, temporaryFolder } from "../../process.ts";
import { startTcpProxy } from "../../tcp-proxy.ts";
import { type StoredDatabase, storedInFile, storedInPostgres } from "./stored-database.ts";

/**
 * A server that can be stopped and restarted with the same folder and address. On PostgreSQL it consists of
 * LATCHKEY_TEST_PROCESSES processes, which share the connections; `pid` and the measurements concern the first process.
 */
export interface Supervised {
  url: string;
  dataFolder: string;
  /** The environment for commands on the same database. */
  environment: Record<string, string>;
  /** The database file, with SQLite. */
  file: string;
  stored: StoredDatabase;
  pid: () => number;
  output: () => string;
  start: () => Promise<void>;
  /** Returns its exit code. */
  stop: () => Promise<number>;
  /** Kills it with -9. */
  kill: () => Promise<void>;
  /** Its memory in MiB, without mapped files. */
  memoryMib: () => number;
  descriptors: () => number;
  /** Kills it and removes the folder. */
  close: () => Promise<void>;
}

interface SuperviseOptions {
  environment?: Record<string, string>;
  dataFolder?: string;
  command?: string[];
  /** Only on PostgreSQL. */
  processes?: number;
  /** An existing PostgreSQL database with content. It is dropped at the end. */
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
  const besides = await Promise.all(
    Array.from({ length: postgres ? (options.processes ?? processes) - 1 : 0 }, freePort),
  );
  const proxy = besides.length > 0 ? await startTcpProxy([port, ...besides]) : null;
  const command = options.command && { command: options.command };
  const start = async (): Promise<[Latchkey, ...Latchkey[]]> => {
    const first = await startLatchkey({ dataFolder, environment, ...command });
    const others = besides.map((each) =>
      startLatchkey({ environment: { ...environment, PORT: String(each) }, ...command }),
    );
    return [first, ...(await Promise.all(others))];
  };
  let current = await start();
  const kill = async () => void (await Promise.all(current.map((each) => each.kill())));
  const status = () => readFileSync(`/proc/${current[0].pid}/status`, "utf8");
  return {
    url: `http://127.0.0.1:${proxy?.port ?? port}`,
    dataFolder,
    environment: { DATA_DIR: dataFolder, ...database },
    file,
    stored: onPostgres ?? storedInFile(file),
    pid: () => current[0].pid,
    output: () => current.map((each) => each.output()).join(""),
    async start() {
      current = await start();
    },
    stop: async () => Math.max(...(await Promise.all(current.map((each) => each.stop())))),
    kill,
    memoryMib: () => Number(status().match(/RssAnon:\s+(\d+) kB/)?.[1]) / 1_024,
    descriptors: () => readdirSync(`/proc/${current[0].pid}/fd`).length,
    async close() {
      await kill();
      await proxy?.stop();
      await onPostgres?.end();
      await postgres?.drop();
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
