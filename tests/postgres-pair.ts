import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { freePort } from "./free-port.ts";
import { asUnprivileged, newCluster, runUnprivileged, startMsMax, versionWithin } from "./postgres-server.ts";

/** A primary and its synchronous standby, as docs/operating.md describes them. */
export interface PostgresPair {
  /** An address that names both. */
  url: string;
  /** Freezes the standby for a while, so that it lags behind. */
  freezeStandby(): void;
  /** Kills all processes of the primary with -9, as if its machine failed, and lets a frozen standby go on. */
  killPrimary(): Promise<void>;
  /** Makes the standby the primary. */
  promote(): Promise<void>;
  /** Replaces the killed server by a standby of the new primary, at its old address. */
  addStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** `synchronous_commit` is too weak, which Latchkey must compensate for. The files do not outlive the drill. */
const settings = [
  ...["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "shared_buffers=64MB"],
  ...["max_connections=100", "synchronous_commit=local", "wal_keep_size=64MB"],
].flatMap((setting) => ["-c", setting]);

interface Server {
  data: string;
  port: number;
  url: string;
  child: Bun.Subprocess;
}

export async function startPostgresPair(): Promise<PostgresPair> {
  const { folder, programs, data } = await newCluster();
  let primary = await start(data, await freePort());
  let standby = await joinTo(primary, join(folder, "standby"), await freePort());
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`);
  const end = () => {
    for (const { child } of [primary, standby]) child.kill("SIGQUIT");
  };
  process.once("exit", end);
  return {
    url: `postgres://latchkey@${hosts.join(",")}/postgres?target_session_attrs=read-write`,
    freezeStandby: () => signal(standby, "SIGSTOP"),
    async killPrimary() {
      signal(primary, "SIGKILL");
      await primary.child.exited;
      // What has reached the standby's machine but not its disk would be lost with the connection, so it is not read.
      for (const pid of processesOf(standby)) if (isReceiver(pid)) process.kill(pid, "SIGTERM");
      signal(standby, "SIGCONT");
    },
    async promote() {
      await runUnprivileged([join(programs, "pg_ctl"), "promote", "-D", standby.data, "-s"]);
      [primary, standby] = [standby, primary];
    },
    async addStandby() {
      rmSync(standby.data, { recursive: true });
      standby = await joinTo(primary, standby.data, standby.port);
    },
    async stop() {
      process.off("exit", end);
      end();
      await Promise.all([primary, standby].map(({ child }) => child.exited));
      rmSync(folder, { recursive: true, force: true });
    },
  };

  async function start(at: string, port: number): Promise<Server> {
    const words = ["-D", at, "-p", `${port}`, ...settings];
    const child = Bun.spawn([...asUnprivileged, join(programs, "postgres"), ...words], {
      cwd: folder,
      stdout: "ignore",
      stderr: Bun.file(join(folder, `${port}.log`)),
    });
    const url = `postgres://latchkey@127.0.0.1:${port}/postgres`;
    await versionWithin(url, startMsMax);
    return { data: at, port, url, child };
  }

  /** From then on the primary's commits wait for the standby. */
  async function joinTo({ url }: Server, at: string, port: number): Promise<Server> {
    const copy = ["-D", at, "-d", url, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"];
    await runUnprivileged([join(programs, "pg_basebackup"), ...copy]);
    // After a promotion it is alone.
    appendFileSync(join(at, "postgresql.auto.conf"), "synchronous_standby_names = ''\n");
    const started = await start(at, port);
    const sql = new SQL(url, { max: 1 });
    await sql.unsafe("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await sql.unsafe("SELECT pg_reload_conf()");
    const lateAt = performance.now() + startMsMax;
    const isSynchronous = async () =>
      (await sql.unsafe("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'")).length >
      0;
    while (!(await isSynchronous())) {
      if (performance.now() > lateAt) throw new Error("The standby does not become synchronous.");
      await Bun.sleep(20);
    }
    await sql.close({ timeout: 0 });
    return started;
  }
}

/** PostgreSQL's processes have separate process groups, so each gets the signal. */
function signal(server: Server, name: NodeJS.Signals): void {
  for (const pid of processesOf(server)) process.kill(pid, name);
}

function processesOf({ child }: Server): number[] {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  return [child.pid, ...children.trim().split(" ").map(Number)];
}

/** The process that receives the primary's log. */
function isReceiver(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("walreceiver");
}
