import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** Server and load have a core each, where there are two. */
const serverCore = 0;
const loadCore = 1;
/** Asked once, because a process that has moved to one core is told of that alone. */
const cores = availableParallelism();

const readyMsMax = 15_000;

/** A server begins what it does of itself within so long, and rests when it hardly uses a processor for so long. */
const beginsWithinMs = 700;
const restsForMs = 300;
const restShareMax = 0.02;

export interface Server {
  port: number;
  url: string;
  /** Processor time that all its threads have used so far, in seconds. */
  cpuSeconds: () => number;
  memory: () => Memory;
  /** Answers once it has done what it does of itself after a start, and rests. */
  settled: () => Promise<void>;
  stop: () => Promise<void>;
}

interface Memory {
  residentMiB: number;
  /** Without what is only mapped from files, which the system takes back when it needs room. */
  ownMiB: number;
}

interface Program {
  command: string[];
  environment?: Record<string, string>;
}

/** What servers write to their standard error: refused guesses are told there, a hundred lines a second. */
const log = Bun.file(join(tmpdir(), "latchkey-bench.log"));

/** Starts a program on the server's core, and waits until it says where it is ready. */
export async function startServer({ command, environment = {} }: Program): Promise<Server> {
  const child = Bun.spawn(onServerCore(command), { env: environment, stdout: "pipe", stderr: log });
  const tooLate = setTimeout(() => child.kill("SIGKILL"), readyMsMax);
  const port = await portSaid(child.stdout);
  clearTimeout(tooLate);
  const cpuSeconds = cpuClockOf(child.pid);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    cpuSeconds,
    memory: () => memoryOf(child.pid),
    settled: () => settled(cpuSeconds),
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

export const onServerCore = (command: string[]) => onCore(serverCore, command);

export const onLoadCore = (command: string[]) => onCore(loadCore, command);

/** `taskset` replaces itself by the command, so the child's id is the command's. */
function onCore(core: number, command: string[]): string[] {
  return cores > 1 ? ["taskset", "--cpu-list", String(core), ...command] : command;
}

/** Goes on reading after the port was said: a server whose output nobody takes would be stopped by it. */
function portSaid(stream: ReadableStream<Uint8Array>): Promise<number> {
  return new Promise((resolve, reject) => {
    const read = async () => {
      let text = "";
      const decoder = new TextDecoder();
      for await (const piece of stream) {
        text += decoder.decode(piece, { stream: true });
        const port = text.match(/ready at http:\/\/localhost:(\d+)/)?.[1];
        if (port) resolve(Number(port));
      }
      reject(new Error(`A server ended before it was ready, or needed more than ${readyMsMax} ms:\n${text}`));
    };
    read().catch(reject);
  });
}

/** The first figure of each thread's schedstat is nanoseconds on a processor. proc(5)'s stat counts in ticks of 10 ms. */
function cpuClockOf(pid: number): () => number {
  // Of threads that have ended, too: a sum without them would run backwards.
  const nanosecondsOf = new Map<string, number>();
  return () => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      try {
        const [nanoseconds = ""] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
        nanosecondsOf.set(thread, Number(nanoseconds));
      } catch {
        // It has ended since the list was read.
      }
    }
    return nanosecondsOf.values().reduce((sum, each) => sum + each, 0) / 1e9;
  };
}

async function settled(cpuSeconds: () => number): Promise<void> {
  await Bun.sleep(beginsWithinMs);
  for (let before = cpuSeconds(); ; ) {
    await Bun.sleep(restsForMs);
    const after = cpuSeconds();
    if (after - before < (restShareMax * restsForMs) / 1_000) return;
    before = after;
  }
}

function memoryOf(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mebibytes = (name: string) => Number(status.match(new RegExp(`${name}:\\s+(\\d+) kB`))?.[1]) / 1_024;
  return { residentMiB: mebibytes("VmRSS"), ownMiB: mebibytes("RssAnon") };
}
