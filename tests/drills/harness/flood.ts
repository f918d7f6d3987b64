/** The results of a flood. The status `null` stands for a failed connection. */
export interface FloodResult {
  statuses: Map<number | null, number>;
  /** Durations of accepted and of refused requests. */
  acceptedMs: number[];
  refusedMs: number[];
  /** When the last request was sent, by `performance.now()`. */
  endedAt: number;
}

type Send = (index: number) => Promise<{ status: number }>;

const refusals = [429, 503];

/** A process cannot open more connections than this, and requests it cannot send say nothing about the server. */
const inFlightMax = 4_000;

/** Sends requests at a fixed rate without waiting for responses. Returns once all have ended. */
export async function flood(
  send: Send,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<FloodResult> {
  const result: FloodResult = { statuses: new Map(), acceptedMs: [], refusedMs: [], endedAt: 0 };
  const inFlight = new Set<Promise<void>>();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  for (let index = 0; index < perSecond * seconds && performance.now() < endsAt; index += 1) {
    const dueAt = startedAt + (index / perSecond) * 1_000;
    if (performance.now() < dueAt) await Bun.sleep(dueAt - performance.now());
    if (inFlight.size >= inFlightMax) await Promise.race(inFlight);
    const noted = note(result, send, index).finally(() => inFlight.delete(noted));
    inFlight.add(noted);
  }
  result.endedAt = performance.now();
  await Promise.all(inFlight);
  return result;
}

/** Sends from several clients at once, each of which pauses after a refusal, until `over` returns true. */
export async function crowd(
  send: Send,
  { people, restMs, over }: { people: number; restMs: number; over: () => boolean },
): Promise<FloodResult> {
  const result: FloodResult = { statuses: new Map(), acceptedMs: [], refusedMs: [], endedAt: 0 };
  const person = async (_: unknown, index: number) => {
    while (!over()) {
      const refused = result.refusedMs.length;
      await note(result, send, index);
      if (result.refusedMs.length > refused) await Bun.sleep(restMs);
    }
  };
  await Promise.all(Array.from({ length: people }, person));
  return result;
}

async function note(result: FloodResult, send: Send, index: number): Promise<void> {
  const startedAt = performance.now();
  const status = await send(index).then(
    (response) => response.status,
    () => null,
  );
  result.statuses.set(status, (result.statuses.get(status) ?? 0) + 1);
  if (status === null) return;
  const into = refusals.includes(status) ? result.refusedMs : result.acceptedMs;
  into.push(performance.now() - startedAt);
}

/** The value below which this share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
