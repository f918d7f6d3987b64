import { Database as Connection } from "bun:sqlite";
import { join } from "node:path";
import { createMetrics } from "../../../src/core/metrics.ts";
import { openSqlite } from "../../../src/db/sqlite/sqlite.ts";
import { createStatistics } from "../../../src/verify/statistics.ts";
import type { Bench, Findings } from "../bench.ts";
import { atMost } from "../goal.ts";

const megabytesMax = 100;
/** As many refused keys as are kept between two flushes. */
const keysPerFlush = 20_000;
const at = Date.UTC(2026, 5, 1);

/** P6: what a million refusals, each of another key, add to the database. Fewer keys are counted up to a million. */
export async function refusals(bench: Bench): Promise<Findings> {
  const { environment } = await bench.startCommand(bench.keys);
  const file = join(environment.DATA_DIR as string, "latchkey.db");
  const before = bytesOf(file);
  const database = openSqlite(file);
  const statistics = createStatistics({ database, metrics: createMetrics({ ms: () => at }) });
  for (let id = 1; id <= bench.keys; id += 1) {
    const key = { id, resellerId: 2 };
    statistics.count({ code: "DEVICE_LIMIT_REACHED", key, deviceId: crypto.randomUUID(), isNewDevice: true, at });
    if (id % keysPerFlush === 0 || id === bench.keys) await statistics.write();
  }
  await database.close();
  const megabytes = (((bytesOf(file) - before) / bench.keys) * 1e6) / 2 ** 20;
  return { rows: [], goals: [atMost("P6", "a million refusals in the database", megabytesMax, "MB", megabytes)] };
}

function bytesOf(file: string): number {
  const connection = new Connection(file);
  const { bytes } = connection
    .query<{ bytes: number }, []>("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get() as { bytes: number };
  connection.close();
  return bytes;
}
