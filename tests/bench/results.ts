import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunDescription } from "../run-description.ts";
import type { Findings } from "./bench.ts";
import { stepsWork } from "./cases/steps.ts";
import type { Row } from "./compare.ts";
import { barsOf } from "./plot.ts";
import { goalTable, rowTable, stepTable } from "./report.ts";

/** When and where a run was measured, and what. */
interface Run extends RunDescription {
  keys: number;
  rounds: number;
  /** What lies near its goal was measured in so many. */
  closeRounds: number;
  seconds: number;
  /** Of each program that was compared so many took turns. */
  processes: number;
}

const docs = join(import.meta.dir, "../../docs");
const page = join(docs, "performance.md");
const json = join(docs, "performance.json");

interface Result extends Findings {
  run: Run;
}

/** Runs that the page shows beside each other: what holds must hold in each of them. */
const runsShown = 3;

/** Writes a whole run into docs/: the latest runs as JSON, and of them the plot and the tables between the page's two marks. */
export function keep(result: Result): void {
  const earlier: Result[] = existsSync(json) ? JSON.parse(readFileSync(json, "utf8")) : [];
  const results = [result, ...earlier].slice(0, runsShown);
  writeFileSync(json, `${JSON.stringify(results, null, 1)}\n`);
  const isStep = ({ work }: Row) => work === stepsWork;
  const [steps, rows] = [result.rows.filter(isStep), result.rows.filter((row) => !isStep(row))];
  writeFileSync(join(docs, "performance.svg"), barsOf(rows));
  const measured = [
    ...results.map(({ run }, index) => `${index + 1}. ${inWords(run)}`),
    "",
    `${goalTable(results.map(({ goals }) => goals))}\n`,
    "![Processor time per request of each server under each kind of work](performance.svg)\n",
    `The servers beside each other, in run 1:\n\n${rowTable(rows)}\n`,
    `A connected device's verdict, step by step, in run 1; each row has all steps above it:\n\n${stepTable(steps)}`,
  ].join("\n");
  const text = readFileSync(page, "utf8");
  writeFileSync(page, text.replace(/(<!-- measured -->)[\s\S]*(<!-- end -->)/, `$1\n\n${measured}\n\n$2`));
}

function inWords({ date, machine, commit, keys, rounds, closeRounds, seconds, processes }: Run): string {
  const of = `${keys.toLocaleString("en-US")} keys, ${rounds} to ${closeRounds} rounds of ${seconds} s, ${processes} processes`;
  return `${date}, ${machine}, commit ${commit}: ${of}.`;
}
