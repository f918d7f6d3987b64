import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Findings } from "./bench.ts";
import { barsOf } from "./plot.ts";
import { goalTable, rowTable } from "./report.ts";

/** When and where a run was measured, and what. */
interface Run {
  date: string;
  machine: string;
  commit: string;
  keys: number;
  rounds: number;
  seconds: number;
}

const docs = join(import.meta.dir, "../../docs");
const page = join(docs, "performance.md");

export function describeRun({ keys, rounds, seconds }: { keys: number; rounds: number; seconds: number }): Run {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model ?? "an unknown processor"}, Bun ${Bun.version}`,
    commit: git("rev-parse", "--short", "HEAD") + (git("status", "--porcelain") === "" ? "" : ", with changes"),
    keys,
    rounds,
    seconds,
  };
}

/** Writes a whole run into docs/: the figures as JSON, the plot, and the tables between the page's two marks. */
export function keep(results: { run: Run } & Findings): void {
  const { run, rows, goals } = results;
  writeFileSync(join(docs, "performance.json"), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(docs, "performance.svg"), barsOf(rows));
  const measured = [
    `Measured on ${run.date}: ${run.machine}, commit ${run.commit}; ${run.keys.toLocaleString("en-US")} keys, ${run.rounds} rounds of ${run.seconds} s.`,
    goalTable(goals, { judged: true }),
    "![Processor time per request of each server under each kind of work](performance.svg)",
    rowTable(rows),
  ].join("\n\n");
  const text = readFileSync(page, "utf8");
  writeFileSync(page, text.replace(/(<!-- measured -->)[\s\S]*(<!-- end -->)/, `$1\n\n${measured}\n\n$2`));
}

function git(...words: string[]): string {
  return Bun.spawnSync(["git", ...words], { cwd: docs })
    .stdout.toString()
    .trim();
}
