import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Metrics } from "../../core/metrics.ts";

/** The metrics of the database's files. */
export function addFileMetrics(metrics: Metrics, file: string): void {
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
}
