import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Metrics } from "../core/metrics.ts";

/** The metrics of the writes of any engine. */
export function createWriteMetrics(metrics: Metrics, unitsWaiting: () => number) {
  metrics.gauge({
    name: "latchkey_writes_waiting",
    help: "Writes that wait, and on PostgreSQL also those that run.",
    read: unitsWaiting,
  });
  return {
    ms: metrics.ms,
    commits: metrics.timing({
      name: "latchkey_commit_seconds",
      help: "From the beginning of a transaction until it is on the disk. On SQLite, writes that wait together share one.",
      labels: [],
    })({}),
    retries: metrics.counter({
      name: "latchkey_write_retries_total",
      help: "Writes that ran again, because another process or request changed the same rows. PostgreSQL only.",
      labels: [],
    })({}),
    writes: metrics.counter({ name: "latchkey_writes_total", help: "Writes that were committed.", labels: [] })({}),
  };
}

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
