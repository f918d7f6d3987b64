import { msPerSecond } from "./clock.ts";
import type { Metrics } from "./metrics.ts";

const loopSampleMs = 100;

/** What there is to say of the process itself, by the names that Prometheus gives it. */
export function addProcessMetrics(metrics: Metrics, version: string): void {
  metrics.gauge({ name: "latchkey_info", help: "The version that runs.", labels: { version }, read: () => 1 });
  metrics.gauge({
    name: "process_resident_memory_bytes",
    help: "Memory that the process holds.",
    read: () => process.memoryUsage.rss(),
  });
  metrics.gauge({
    name: "process_uptime_seconds",
    help: "How long the process has run.",
    read: () => process.uptime(),
  });
  metrics.gauge({
    name: "process_cpu_seconds_total",
    help: "Processor time that the process has used.",
    grows: true,
    read() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
}

/** How late timers are: as late as that, whatever the server should do next waits. */
export function watchEventLoop(metrics: Metrics): void {
  const delay = metrics.timing({
    name: "latchkey_event_loop_delay_seconds",
    help: `How late the event loop is, looked at every ${loopSampleMs / msPerSecond} s.`,
    labels: [],
  })({});
  let expectedMs = metrics.ms() + loopSampleMs;
  setInterval(() => {
    delay.since(Math.min(expectedMs, metrics.ms()));
    expectedMs = metrics.ms() + loopSampleMs;
  }, loopSampleMs).unref();
}
