import type { Metrics } from "../core/metrics.ts";

/** What there is to watch of the writes of any engine. */
export function watchWrites(metrics: Metrics, unitsWaiting: () => number) {
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

  return {
    /** Answers what to call once it is committed, with how many writes. */
    begin(): (units: number) => void {
      const startedMs = metrics.ms();
      return (units) => {
        commits.since(startedMs);
        writes.value += units;
      };
    },
  };
}
