import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { freePort } from "../free-port.ts";

const serverCore = 0;
const loadCore = 1;
// Read once: a process that is confined to one core later sees only that one.
const cores = availableParallelism();

const startMsMax = 20_000;
/** Longer than the delay before the server begins its work after a start. */
const idleCheckMs = 700;
const idleCpuMsMax = 20;
const idleChecksMax = 30;
/** The unit of processor time in /proc. */
const msPerTick = 10;

export const onServerCore = (command: string[]) => onCore(serverCore, command);

export const onLoadCore = (command: string[]) => onCore(loadCore, command);

function onCore(core: number, command: string[]): string[] {
  return cores > 1 ? ["taskset", "--cpu-list", String(core), ...command] : command;
}

const children = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

export type Server = Awaited<ReturnType<typeof startServer>>;

/** Starts a program on the server's core and waits until it listens on PORT. */
export async function startServer(command: string[], environment: Record<string, string> = {}) {
  const port = await freePort();
  const env = { ...environment, PORT: String(port) };
  const child = Bun.spawn(onServerCore(command), { env, stdout: "ignore", stderr: "inherit" });
  children.add(child);
  const url = `http://127.0.0.1:${port}`;
  for (const startedAt = performance.now(); !(await isListening(url)); await Bun.sleep(1)) {
    if (child.exitCode === null && performance.now() - startedAt < startMsMax) continue;
    throw new Error(`${command.join(" ")} ended or did not start within ${startMsMax} ms.`);
  }
  return { port, url, cpuMs, residentMiB, idle, stop };

  /** Processor time of all its threads, from the fields after the name in parentheses (proc(5)). */
  function cpuMs(): number {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  }

  function residentMiB(): number {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024;
  }

  /** Waits until the work that follows a start is done. */
  async function idle(): Promise<void> {
    for (let check = 0; check < idleChecksMax; check += 1) {
      const before = cpuMs();
      await Bun.sleep(idleCheckMs);
      if (cpuMs() - before <= idleCpuMsMax) return;
    }
  }

  async function stop(): Promise<void> {
    child.kill();
    await child.exited;
    children.delete(child);
  }
}

function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
