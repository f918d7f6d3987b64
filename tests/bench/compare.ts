import { load } from "./load.ts";
import type { Server } from "./server.ts";
import type { TrafficName } from "./traffic.ts";

/** One server under one kind of load. */
export interface Contestant {
  name: string;
  server: Server;
  traffic: TrafficName;
  keys: number;
  etag?: string;
}

/** The median of some rounds, and the lowest and highest of them. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

export interface Row {
  work: string;
  server: string;
  cpuMicrosPerRequest: number;
  /** Of the round that was disturbed least. */
  cpuMicrosLowest: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** The limit's processor time per request over this one's, round by round. */
  byCpu: Spread;
  /** This one's requests a second over the limit's: what counts where a server waits for the disk. */
  byRate: Spread;
}

interface Measured {
  cpuMicrosPerRequest: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const connections = 64;

/**
 * Drives the limit and the contestants in turn, again and again, so that what else the machine does meets all of them alike. Answers a row for
 * each contestant, in their order, and the limit's own last.
 */
export async function compare(
  work: string,
  limit: Contestant,
  contestants: Contestant[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Row[]> {
  const all = [...contestants, limit];
  // Not counted: the first requests of a kind are answered by code that is not compiled yet.
  for (const contestant of all) await drive(contestant, seconds / 2);
  const measured: Measured[][] = all.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contestant] of all.entries()) measured[index]?.push(await drive(contestant, seconds));
  }
  const ofLimit = measured.at(-1) ?? [];
  return all.map(({ name }, index) => rowOf(work, name, measured[index] ?? [], ofLimit));
}

async function drive(contestant: Contestant, seconds: number): Promise<Measured> {
  const { server, traffic, keys, etag = "" } = contestant;
  const before = server.cpuSeconds();
  const [report] = await load({ port: server.port, seconds, keys, etag, groups: [{ traffic, connections }] });
  if (!report) throw new Error("The load reported nothing.");
  const { perSecond, p50Ms, p99Ms } = report;
  return { cpuMicrosPerRequest: ((server.cpuSeconds() - before) / report.answers) * 1e6, perSecond, p50Ms, p99Ms };
}

function rowOf(work: string, server: string, rounds: Measured[], limit: Measured[]): Row {
  const middle = (figure: keyof Measured) => spreadOf(rounds.map((round) => round[figure])).median;
  const inRound = (ratio: (own: Measured, limits: Measured) => number) =>
    spreadOf(rounds.map((own, round) => ratio(own, limit[round] as Measured)));
  return {
    work,
    server,
    cpuMicrosPerRequest: middle("cpuMicrosPerRequest"),
    cpuMicrosLowest: Math.min(...rounds.map(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)),
    perSecond: middle("perSecond"),
    p50Ms: middle("p50Ms"),
    p99Ms: middle("p99Ms"),
    byCpu: inRound((own, limits) => limits.cpuMicrosPerRequest / own.cpuMicrosPerRequest),
    byRate: inRound((own, limits) => own.perSecond / limits.perSecond),
  };
}

export function spreadOf(figures: number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return { median: at(Math.floor((sorted.length - 1) / 2)), low: at(0), high: at(sorted.length - 1) };
}
