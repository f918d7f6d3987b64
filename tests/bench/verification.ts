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
  perSecond: number;
  p99Ms: number;
  /** While all contestants get half of what the first one handles in that round. */
  halfLoadP99Ms: number;
}

const warmUpRoundsMax = 3;

async function compare({ rounds, seconds }: Bench, contestants: Contestant[]): Promise<Comparison[]> {
  const driveEach = async () => {
    const driven: (Comparison & { cpuMs: number })[] = [];
    for (const { server, ...order } of contestants) {
      const cpuBefore = server.cpuMs();
      const report = await load({ ...order, port: server.port, seconds });
      const cpuMs = (server.cpuMs() - cpuBefore) / report.responses;
      const [first = { cpuMs, perSecond: report.perSecond }] = driven;
      const requestsPerSecond = first.perSecond / 2;
      const { p99Ms: halfLoadP99Ms } = await load({ ...order, port: server.port, seconds, requestsPerSecond });
      driven.push({ ...report, cpuMs, ratio: first.cpuMs / cpuMs, halfLoadP99Ms });
    }
    return driven;
  };
  await inRounds(Math.min(rounds - 1, warmUpRoundsMax), driveEach);
  const measured = await inRounds(rounds, driveEach);
  return contestants.map((_, contestant) => {
    const medianOf = (name: keyof Comparison) => median(measured.map((round) => round[contestant]?.[name] as number));
    return {
      ratio: medianOf("ratio"),
      perSecond: medianOf("perSecond"),
      p99Ms: medianOf("p99Ms"),
      halfLoadP99Ms: medianOf("halfLoadP99Ms"),
    };
  });
}

/** Compares the hand-written server, which is the unit, and the executable. */
async function compareBoth(bench: Bench, order: Omit<Contestant, "server" | "etag">) {
  const { handWritten, large } = bench;
  const [theirs, own] = (await compare(bench, [
    // The hand-written server signs nothing.
    {
      ...order,
      kind: order.kind === "signed" ? "connected" : order.kind,
      etag: await etagOf(handWritten),
      server: handWritten,
    },
    { ...order, etag: await etagOf(large), server: large },
  ])) as [Comparison, Comparison];
  const p99s = `p99 ${own.p99Ms.toFixed(1)} ms, theirs ${theirs.p99Ms.toFixed(1)}`;
  const atHalfLoad = `at half load ${own.halfLoadP99Ms.toFixed(1)}, theirs ${theirs.halfLoadP99Ms.toFixed(1)}`;
  return { own, ratio: { value: own.ratio, note: `${p99s}; ${atHalfLoad}` }, p99Times: own.p99Ms / theirs.p99Ms };
}

/** What If-None-Match of the updates names. */
async function etagOf({ url }: Server): Promise<string> {
  return (await fetch(`${url}/api/updates`)).headers.get("etag") ?? "";
}

export async function reads(bench: Bench, kind: LoadOrder["kind"], keys = allKeys(bench)): Promise<Figure[]> {
  if (kind !== "unknownKey" && kind !== "unchangedUpdates") await fillCache(bench, keys);
  const { ratio, p99Times } = await compareBoth(bench, { kind, keys });
  return [ratio, { value: p99Times }];
}

/** As games would have done by now. */
async function fillCache({ large }: Bench, keys: LoadOrder["keys"]): Promise<void> {
  await load({ kind: "connected", keys, once: true, port: large.port, seconds: 0 });
}

export async function newDevices(bench: Bench): Promise<Figure[]> {
  const { own, ratio } = await compareBoth(bench, { kind: "newDevice", keys: allKeys(bench) });
  return [ratio, { value: own.p99Ms }];
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
