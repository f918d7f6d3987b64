import { beforeEach, expect, test } from "bun:test";
import { createMetrics, type Metrics } from "./metrics.ts";

const clock = { ms: 0 };
let metrics: Metrics;
beforeEach(() => {
  clock.ms = 1_000;
  metrics = createMetrics({ ms: () => clock.ms });
});

const linesOf = (name: string) =>
  metrics
    .text()
    .split("\n")
    .filter((line) => line.startsWith(name));

test("a counter has a line per set of labels, with escaped values", () => {
  const refused = metrics.counter({ name: "refused_total", help: "Refusals.", labels: ["code", "by"] });
  refused({ code: "A", by: 'a "quoted" \\ \n name' }).value += 2;
  const known = refused({ code: "B", by: "" });
  known.value += 1;
  refused({ code: "B", by: "" }).value += 1;
  expect(metrics.text()).toBe(
    '# HELP refused_total Refusals.\n# TYPE refused_total counter\nrefused_total{code="A",by="a \\"quoted\\" \\\\ \\n name"} 2\nrefused_total{code="B",by=""} 2\n',
  );
});

test("a counter without labels exists before it has counted anything", () => {
  metrics.counter({ name: "writes_total", help: "Writes.", labels: [] });
  expect(linesOf("writes_total")).toEqual(["writes_total 0"]);
});

test("a gauge is read on demand, and a failing one does not hide the others", () => {
  let size = 1;
  metrics.gauge({
    name: "gone_bytes",
    help: "A file that is gone.",
    read: () => {
      throw new Error("ENOENT");
    },
  });
  metrics.gauge({ name: "unknown", help: "Nothing yet.", read: () => null });
  metrics.gauge({ name: "size_bytes", help: "A file.", labels: { disk: "a" }, read: () => size });
  size = 5;
  expect([linesOf("gone"), linesOf("unknown"), linesOf("size")]).toEqual([[], [], ['size_bytes{disk="a"} 5']]);
});

test("each bucket of a histogram counts all values up to its limit", () => {
  const responses = metrics.timing({ name: "response_seconds", help: "Responses.", labels: ["route"] })({ route: "/" });
  for (const ms of [0.4, 5, 7, 60_000]) responses.since(clock.ms - ms);
  const lines = linesOf("response_seconds");
  expect(lines).toContain('response_seconds_bucket{route="/",le="0.0005"} 1');
  expect(lines).toContain('response_seconds_bucket{route="/",le="0.005"} 2');
  expect(lines).toContain('response_seconds_bucket{route="/",le="0.01"} 3');
  expect(lines).toContain('response_seconds_bucket{route="/",le="10"} 3');
  expect(lines.slice(-3)).toEqual([
    'response_seconds_bucket{route="/",le="+Inf"} 4',
    'response_seconds_sum{route="/"} 60.0124',
    'response_seconds_count{route="/"} 4',
  ]);
});
