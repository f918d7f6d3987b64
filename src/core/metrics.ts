import { msPerSecond } from "./clock.ts";

/** A number that only grows. Keep the object for your labels and add to it, which costs no look-up. */
export interface Count {
  value: number;
}

interface Description {
  /** With its unit, as Prometheus names things: `latchkey_database_bytes`. A counter ends in `_total`. */
  name: string;
  help: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** From a look-up in memory to the time after which people give up. */
const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Metrics for a monitoring system (docs/operating.md: Metrics). Each service adds its own when it is created. `ms` is a
 * clock that never steps back.
 */
export function createMetrics({ ms }: { ms: () => number }) {
  const metrics: { name: string; help: string; type: string; lines: () => string[] }[] = [];

  return {
    ms,

    counter<Label extends string>({
      labels,
      ...description
    }: Description & { labels: Label[] }): (values: Record<Label, string>) => Count {
      const series = seriesOf<Count>(labels, () => ({ value: 0 }));
      const lines = () => [...series.all].map(([text, { value }]) => `${description.name}${braced(text)} ${value}`);
      metrics.push({ ...description, type: "counter", lines });
      return series.of;
    },

    /** `read` is called at each scrape; null omits the metric. With `grows` it is a counter that is kept elsewhere. */
    gauge({
      read,
      grows = false,
      labels = {},
      ...description
    }: Description & { read: () => number | null; grows?: boolean; labels?: Record<string, string> }) {
      const text = Object.entries(labels).map(([label, value]) => pairOf(label, value));
      const lines = () => {
        const value = readOrNull(read);
        return value === null ? [] : [`${description.name}${braced(text.join(","))} ${value}`];
      };
      metrics.push({ ...description, type: grows ? "counter" : "gauge", lines });
    },

    timing<Label extends string>({
      labels,
      ...description
    }: Description & { labels: Label[] }): (values: Record<Label, string>) => Timing {
      const series = seriesOf(labels, () => createHistogram(ms));
      const lines = () => [...series.all].flatMap(([text, histogram]) => histogram.lines(description.name, text));
      metrics.push({ ...description, type: "histogram", lines });
      return series.of;
    },

    /** Returns everything in Prometheus's text format. */
    text() {
      const blocks = metrics.map(({ name, help, type, lines }) => [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...lines(),
      ]);
      return `${blocks.flat().join("\n")}\n`;
    },
  };
}

/** A value that cannot be read, such as the size of a missing file, does not fail the whole scrape. */
function readOrNull(read: () => number | null): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/**
 * One series for each set of label values that has occurred. The values come from the code (routes, statuses), so they
 * are bounded.
 */
function seriesOf<Series>(labels: string[], make: () => Series) {
  const all = new Map<string, Series>();
  const of = (values: Record<string, string>): Series => {
    const text = labels.map((label) => pairOf(label, values[label] ?? "")).join(",");
    const known = all.get(text) ?? make();
    all.set(text, known);
    return known;
  };
  if (labels.length === 0) of({});
  return { all, of };
}

export type Timing = Pick<ReturnType<typeof createHistogram>, "since">;

function createHistogram(ms: () => number) {
  const counts = boundsSeconds.map(() => 0);
  let count = 0;
  let sumSeconds = 0;

  return {
    /** Records something that began at this reading of `ms`. */
    since(startedMs: number) {
      const seconds = (ms() - startedMs) / msPerSecond;
      const index = boundsSeconds.findIndex((bound) => seconds <= bound);
      if (index !== -1) counts[index] = (counts[index] ?? 0) + 1;
      count += 1;
      sumSeconds += seconds;
    },
    lines(name: string, labels: string) {
      let below = 0;
      const more = labels === "" ? "" : `${labels},`;
      const buckets = boundsSeconds.map((bound, index) => {
        below += counts[index] ?? 0;
        return `${name}_bucket{${more}le="${bound}"} ${below}`;
      });
      return [
        ...buckets,
        `${name}_bucket{${more}le="+Inf"} ${count}`,
        `${name}_sum${braced(labels)} ${sumSeconds}`,
        `${name}_count${braced(labels)} ${count}`,
      ];
    },
  };
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

function pairOf(label: string, value: string): string {
  return `${label}="${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

const loopSampleMs = 100;

/** Metrics of the process itself, under Prometheus's usual names. */
export function addProcessMetrics(metrics: Metrics, version: string): void {
  metrics.gauge({ name: "latchkey_info", help: "The running version.", labels: { version }, read: () => 1 });
  metrics.gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory of the process.",
    read: () => process.memoryUsage.rss(),
  });
  metrics.gauge({
    name: "process_uptime_seconds",
    help: "How long the process has been running.",
    read: () => process.uptime(),
  });
  metrics.gauge({
    name: "process_cpu_seconds_total",
    help: "Processor time used by the process.",
    grows: true,
    read() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  });
}

/** Measures how late timers are, which is how long the server's other work waits. */
export function watchEventLoop(metrics: Metrics): void {
  const delay = metrics.timing({
    name: "latchkey_event_loop_delay_seconds",
    help: `How late the event loop is, measured every ${loopSampleMs / msPerSecond} s.`,
    labels: [],
  })({});
  let expectedMs = metrics.ms() + loopSampleMs;
  setInterval(() => {
    delay.since(Math.min(expectedMs, metrics.ms()));
    expectedMs = metrics.ms() + loopSampleMs;
  }, loopSampleMs).unref();
}
