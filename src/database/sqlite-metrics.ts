import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Metrics } from "../metrics.ts";

/** What there is to watch of the embedded engine: its writer, and its files. */
export function watchSqlite(metrics: Metrics, { file, unitsWaiting }: { file: string; unitsWaiting: () => number }) {
  const commits = metrics.timing({
    name: "latchkey_commit_seconds",
    help: "From the beginning of a commit until it is on the disk. Writes that wait together share one.",
    labels: [],
  })({});
  const writes = metrics.counter({ name: "latchkey_writes_total", help: "Writes that were committed.", labels: [] })(
    {},
  );
  metrics.gauge({
    name: "latchkey_writes_waiting",
    help: "Writes that wait for the next commit.",
    read: unitsWaiting,
  });
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

  return {
    /** Answers what to call once `units` writes are committed. */
    begin(units: number): () => void {
      const startedMs = metrics.ms();
      return () => {
        commits.since(startedMs);
        writes.value += units;
      };
    },
  };
}
