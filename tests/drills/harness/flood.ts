/** What became of the requests of a flood, by status; `null` stands for a connection that was broken off. */
export interface Flooded {
  statuses: Map<number | null, number>;
  /** Milliseconds of those that were done, and of those that were refused at once. */
  acceptedMs: number[];
  refusedMs: number[];
  /** When the last was sent, by `performance.now()`. */
  endedAt: number;
}

type Send = (index: number) => Promise<{ status: number }>;

const refusals = [429, 503];

/** So many are on their way at most: past it one process can open no more connections, and what it cannot even send says nothing of the server. */
const onTheirWayMax = 4_000;

/** Sends so many a second, as far as it can, whether or not those before are answered, and answers once all are. */
export async function flood(
  send: Send,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Flooded> {
  const flooded: Flooded = { statuses: new Map(), acceptedMs: [], refusedMs: [], endedAt: 0 };
  const onTheirWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  for (let index = 0; index < perSecond * seconds && performance.now() < endsAt; index += 1) {
    const dueAt = startedAt + (index / perSecond) * 1_000;
    if (performance.now() < dueAt) await Bun.sleep(dueAt - performance.now());
    if (onTheirWay.size >= onTheirWayMax) await Promise.race(onTheirWay);
    const noted = note(flooded, send, index).finally(() => onTheirWay.delete(noted));
    onTheirWay.add(noted);
  }
  flooded.endedAt = performance.now();
  await Promise.all(onTheirWay);
  return flooded;
}

/** The same from so many at once, each of whom rests a while after a refusal, until `over` says so. */
export async function crowd(
  send: Send,
  { people, restMs, over }: { people: number; restMs: number; over: () => boolean },
): Promise<Flooded> {
  const flooded: Flooded = { statuses: new Map(), acceptedMs: [], refusedMs: [], endedAt: 0 };
  const person = async (_: unknown, index: number) => {
    while (!over()) {
      const refused = flooded.refusedMs.length;
      await note(flooded, send, index);
      if (flooded.refusedMs.length > refused) await Bun.sleep(restMs);
    }
  };
  await Promise.all(Array.from({ length: people }, person));
  return flooded;
}

async function note(flooded: Flooded, send: Send, index: number): Promise<void> {
  const startedAt = performance.now();
  const status = await send(index).then(
    (answer) => answer.status,
    () => null,
  );
  flooded.statuses.set(status, (flooded.statuses.get(status) ?? 0) + 1);
  if (status === null) return;
  const into = refusals.includes(status) ? flooded.refusedMs : flooded.acceptedMs;
  into.push(performance.now() - startedAt);
}

/** The value below which so large a share of them is. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}
