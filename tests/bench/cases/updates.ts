import type { Bench, Findings } from "../bench.ts";
import { compare } from "../compare.ts";
import { ofBare } from "../goal.ts";

/** The rest of P3: the announcements, fetched whole, and asked for by whoever holds them already. */
export async function updates(bench: Bench): Promise<Findings> {
  const server = await bench.latchkey();
  const etag = (await fetch(`${server.url}/api/updates`)).headers.get("etag") ?? "";
  const common = { name: "Latchkey", servers: [server], keys: bench.keys, etag };
  const limit = await bench.limit();
  const whole = await compare("GET updates", limit, [{ ...common, traffic: "updates" }], bench);
  const held = await compare("GET updates, unchanged", limit, [{ ...common, traffic: "unchangedUpdates" }], bench);
  const goals = [whole, held].flatMap(([row]) => (row ? [ofBare("P3", row.work, 0.75, row.byCpu)] : []));
  return { rows: [...whole, ...held], goals };
}
