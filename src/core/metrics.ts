import { msPerSecond } from "./clock.ts";

/** A number that only grows. Whoever counts often keeps the one of its labels, and adds to it: that costs what adding to a field costs. */
export interface Count {
  value: number;
}

/** How long something takes, in classes. */
export interface Timing {
  /** Counts what began at that reading of `Metrics.ms`. */
  since(startedMs: number): void;
}

interface Description {
  /** With its unit, as Prometheus names things: `latchkey_database_bytes`. A counter ends in `_total`. */
  name: string;
  help: string;
}

/**
 * What a monitoring system asks for (docs/operating.md: Metrics). A slice that has something to show adds it where it is put together. What is read
 * seldom is read when it is asked for, and what is counted often is a field in memory.
 */
export interface Metrics {
  counter<Label extends string>(
    description: Description & { labels: Label[] },
  ): (values: Record<Label, string>) => Count;
  /** `read` is called at each scrape; of what it answers `null` for nothing is shown. What only `grows` is a counter that somebody else keeps. */
  gauge(
    description: Description & { read: () => number | null; grows?: boolean; labels?: Record<string, string> },
  ): void;
  timing<Label extends string>(
    description: Description & { labels: Label[] },
  ): (values: Record<Label, string>) => Timing;
  /** A clock that never steps back. */
  ms: () => number;
  /** Everything in Prometheus' text format. */
  text(): string;
}

/** Seconds. From a look-up in memory to what people give up on. */
const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics({ ms }: { ms: () => number }): Metrics {
  const metrics: { name: string; help: string; type: string; lines: () => string[] }[] = [];

  return {
    ms,

    counter({ labels, ...description }) {
      const series = seriesOf<Count>(labels, () => ({ value: 0 }));
      const lines = () => [...series.all].map(([text, { value }]) => `${description.name}${braced(text)} ${value}`);
      metrics.push({ ...description, type: "counter", lines });
      return series.of;
    },

    gauge({ read, grows = false, labels = {}, ...description }) {
      const text = Object.entries(labels).map(([label, value]) => pairOf(label, value));
      const lines = () => {
        const value = readOrNothing(read);
        return value === null ? [] : [`${description.name}${braced(text.join(","))} ${value}`];
      };
      metrics.push({ ...description, type: grows ? "counter" : "gauge", lines });
    },

    timing({ labels, ...description }) {
      const series = seriesOf(labels, () => createClasses(ms));
      const lines = () => [...series.all].flatMap(([text, classes]) => classes.lines(description.name, text));
      metrics.push({ ...description, type: "histogram", lines });
      return series.of;
    },

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

/** What cannot be read, such as the size of a file that is gone, does not take the rest with it. */
function readOrNothing(read: () => number | null): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** One series for each set of label values that occurred. Values come from the program (routes, codes), so there is an end to them. */
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

function createClasses(ms: () => number): Timing & { lines: (name: string, labels: string) => string[] } {
  const counts = boundsSeconds.map(() => 0);
  let count = 0;
  let sumSeconds = 0;

  return {
    since(startedMs) {
      const seconds = (ms() - startedMs) / msPerSecond;
      const index = boundsSeconds.findIndex((bound) => seconds <= bound);
      if (index !== -1) counts[index] = (counts[index] ?? 0) + 1;
      count += 1;
      sumSeconds += seconds;
    },
    lines(name, labels) {
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
