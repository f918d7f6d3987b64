import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Metrics } from "../../core/metrics.ts";
import { watchWrites } from "../write-metrics.ts";

/** What there is to watch of the embedded engine: its writer, and its files. */
export function watchSqlite(metrics: Metrics, { file, unitsWaiting }: { file: string; unitsWaiting: () => number }) {
  metrics.gauge({ name: "latchkey_database_bytes", help: "The database's file.", read: () => statSync(file).size });
  metrics.gauge({
    name: "latchkey_wal_bytes",
    help: "The journal beside it. One that grows for hours is held by something that reads all that time.",
    read: () => statSync(`${file}-wal`).size,
  });
  metrics.gauge({
    name: "latchkey_disk_free_bytes",
    help: "What is free where the database stands.",
    read() {
      const { bavail, bsize } = statfsSync(dirname(file));
      return bavail * bsize;
    },
  });

  return watchWrites(metrics, unitsWaiting);
}
