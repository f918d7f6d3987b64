import { type Bench, type Findings, keysSmall } from "../bench.ts";
import { compare } from "../compare.ts";
import { atMost } from "../goal.ts";

const slowerPercentMax = 15;

/** P4: the same question to a shop of a thousand keys and to the large one. Its ratio is to the small one, so its rows are in no table. */
export async function growth(bench: Bench): Promise<Findings> {
  const { keys } = bench;
  const traffic = "knownDevice";
  const small = { name: "small", server: await bench.latchkey(keysSmall), traffic, keys: keysSmall } as const;
  const large = { name: "large", server: await bench.latchkey(), traffic, keys } as const;
  const rows = await compare("POST verify, connected device", small, [large], bench);
  const work = `POST verify, from ${keysSmall} to ${keys} keys`;
  const goals = rows
    .slice(0, 1)
    .map(({ byCpu }) => atMost("P4", work, slowerPercentMax, "% slower", (1 / byCpu.median - 1) * 100));
  return { rows: [], goals };
}
