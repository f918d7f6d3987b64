import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../free-port.ts";
import { type Latchkey, startLatchkey, temporaryFolder } from "../../process.ts";

/** A server that is ended and started again on the same folder and the same port, so that whoever talks to it keeps its address. */
export interface Supervised {
  url: string;
  dataFolder: string;
  /** The database's file. */
  file: string;
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
}

export async function supervise(options: SuperviseOptions = {}): Promise<Supervised> {
  const dataFolder = options.dataFolder ?? temporaryFolder();
  const port = await freePort();
  const environment = { ...options.environment, PORT: String(port) };
  const start = () => startLatchkey({ dataFolder, environment, ...(options.command && { command: options.command }) });
  let current: Latchkey = await start();
  const status = () => readFileSync(`/proc/${current.pid}/status`, "utf8");
  return {
    url: `http://127.0.0.1:${port}`,
    dataFolder,
    file: join(dataFolder, "latchkey.db"),
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
      if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
