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

/** A round is disturbed where the limit, right before it or right after it, took more than so many times its lowest. */
const disturbedTimes = 1.15;

/** The contestants' figures, in their order, and the limit's, halfway between what it did before them and after them. */
interface Round {
  contestants: Measured[];
  limit: Measured;
  /** Of the limit before and after, whichever took longer. */
  limitCpuMicros: number;
}

/**
 * Drives the limit and the contestants in turn, again and again, so that what else the machine does meets all of them alike. A virtual machine's
 * neighbours take from the caches and the memory, and from whoever needs those most: so a disturbed round is measured again while there is
 * patience, and those count that were disturbed least, by the limit alone. Answers a row for each contestant, in their order, and the limit's own last.
 */
export async function compare(
  work: string,
  limit: Contestant,
  contestants: Contestant[],
  { rounds, seconds, patienceSeconds }: { rounds: number; seconds: number; patienceSeconds: number },
): Promise<Row[]> {
  // Not counted: the first requests of a kind are answered by code that is not compiled yet.
  for (const contestant of [...contestants, limit]) await drive(contestant, seconds / 2);
  const measured: Round[] = [];
  const endsAt = performance.now() + patienceSeconds * 1000;
  for (let before = await drive(limit, seconds); ; ) {
    const ofContestants: Measured[] = [];
    for (const contestant of contestants) ofContestants.push(await drive(contestant, seconds));
    const after = await drive(limit, seconds);
    measured.push({
      contestants: ofContestants,
      limit: halfway(before, after),
      limitCpuMicros: Math.max(before.cpuMicrosPerRequest, after.cpuMicrosPerRequest),
    });
    before = after;
    const quiet = quietest(measured, rounds);
    if (measured.length >= rounds && (performance.now() > endsAt || !isDisturbed(quiet.at(-1), measured))) {
      return rowsOf(work, limit, contestants, quiet);
    }
  }
}

function quietest(measured: Round[], rounds: number): Round[] {
  return measured.toSorted((one, other) => one.limitCpuMicros - other.limitCpuMicros).slice(0, rounds);
}

function isDisturbed(round: Round | undefined, among: Round[]): boolean {
  const lowest = Math.min(...among.map(({ limit }) => limit.cpuMicrosPerRequest));
  return round !== undefined && round.limitCpuMicros > disturbedTimes * lowest;
}

function halfway(one: Measured, other: Measured): Measured {
  const mean = (figure: keyof Measured) => (one[figure] + other[figure]) / 2;
  return {
    cpuMicrosPerRequest: mean("cpuMicrosPerRequest"),
    perSecond: mean("perSecond"),
    p50Ms: mean("p50Ms"),
    p99Ms: mean("p99Ms"),
  };
}

function rowsOf(work: string, limit: Contestant, contestants: Contestant[], rounds: Round[]): Row[] {
  const ofLimit = rounds.map((round) => round.limit);
  const rows = contestants.map(({ name }, index) => {
    const own = rounds.map((round) => round.contestants[index] as Measured);
    return rowOf(work, name, own, ofLimit);
  });
  return [...rows, rowOf(work, limit.name, ofLimit, ofLimit)];
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
