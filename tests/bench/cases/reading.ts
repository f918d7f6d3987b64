import type { BenchCase } from "../bench.ts";
import { compare } from "../compare.ts";
import { ofBare } from "../goal.ts";
import type { TrafficName } from "../traffic.ts";

/** P1 and a part of P3: verdicts that are answered without a write, beside the limit and beside what one writes by hand. */
export const knownDevice = reading("P1", "POST verify, connected device", "knownDevice", 0.6);
export const preview = reading("P3", "GET verify", "preview", 0.6);
export const unknownKey = reading("P3", "POST verify, unknown key", "unknownKey", 0.65);

function reading(goal: string, work: string, traffic: TrafficName, atLeast: number): BenchCase {
  return async (bench) => {
    const { keys, seconds, closeRounds: rounds } = bench;
    const latchkey = { name: "Latchkey", servers: await bench.latchkeys(), traffic, keys };
    const floor = { name: "by hand", servers: await bench.floors(), traffic, keys };
    const rows = await compare(work, await bench.limit(), [latchkey, floor], { rounds, seconds });
    return { rows, goals: rows.slice(0, 1).map(({ byCpu }) => ofBare(goal, work, atLeast, byCpu)) };
  };
}
