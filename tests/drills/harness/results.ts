import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunDescription } from "../../run-description.ts";
import type { Drill, Engine, Form, Outcome } from "./drill.ts";

export interface Result extends Outcome, RunDescription, Pick<Drill, "number" | "promise"> {
  name: string;
  form: Form;
  /** Omitted for SQLite. */
  engine?: Engine;
  seconds: number;
}

const root = join(import.meta.dir, "../../..");
const artifacts = join(root, "tests/.artifacts");
const longRuns = join(root, "docs/reliability.json");
const page = join(root, "docs/reliability.md");

/**
 * Writes the results as JSON. Results of long runs also replace the previous ones in docs/reliability, where each drill
 * has a row.
 */
export function keep(results: Result[]): void {
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(join(artifacts, "drills.json"), `${JSON.stringify(results, null, 1)}\n`);
  const long = results.filter(({ form, outcome }) => form === "long" && outcome !== "not run");
  if (long.length === 0) return;
  const earlier: Result[] = existsSync(longRuns) ? JSON.parse(readFileSync(longRuns, "utf8")) : [];
  const byName = new Map([...earlier, ...long].map((result) => [nameOf(result), result]));
  const latest = [...byName.values()].sort((a, b) => placeOf(a).localeCompare(placeOf(b)));
  writeFileSync(longRuns, `${JSON.stringify(latest, null, 1)}\n`);
  // Cells are not aligned, so a run changes only the lines of its drills.
  const rows = latest.map((result) => {
    const { number, outcome, found, commit, date } = result;
    const finding = outcome === "passed" ? found : `**failed**: ${found}`;
    return `| ${number} | ${nameOf(result)} | ${finding} | ${commit} | ${date} |`;
  });
  const machines = [...new Set(latest.map(({ machine }) => machine))].join("; ");
  const table = ["| | Drill | Found | Commit | Date |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
  const measured = `On ${machines}:\n\n${table}`;
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(/(<!-- found -->)[\s\S]*(<!-- end -->)/, () => `<!-- found -->\n\n${measured}\n\n<!-- end -->`),
  );
}

function nameOf({ name, engine }: Result): string {
  return engine === "postgres" ? `\`${name}\`, PostgreSQL` : `\`${name}\``;
}

function placeOf(result: Result): string {
  return `${result.number.slice(1).padStart(2, "0")} ${nameOf(result)}`;
}
