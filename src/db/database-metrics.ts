import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Metrics } from "../core/metrics.ts";

/** The metrics of the writes of any engine. */
export function createWriteMetrics(metrics: Metrics, unitsWaiting: () => number) {
  metrics.gauge({
    name: "latchkey_writes_waiting",
    help: "Waiting writes, and on PostgreSQL also running ones.",
    read: unitsWaiting,
  });
  return {
    ms: metrics.ms,
    commits: metrics.timing({
      name: "latchkey_commit_seconds",
      help: "Time from the start of a transaction until it is on disk. On SQLite, waiting writes share a transaction.",
      labels: [],
    })({}),
    retries: metrics.counter({
      name: "latchkey_write_retries_total",
      help: "Writes that were retried because of a conflict. PostgreSQL only.",
      labels: [],
    })({}),
    writes: metrics.counter({ name: "latchkey_writes_total", help: "Committed writes.", labels: [] })({}),
  };
}

/** The metrics of the database's files. */
export function addFileMetrics(metrics: Metrics, file: string): void {
  metrics.gauge({
    name: "latchkey_database_bytes",
    help: "Size of the database file.",
    read: () => statSync(file).size,
  });
  metrics.gauge({
    name: "latchkey_wal_bytes",
    help: "Size of the write-ahead log. If it grows for hours, something has been reading all that time.",
    read: () => statSync(`${file}-wal`).size,
  });
  metrics.gauge({
    name: "latchkey_disk_free_bytes",
    help: "Free space on the database's disk.",
    read() {
      const { bavail, bsize } = statfsSync(dirname(file));
      return bavail * bsize;
    },
  });
}
