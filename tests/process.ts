import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePostgresDatabase, testServer } from "./database.ts";
import { startTcpProxy } from "./tcp-proxy.ts";

const root = join(import.meta.dir, "..");
/** A busy machine takes half a minute. */
const startMsMax = 60_000;
const stopMsMax = 6_000;

/**
 * The command that runs Latchkey: the executable in LATCHKEY_BINARY, otherwise the source. The same tests run on both.
 */
export const program: string[] = process.env.LATCHKEY_BINARY
  ? [process.env.LATCHKEY_BINARY]
  : [process.execPath, join(root, "src/main.ts")];

/** The SECRET of all processes that share a database. */
export const sharedSecret = "k3Jx9_qWm2Zt7-RbV5nY8cLd4Hf6Gs0Pa1";

export const adminLogin = { username: "admin", password: "test-admin-password" };

export interface Latchkey {
  url: string;
  dataFolder: string;
  pid: number;
  /** All output so far. */
  output: () => string;
  /** Stops it and returns its exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number>;
  /** Kills it with -9. The data folder stays. */
  kill: () => Promise<void>;
}

/** Creates a temporary folder. The caller removes it. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "latchkey-test-"));
}

interface StartOptions {
  environment?: Record<string, string>;
  options?: string[];
  command?: string[];
  /** An existing data folder, which is not removed. */
  dataFolder?: string;
}

/** The number of processes that share the database when tests run on PostgreSQL. */
export const processes = Number(process.env.LATCHKEY_TEST_PROCESSES ?? 1);

/**
 * Starts a real server on a free port with a new data folder, and waits until it is ready. On PostgreSQL it may be
 * several processes behind one address: each connection goes to the next process, so with two every second call reaches
 * the other one.
 */
export async function startLatchkey(options: StartOptions = {}): Promise<Latchkey> {
  const isOwn = options.dataFolder !== undefined || options.environment?.DATABASE_URL !== undefined;
  return testServer && processes > 1 && !isOwn ? startSeveral(options, testServer) : startOne(options);
}

async function startSeveral(options: StartOptions, server: string): Promise<Latchkey> {
  const postgres = await makePostgresDatabase(server);
  const environment = { DATABASE_URL: postgres.url, SECRET: sharedSecret, ...options.environment };
  const all = await Promise.all(Array.from({ length: processes }, () => startOne({ ...options, environment })));
  const proxy = await startTcpProxy(all.map(({ url }) => Number(new URL(url).port)));
  const [first] = all as [Latchkey];
  return {
    ...first,
    url: `${new URL(first.url).protocol}//127.0.0.1:${proxy.port}`,
    output: () => all.map(({ output }) => output()).join(""),
    async stop(signal) {
      const codes = await Promise.all(all.map((each) => each.stop(signal)));
      await proxy.stop();
      await postgres.drop();
      return Math.max(...codes);
    },
    kill: async () => void (await Promise.all(all.map((each) => each.kill()))),
  };
}

async function startOne({
  environment,
  options = [],
  command = program,
  dataFolder,
}: StartOptions = {}): Promise<Latchkey> {
  const folder = dataFolder ?? temporaryFolder();
  const postgres = testServer && !environment?.DATABASE_URL ? await makePostgresDatabase(testServer) : null;
  const server = Bun.spawn([...command, "serve", ...options], {
    cwd: folder,
    env: {
      PORT: "0",
      HOST: "127.0.0.1",
      DATA_DIR: folder,
      ADMIN_USERNAME: adminLogin.username,
      ADMIN_PASSWORD: adminLogin.password,
      RATE_LIMITS: "off",
      KEY_CACHE: process.env.KEY_CACHE ?? "on",
      ...(postgres && { DATABASE_URL: postgres.url, SECRET: sharedSecret }),
      ...environment,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const collect = async (stream: ReadableStream<Uint8Array>, found?: () => void) => {
    const decoder = new TextDecoder();
    for await (const piece of stream) {
      output += decoder.decode(piece, { stream: true });
      if (output.includes("Latchkey is ready at")) found?.();
    }
  };
  const ready = new Promise<void>((resolve) => void collect(server.stdout, resolve));
  void collect(server.stderr);

  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal);
    const late = setTimeout(() => server.kill("SIGKILL"), stopMsMax);
    const code = await server.exited;
    clearTimeout(late);
    return code;
  };
  const lateStart = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => lateStart.reject(new Error(`Not ready within ${startMsMax} ms:\n${output}`)),
    startMsMax,
  );
  const ended = server.exited.then((code) => {
    throw new Error(`serve ended with code ${code}:\n${output}`);
  });
  ended.catch(() => {});
  await Promise.race([ready, ended, lateStart.promise])
    .catch(async (error) => {
      // The caller gets no handle to stop it.
      await end("SIGKILL");
      throw error;
    })
    .finally(() => clearTimeout(timer));

  const [, scheme, port] = output.match(/ready at (https?):\/\/localhost:(\d+)/) ?? [];
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    dataFolder: folder,
    pid: server.pid,
    output: () => output,
    stop: async (signal = "SIGTERM") => {
      const code = await end(signal);
      await postgres?.drop();
      if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
      return code;
    },
    kill: async () => void (await end("SIGKILL")),
  };
}

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command and waits for its end. */
export async function runLatchkey(
  words: string[],
  {
    environment = {},
    input = "",
    cwd,
    command = program,
  }: { environment?: Record<string, string>; input?: string; cwd?: string; command?: string[] } = {},
): Promise<Finished> {
  const process = Bun.spawn([...command, ...words], {
    cwd,
    env: { ...environment },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
    process.exited,
  ]);
  return { code, stdout, stderr };
}

/** The exit code and error message of a server that did not start. The last line of its log has the message. */
export function refusedStart({ code, stdout, stderr }: Finished): { code: number; message: string } {
  if (stderr !== "") throw new Error(`The server wrote to standard error instead of its log:\n${stderr}`);
  const { level, event, message } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  if (level !== "FATAL" || event !== "server_failed")
    throw new Error(`The log does not end with a failed start:\n${stdout}`);
  return { code, message };
}
