import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePostgresDatabase, testServer } from "../../database.ts";
import { freePort } from "../../free-port.ts";
import { type Latchkey, processes, sharedSecret, startLatchkey, temporaryFolder } from "../../process.ts";
import { startTcpProxy } from "../../tcp-proxy.ts";
import { type Stored, storedInFile, storedInPostgres } from "./stored.ts";

/**
 * A server that is ended and started again on the same folder and the same port, so its clients keep its address. On PostgreSQL
 * it is as many processes as LATCHKEY_TEST_PROCESSES says, which take turns at the connections; `pid` and what is measured are the first one's.
 */
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
  /** On a PostgreSQL. */
  processes?: number;
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
