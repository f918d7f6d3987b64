import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "./postgres-server.ts";

/**
 * Every test, in the order in which a failure tells most: the server's parts, the islands, then the whole system, and the panel in a
 * real browser. Each suite is a process of its own: happy-dom, which islands need, would break the server's requests. Ends with one line,
 * `N passed, N failed`.
 *
 * `bun run test` runs all of them, `bun run test server islands` those that are named, after building what they need and no more.
 */
const root = join(import.meta.dir, "..");
const reports = join(import.meta.dir, ".artifacts/reports");
const executable = join(root, "build/latchkey");

interface Suite {
  says: string;
  command: string[];
  /** What it needs built. The executable holds the browser's scripts, so they are built before it. */
  needs?: "scripts" | "executable";
  /** Whether a PostgreSQL is started for it. */
  onPostgres?: boolean;
  environment?: Record<string, string>;
}

const bun = process.execPath;
/** Two files at a time, each in a world of its own: what computes has one of CI's two cores then. */
const together = "--parallel=2";
/** Four, where tests wait for servers that start and stop, for commits and for windows that pass: two such left half of both cores idle. */
const waitingTogether = ["--timeout=60000", "--parallel=4"];
const test = (...words: string[]) => [bun, "test", "--timeout=30000", ...words];

/** What is about rows. The rest is about HTTP, about files, or about what a process remembers, and is the same on either database. */
const aboutData = [
  ...["acts", "account", "failed-sign-ins", "two-factor/two-factor"].map((name) => `./src/accounts/${name}.test.ts`),
  ...["keys", "notes", "devices/device-reset", "selection/selected-keys", "timeline/timeline"].map(
    (name) => `./src/keys/${name}.test.ts`,
  ),
  ...["match-count", "search", "whole-list"].map((name) => `./src/keys/list/${name}.test.ts`),
  ...["audit/audit", "audit/every-act", "audit/retention", "backups/backup", "reports/figures"].map(
    (name) => `./src/${name}.test.ts`,
  ),
  ...["statistics", "store", "throttle"].map((name) => `./src/verify/${name}.test.ts`),
  ...["./src/orders/orders.test.ts", "./src/resellers", "./src/search/search.test.ts", "./src/updates"],
  ...["live", "malformed", "races", "readme"].map((name) => `./tests/api/${name}.test.ts`),
  "./tests/postgres",
];

const suites: Record<string, Suite> = {
  server: {
    says: "The server's parts, on a real database, and what the drills measure with",
    command: test("./src", "./tests/drills", together),
    needs: "scripts",
  },
  islands: {
    says: "The islands, under happy-dom",
    command: test("./islands", together, "--preload", "./islands/happy-dom.ts"),
  },
  // What is called over HTTP is called on what is delivered, the executable. Started from its source the program differs in where it finds
  // itself: its pages, its migrations, its threads, its own lines in the log. What its source answers is asked by the server's parts.
  source: {
    says: "A server that was started from its source",
    command: test(...["fault", "headers", "readme"].map((name) => `./tests/api/${name}.test.ts`), together),
    needs: "scripts",
  },
  api: {
    says: "The API over HTTP and the commands, from the executable",
    command: test("./tests/api", "./tests/commands", ...waitingTogether),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable },
  },
  uncached: {
    says: "Races, requests and access without the key cache, from the executable",
    command: test(...["races", "requests", "access"].map((name) => `./tests/api/${name}.test.ts`), ...waitingTogether),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable, KEY_CACHE: "off" },
  },
  postgres: {
    says: "What is about data once more, on PostgreSQL",
    command: test(...aboutData, ...waitingTogether),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable },
    onPostgres: true,
  },
  several: {
    says: "The API over HTTP, and the panel, on two processes of one PostgreSQL, where every second call is the other's",
    command: test(
      ...waitingTogether,
      ...["access", "live", "races", "readme", "requests", "samples"].map((name) => `./tests/api/${name}.test.ts`),
      "./tests/browser/orders.test.ts",
    ),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable, LATCHKEY_TEST_PROCESSES: "2" },
    onPostgres: true,
  },
  browser: {
    says: "The panel in a real browser, from the executable",
    command: test("--timeout=60000", together, "./tests/browser"),
    needs: "executable",
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(", ")}. There are: ${Object.keys(suites).join(", ")}.`);
  process.exit(2);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const chosen = Object.entries(suites).filter(([name]) => asked.length === 0 || asked.includes(name));
if (chosen.some(([, { needs }]) => needs)) await build("the browser's scripts", "src/build/assets.ts");
if (chosen.some(([, { needs }]) => needs === "executable")) await build("the executable", "src/build/executable.ts");

let passed = 0;
let failed = 0;
for (const [name, { says, command, environment, onPostgres }] of chosen) {
  const report = join(reports, `${name}.xml`);
  const postgres = onPostgres ? await startPostgres() : null;
  if (postgres) console.log(`\n${postgres.says}`);
  const code = await run(says, [...command, "--reporter=junit", `--reporter-outfile=${report}`], {
    ...environment,
    ...(postgres && { LATCHKEY_TEST_POSTGRES: postgres.url }),
  });
  await postgres?.stop();
  const counted = countIn(report);
  passed += counted.passed;
  // A suite that ends badly without a failed test (it could not start, it left an error behind) failed all the same.
  failed += counted.failed > 0 || code === 0 ? counted.failed : 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Ends the run where the build fails: what an earlier one left behind must not be tested in its place. */
async function build(what: string, script: string): Promise<void> {
  if ((await run(`Building ${what}`, [bun, script])) === 0) return;
  console.log("0 passed, 1 failed");
  process.exit(1);
}

async function run(says: string, command: string[], environment: Record<string, string> = {}): Promise<number> {
  console.log(`\n${says} …`);
  const startedAt = performance.now();
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  console.log(
    `${says}: ${code === 0 ? "done" : `exit code ${code}`} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`,
  );
  return code;
}

/** The outermost element of a JUnit report counts every test in it. */
function countIn(report: string): { passed: number; failed: number } {
  const [head = ""] = existsSync(report) ? (readFileSync(report, "utf8").match(/<testsuites[^>]*>/) ?? []) : [];
  const count = (name: string) => Number(head.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0);
  const failures = count("failures") + count("errors");
  return { passed: count("tests") - failures - count("skipped"), failed: failures + count("skipped") };
}
