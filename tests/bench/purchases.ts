import type { Client } from "../client.ts";
import { type Bench, type Figure, inRounds, median } from "./bench.ts";
import { signInReseller } from "./pages.ts";
import type { Server } from "./server.ts";

const keysPerBatch = 100;
const buyers = 100;
const buysPerRound = 10;
/** More sign-ins at once are refused. */
const signInsAtOnce = 20;

export async function purchases(bench: Bench): Promise<Figure[]> {
  const resellers = await signInResellers(bench.large);
  const [first] = resellers as [Client];
  const times = await inRounds(bench.rounds * buysPerRound, async () => ({
    one: await buyMs(first, 1),
    batch: await buyMs(first, keysPerBatch),
  }));
  const slowest = await inRounds(bench.rounds, async () =>
    Math.max(...(await Promise.all(resellers.map((reseller) => buyMs(reseller, 1))))),
  );
  const [oneMs, batchMs] = [median(times.map(({ one }) => one)), median(times.map(({ batch }) => batch))];
  const note = `${oneMs.toFixed(1)} to ${batchMs.toFixed(1)} ms`;
  return [{ value: batchMs / oneMs, note }, { value: median(slowest) }];
}

export async function signInResellers(server: Server): Promise<Client[]> {
  const resellers: Client[] = [];
  while (resellers.length < buyers) {
    const numbers = Array.from({ length: signInsAtOnce }, (_, index) => resellers.length + index);
    resellers.push(...(await Promise.all(numbers.map((number) => signInReseller(server, number)))));
  }
  return resellers;
}

export async function buyMs(reseller: Client, count: number): Promise<number> {
  const startedAt = performance.now();
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count };
  const { status, text, body } = await reseller.post("/api/reseller/keys/generate", order);
  if (status !== 201 || body.keys.length !== count) throw new Error(`A purchase returned ${status}: ${text}`);
  return performance.now() - startedAt;
}
