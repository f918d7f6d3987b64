import { load } from "./load.ts";
import type { Server } from "./server.ts";
import type { TrafficName } from "./traffic.ts";

/** Processes of one program under one kind of load, which take turns. */
export interface Contestant {
  name: string;
  servers: Server[];
  traffic: TrafficName;
  keys: number;
  etag?: string;
}

/** The median of some rounds, and what the middle half of them lies between. */
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

interface Length {
  rounds: number;
  seconds: number;
  /** Not counted, of each process: the first requests of a kind are answered by code that is not compiled yet. */
  roundsToWarm?: number;
}

/** The contestants' figures, in their order, and the limit's, halfway between what it did before them and after them. */
interface Round {
  contestants: Measured[];
  limit: Measured;
}

/**
 * Drives the limit and the contestants in turn, again and again, so that what else the machine does meets all of them alike, and counts every round:
 * to choose those in which the limit was quick is to choose against whoever was measured beside it, because a virtual machine's neighbours
 * come and go within a second. Answers a row for each contestant, in their order, and the limit's own last.
 */
export async function compare(
  work: string,
  limit: Contestant,
  contestants: Contestant[],
  { rounds, seconds, roundsToWarm = 2 }: Length,
): Promise<Row[]> {
  for (const contestant of [...contestants, limit])
    for (const turn of contestant.servers.keys()) await drive(contestant, turn, seconds * roundsToWarm);
  const measured: Round[] = [];
  let before = await drive(limit, 0, seconds);
  for (let turn = 0; turn < rounds; turn += 1) {
    const ofContestants: Measured[] = [];
    for (const contestant of contestants) ofContestants.push(await drive(contestant, turn, seconds));
    const after = await drive(limit, turn + 1, seconds);
    measured.push({ contestants: ofContestants, limit: halfway(before, after) });
    before = after;
  }
  return rowsOf(work, limit, contestants, measured);
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

async function drive(contestant: Contestant, turn: number, seconds: number): Promise<Measured> {
  const { servers, traffic, keys, etag = "" } = contestant;
  const server = servers[turn % servers.length] as Server;
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
  const last = sorted.length - 1;
  return { median: at(Math.floor(last / 2)), low: at(Math.floor(last / 4)), high: at(Math.ceil((last * 3) / 4)) };
}
