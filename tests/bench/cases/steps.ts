import type { Bench, Findings } from "../bench.ts";
import { compare } from "../compare.ts";
import { type Step, steps } from "../steps.ts";

const inWords: Record<Step, string> = {
  router: "Bun's router, by path and method",
  headers: "the headers of a public answer",
  request: "whose host was asked for; the body's type and length",
  schema: "the body against its schema, with its patterns",
  memory: "the device among those in memory, and whether another process has written",
  verdict: "the verdict put together and written as JSON",
  business: "the business around it: asynchronous, the codes in their order, the statistics",
};

export const stepsWork = "POST verify, connected device, step by step";

/** What each step costs between bare Bun.serve and Latchkey: where the rest of P1 goes. Each row has all steps above it. */
export async function stepByStep(bench: Bench): Promise<Findings> {
  const common = { traffic: "knownDevice", keys: bench.keys } as const;
  const contestants = [];
  for (const step of steps) {
    contestants.push({ ...common, name: inWords[step], servers: [await bench.upToStep(step)] });
  }
  const last = { ...common, name: "Latchkey: failures, request ids, and the rest", servers: await bench.latchkeys() };
  const rows = await compare(stepsWork, await bench.limit(), [...contestants, last], bench);
  for (const step of steps) await (await bench.upToStep(step)).stop();
  return { rows, goals: [] };
}
