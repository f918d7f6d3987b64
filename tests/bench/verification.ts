import { type Bench, type Figure, inRounds, keysSmall, median } from "./bench.ts";
import { connectedDevice, game, keyText } from "./key-space.ts";
import { type LoadOrder, load } from "./load.ts";
import type { Server } from "./server.ts";

export const allKeys = ({ keys }: Bench): LoadOrder["keys"] => ({ count: keys });

/** The keys in use are spread over the whole database. */
export const keysInUse = ({ keys, keysInUse: count }: Bench): LoadOrder["keys"] => ({ count, step: keys / count });

interface Contestant extends Pick<LoadOrder, "kind" | "keys" | "etag"> {
  server: Server;
}

/** Medians over the rounds. */
interface Comparison {
  /**
   * Of the first contestant's processor time per request, in the same round, to this one's. Other work on the machine
   * disturbs it least.
   */
  ratio: number;
  p99Ms: number;
}

const warmUpRoundsMax = 3;

async function compare({ rounds, seconds }: Bench, contestants: Contestant[]): Promise<Comparison[]> {
  const driveEach = async () => {
    const driven: { cpuMs: number; p99Ms: number }[] = [];
    for (const { server, ...order } of contestants) {
      const cpuBefore = server.cpuMs();
      const report = await load({ ...order, port: server.port, seconds });
      driven.push({ ...report, cpuMs: (server.cpuMs() - cpuBefore) / report.responses });
    }
    const [first = { cpuMs: Number.NaN }] = driven;
    return driven.map(({ cpuMs, p99Ms }) => ({ ratio: first.cpuMs / cpuMs, p99Ms }));
  };
  await inRounds(Math.min(rounds - 1, warmUpRoundsMax), driveEach);
  const measured = await inRounds(rounds, driveEach);
  return contestants.map((_, contestant) => {
    const medianOf = (name: keyof Comparison) => median(measured.map((round) => round[contestant]?.[name] as number));
    return { ratio: medianOf("ratio"), p99Ms: medianOf("p99Ms") };
  });
}

/** Compares bare Bun.serve, the executable and the hand-written server. */
async function compareThree(bench: Bench, order: Omit<Contestant, "server">) {
  const [, own, handWritten] = (await compare(bench, [
    { kind: "connected", keys: order.keys, server: bench.bare },
    { ...order, server: bench.large },
    { ...order, server: bench.handWritten },
  ])) as [Comparison, Comparison, Comparison];
  return { own, handWritten };
}

export async function reads(bench: Bench, kind: LoadOrder["kind"], keys = allKeys(bench)): Promise<Figure[]> {
  if (kind !== "unknownKey") await fillCache(bench, keys);
  const { own, handWritten } = await compareThree(bench, { kind, keys });
  return [{ value: own.ratio, note: `hand-written ${handWritten.ratio.toFixed(2)}` }];
}

/** As games would have done by now. */
async function fillCache({ large }: Bench, keys: LoadOrder["keys"]): Promise<void> {
  await load({ kind: "connected", keys, once: true, port: large.port, seconds: 0 });
}

export async function newDevices(bench: Bench): Promise<Figure[]> {
  const { own, handWritten } = await compareThree(bench, { kind: "newDevice", keys: allKeys(bench) });
  return [
    { value: own.ratio, note: `hand-written ${handWritten.ratio.toFixed(2)}` },
    { value: own.p99Ms, note: `hand-written ${handWritten.p99Ms.toFixed(0)} ms` },
  ];
}

/** The hand-written server signs nothing. */
export async function signed(bench: Bench): Promise<Figure[]> {
  const keys = keysInUse(bench);
  const [, own] = await compare(bench, [
    { kind: "connected", keys, server: bench.bare },
    { kind: "signed", keys, server: bench.large },
  ]);
  return [{ value: own?.ratio ?? Number.NaN }];
}

/** The hand-written server has no updates. */
export async function unchangedUpdates(bench: Bench): Promise<Figure[]> {
  const etag = (await fetch(`${bench.large.url}/api/updates`)).headers.get("etag") ?? "";
  const keys = allKeys(bench);
  const [, own] = await compare(bench, [
    { kind: "connected", keys, server: bench.bare },
    { kind: "unchangedUpdates", keys, etag, server: bench.large },
  ]);
  return [{ value: own?.ratio ?? Number.NaN }];
}

export async function growth(bench: Bench): Promise<Figure[]> {
  await fillCache(bench, keysInUse(bench));
  const [, small] = await compare(bench, [
    { kind: "connected", keys: keysInUse(bench), server: bench.large },
    { kind: "connected", keys: { count: keysSmall }, server: bench.small },
  ]);
  return [{ value: ((small?.ratio ?? Number.NaN) - 1) * 100 }];
}

const memoryReadings = 10;

export async function startAndMemory(bench: Bench): Promise<Figure[]> {
  const folder = await bench.dataFolder(bench.keys);
  const path = `/api/verify/${keyText(0)}/${encodeURIComponent(game)}/${connectedDevice(0)}`;
  const starts = await inRounds(bench.rounds + 1, async () => {
    const startedAt = performance.now();
    const server = await bench.serve(folder);
    const verdict = await (await fetch(server.url + path)).text();
    const ms = performance.now() - startedAt;
    await server.stop();
    if (!verdict.includes('"code":"VALID"')) throw new Error(`The first verdict is wrong: ${verdict}`);
    return ms;
  });
  const server = await bench.serve(folder);
  await server.idle();
  // Between two garbage collections the memory under full load grows by half, so one reading says little.
  const residentMiB = await inRounds(memoryReadings, async () => {
    await load({ port: server.port, kind: "connected", keys: allKeys(bench), seconds: bench.seconds });
    return server.residentMiB();
  });
  await server.stop();
  // The first start reads the executable from the disk.
  return [
    { value: median(starts.slice(1)) },
    {
      value: median(residentMiB),
      note: `${Math.min(...residentMiB).toFixed(0)} to ${Math.max(...residentMiB).toFixed(0)} MiB`,
    },
  ];
}
