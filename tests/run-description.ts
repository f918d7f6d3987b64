import { cpus } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** The context of a measurement: the date, the machine and the commit. */
export interface RunDescription {
  date: string;
  machine: string;
  commit: string;
}

export function describeRun(): RunDescription {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model ?? "an unknown processor"}, Bun ${Bun.version}`,
    commit:
      git("rev-parse", "--short", "HEAD") +
      (git("status", "--porcelain", "--", ":/", ":!/docs") === "" ? "" : ", with changes"),
  };
}

function git(...words: string[]): string {
  return Bun.spawnSync(["git", ...words], { cwd: root })
    .stdout.toString()
    .trim();
}
