import { markdownTable } from "../markdown-table.ts";
import type { Row, Spread } from "./compare.ts";
import type { GoalFigure } from "./goal.ts";

/** The tables of a run in Markdown, for the terminal and for docs/performance.md alike. */
export function rowTable(rows: Row[]): string {
  return markdownTable(
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

/** From the limit, which the rows have last, step after step to the whole. The lowest round is the one that was disturbed least. */
export function stepTable(rows: Row[]): string {
  const steps = [...rows.slice(-1), ...rows.slice(0, -1)];
  return markdownTable(
    ["Step", "processor, µs, lowest", "median", "of bare"],
    steps.map(({ server, cpuMicrosLowest, cpuMicrosPerRequest, byCpu }) => [
      server,
      cpuMicrosLowest.toFixed(1),
      cpuMicrosPerRequest.toFixed(1),
      inWords(byCpu),
    ]),
  );
}

/** What each run found for each goal; whether it holds in all of them is said where times are judged. */
export function goalTable(runs: GoalFigure[][], { judged = true } = {}): string {
  const [newest = []] = runs;
  const found = runs.map((_, index) => (runs.length === 1 ? "Found" : `Run ${index + 1}`));
  return markdownTable(
    ["Goal", "Work", "Wanted", ...found, ...(runs.length === 1 ? [] : ["Apart"]), ...(judged ? ["Holds"] : [])],
    newest.map(({ goal, work, wanted }) => {
      const ofRuns = runs.map((goals) => goals.find((each) => each.goal === goal && each.work === work));
      const figures = ofRuns.map((figure) => figure?.found ?? "");
      const apart = runs.length === 1 ? [] : [apartOf(ofRuns)];
      return [goal, work, wanted, ...figures, ...apart, ...(judged ? [verdictOn(ofRuns)] : [])];
    }),
  );
}

/** How far the runs lie apart: the difference of the highest and the lowest, as a share of the lowest. */
function apartOf(ofRuns: (GoalFigure | undefined)[]): string {
  const figures = ofRuns.flatMap((found) => found?.figure ?? []);
  const lowest = Math.min(...figures);
  return figures.length > 1 && lowest > 0 ? `${((Math.max(...figures) / lowest - 1) * 100).toFixed(0)} %` : "";
}

function verdictOn(ofRuns: (GoalFigure | undefined)[]): string {
  const judged = ofRuns.flatMap((figure) => (figure === undefined || figure.holds === null ? [] : [figure.holds]));
  if (judged.length === 0) return "";
  const times = judged.filter((holds) => holds).length;
  return times === judged.length ? "yes" : times === 0 ? "**no**" : `in ${times} of ${judged.length}`;
}

function inWords({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
