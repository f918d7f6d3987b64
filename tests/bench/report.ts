import type { Row, Spread } from "./compare.ts";
import type { GoalFigure } from "./goal.ts";

/** The tables of a run in Markdown, for the terminal and for docs/performance.md alike. */
export function rowTable(rows: Row[]): string {
  return table(
    [
      "Work",
      "Server",
      "processor, µs",
      "requests/s",
      "of bare, by processor",
      "of bare, by requests/s",
      "p50, ms",
      "p99, ms",
    ],
    rows.map((row) => [
      row.work,
      row.server,
      row.cpuMicrosPerRequest.toFixed(1),
      Math.round(row.perSecond).toLocaleString("en-US"),
      inWords(row.byCpu),
      inWords(row.byRate),
      row.p50Ms.toFixed(2),
      row.p99Ms.toFixed(2),
    ]),
  );
}

export function goalTable(goals: GoalFigure[], { judged }: { judged: boolean }): string {
  const verdict = ({ holds }: GoalFigure) => (holds === null ? "" : holds ? "yes" : "**no**");
  const columns = ["Goal", "Work", "Wanted", "Found"];
  return table(
    judged ? [...columns, "Holds"] : columns,
    goals.map((each) => [each.goal, each.work, each.wanted, each.found, ...(judged ? [verdict(each)] : [])]),
  );
}

function inWords({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
