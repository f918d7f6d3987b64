import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { markdownTable } from "../markdown-table.ts";
import { describeRun } from "../run-description.ts";
import { type Bench, type Figure, startBench } from "./bench.ts";
import { longHistory } from "./history.ts";
import { imports } from "./import.ts";
import { interference, works } from "./interference.ts";
import { pages, searches } from "./pages.ts";
import { postgres } from "./postgres.ts";
import { purchases } from "./purchases.ts";
import { growth, keysInUse, newDevices, reads, startAndMemory } from "./verification.ts";

interface Case {
  name: string;
  /** The lines of the goals in docs/performance.md. */
  goals: Goal[];
  /** Returns one figure for each goal, or the reason why there are none. */
  measure(bench: Bench): Promise<Figure[] | string>;
}

type Goal = [line: string, work: string, sign: "≥" | "≤", bound: number, unit: string];

const verify = "POST verify, connected device";
/** The hand-written server's. */
const ofTheirs = "of hand-written";

/** Cases that only read come first, because new devices and purchases change the database. */
const cases: Case[] = [
  {
    name: "in-use",
    goals: [
      ["P1", `${verify}, keys in use`, "≥", 1, ofTheirs],
      ["P1", `${verify}, keys in use, p99 at full load`, "≤", 2, "× hand-written"],
    ],
    measure: (bench) => reads(bench, "connected", keysInUse(bench)),
  },
  {
    name: "uniform",
    goals: [
      ["P1", `${verify}, all keys`, "≥", 0.85, ofTheirs],
      ["P1", `${verify}, all keys, p99 at full load`, "≤", 2, "× hand-written"],
    ],
    measure: (bench) => reads(bench, "connected"),
  },
  {
    name: "nonce",
    goals: [["P1", `${verify}, keys in use, with a proof`, "≥", 0.15, ofTheirs]],
    measure: (bench) => reads(bench, "signed", keysInUse(bench)),
  },
  {
    name: "get",
    goals: [["P3", "GET verify", "≥", 1, ofTheirs]],
    measure: (bench) => reads(bench, "preview", keysInUse(bench)),
  },
  {
    name: "unknown",
    goals: [["P3", "POST verify, unknown key", "≥", 0.65, ofTheirs]],
    measure: (bench) => reads(bench, "unknownKey"),
  },
  {
    name: "updates",
    goals: [["P3", "GET updates, 304", "≥", 1, ofTheirs]],
    measure: (bench) => reads(bench, "unchangedUpdates"),
  },
  { name: "growth", goals: [["P4", "1,000 to 1,000,000 keys, in use", "≤", 25, "% slower"]], measure: growth },
  {
    name: "start",
    goals: [
      ["P5", "start to first response", "≤", 250, "ms"],
      ["P5", "memory", "≤", 200, "MiB"],
    ],
    measure: startAndMemory,
  },
  { name: "pages", goals: [["P6", "any page or list, 100 to 1,000,000 keys", "≤", 2, "×"]], measure: pages },
  {
    name: "searches",
    goals: [
      ["P6", "any search", "≤", 100, "ms"],
      ["P6", "an admin's search over everything", "≤", 250, "ms"],
    ],
    measure: searches,
  },
  {
    name: "history",
    goals: [["P4", "a key with 100,000 events of each kind, to one with ten", "≤", 2, "×"]],
    measure: longHistory,
  },
  {
    name: "new-device",
    goals: [
      ["P2", "POST verify, new device", "≥", 0.85, ofTheirs],
      ["P2", "POST verify, new device, p99", "≤", 30, "ms"],
    ],
    measure: newDevices,
  },
  {
    name: "purchases",
    goals: [
      ["P7", "a batch of 100 keys", "≤", 20, "× one key"],
      ["P7", "100 resellers buying at once", "≤", 500, "ms"],
    ],
    measure: purchases,
  },
  {
    name: "import",
    goals: [
      ["P7", "an import of 200,000 keys with devices, at half load", "≤", 120, "s"],
      ["P6", "verify's p99 during an import", "≤", 3, "×"],
    ],
    measure: imports,
  },
  {
    name: "postgres",
    goals: [
      ["P8", `PostgreSQL: ${verify}`, "≥", 15_000, "a second"],
      ["P8", "PostgreSQL: purchases with two processes", "≥", 1.6, "× one"],
    ],
    measure: async (bench) => (options.short ? "It is not part of the short form." : postgres(bench)),
  },
  {
    name: "interference",
    goals: works.map((work) => ["P6", `verify's p99 during ${work}`, "≤", 3, "×"]),
    measure: interference,
  },
];

/**
 * `bun run bench` measures the goals of docs/performance.md and prints a table. It fails only if a response was wrong.
 * `--short` is for CI: a small database and one short round. `--only <case>`, which may be repeated, runs a part.
 * `--rounds`, `--seconds` and `--executable` (or LATCHKEY_BINARY) change how and what is measured.
 */
const { values: options } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    rounds: { type: "string" },
    seconds: { type: "string" },
    executable: {
      type: "string",
      default: process.env.LATCHKEY_BINARY ?? join(import.meta.dir, "../../build/latchkey"),
    },
  },
});
const unknown = options.only?.filter((only) => !cases.some(({ name }) => name === only)) ?? [];
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. The cases are ${cases.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}

const size = options.short
  ? { keys: 10_000, keysInUse: 1_000, rounds: 1, seconds: 0.2 }
  : { keys: 1_000_000, keysInUse: 100_000, rounds: 7, seconds: 1 };
const rounds = Number(options.rounds ?? size.rounds);
const seconds = Number(options.seconds ?? size.seconds);
const bench = await startBench(resolve(options.executable), { ...size, rounds, seconds });
const rows: string[][] = [];
for (const { name, goals, measure } of cases) {
  if (options.only && !options.only.includes(name)) continue;
  const figures = await measure(bench);
  if (typeof figures === "string") console.log(`${name}: skipped. ${figures}`);
  else rows.push(...goals.map((goal, index) => rowOf(goal, figures[index] as Figure)));
  console.log(`${name}: done after ${(performance.now() / 1_000).toFixed(0)} s`);
}
rows.sort(([one = ""], [other = ""]) => one.localeCompare(other));
const { date, machine, commit } = describeRun();
console.log(`\n${markdownTable(["", "Work", "Figure", "Goal", "Result", "Note"], rows)}\n`);
console.log(`${date}, ${machine}, commit ${commit}, ${bench.keys} keys, ${rounds} rounds of ${seconds} s.`);
process.exit(0);

function rowOf([line, work, sign, bound, unit]: Goal, { value, note = "" }: Figure): string[] {
  const figure = value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  const missedBy = sign === "≥" ? 1 - value / bound : value / bound - 1;
  const goal = `${sign} ${bound.toLocaleString("en-US")} ${unit}`;
  return [line, work, figure, goal, options.short ? "not judged" : resultOf(missedBy), note];
}

function resultOf(missedBy: number): string {
  if (missedBy <= 0) return "met";
  return `missed by ${(missedBy * 100).toFixed(0)} %${missedBy < 0.1 ? " (less than 10 %)" : ""}`;
}
