import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startPostgres } from "./postgres-server.ts";

/**
 * Runs all tests, with the most specific first: the server's parts, the islands, the whole system, and the panel in a
 * real browser. Each suite is a separate process, because happy-dom, which islands need, would break the server's
 * requests. Prints one last line, `N passed, N failed`.
 *
 * `bun run test` runs all suites except `more-postgres`, which takes long and which CI adds. `bun run test server islands`
 * runs only the named ones. Only what they need is built.
 */
const root = join(import.meta.dir, "..");
const reports = join(import.meta.dir, ".artifacts/reports");
const executable = join(root, "build/latchkey");

interface Suite {
  title: string;
  command: string[];
  /** What must be built first. The executable contains the browser's scripts, so they are built before it. */
  needs?: "scripts" | "executable";
  /** Whether it needs a PostgreSQL server. */
  onPostgres?: boolean;
  /** Whether it runs only if it is named. */
  isExtra?: boolean;
  environment?: Record<string, string>;
}

const bun = process.execPath;
/**
 * Four files at a time on CI's two cores, because most tests also wait: for servers, commits, time windows and browsers.
 * With two, the cores were half idle. What waits for a slow machine has a minute.
 */
const test = (...words: string[]) => [bun, "test", "--timeout=120000", "--parallel=4", ...words];

/**
 * Each process imports the product once instead of once for each of its files, which was a third of their time. So
 * these files leave nothing behind in modules. Islands do: what they show outlives them.
 */
const shared = (...words: string[]) => test("--no-isolate", ...words);

/**
 * Tests about data, which depend most on the database. The others are in `more-postgres`, also those of limits, which
 * count hundreds of requests.
 */
const dataTests = [
  ...["audited-changes", "account", "api-keys/api-keys", "failed-sign-ins", "two-factor/two-factor"].map(
    (name) => `./src/accounts/${name}.test.ts`,
  ),
  ...["keys", "notes", "history-bounds", "devices/device-reset", "selected-keys", "timeline/timeline"].map(
    (name) => `./src/keys/${name}.test.ts`,
  ),
  ...["match-count", "search", "whole-list"].map((name) => `./src/keys/list/${name}.test.ts`),
  ...["audit/audit", "audit/every-change", "audit/retention", "backups/backup", "reports/figures"].map(
    (name) => `./src/${name}.test.ts`,
  ),
  "./src/clock/repair.test.ts",
  "./src/db/server-clock.test.ts",
  ...["programs", "statistics", "store"].map((name) => `./src/verify/${name}.test.ts`),
  ...[
    "./src/players/long-history.test.ts",
    "./src/orders/external-ids.test.ts",
    "./src/orders/orders.test.ts",
    "./src/resellers",
    "./src/search/search.test.ts",
    "./src/tokens",
    "./src/updates",
  ],
  // The others that depend on the database run on two processes: see `several`.
  ...["malformed", "security-log", "shares"].map((name) => `./tests/api/${name}.test.ts`),
  "./tests/commands/secret.test.ts",
  "./tests/postgres",
];

const missing = dataTests.filter((path) => !existsSync(join(root, path)));
if (missing.length > 0) throw new Error(`The PostgreSQL suite lists ${missing.join(", ")}, which does not exist.`);

const opensDatabase = /\bopen(Panel|Shop|TestDatabase)\b/;
/** How a file of tests begins that cannot run on PostgreSQL. The reason follows. */
const onlySqlite = "/* Only for SQLite: ";

const otherTests = [...new Bun.Glob("src/**/*.test.ts").scanSync({ cwd: root })]
  .map((path) => `./${path}`)
  .filter((path) => !dataTests.some((listed) => path === listed || path.startsWith(`${listed}/`)))
  .filter((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return opensDatabase.test(text) && !text.startsWith(onlySqlite);
  })
  .sort();

const suites: Record<string, Suite> = {
  server: {
    title: "The server's parts on a real database, the drills' measurements, and the TypeScript SDK",
    command: shared("./src", "./tests/drills", "./tests/sdk"),
    needs: "scripts",
  },
  islands: {
    title: "The islands in happy-dom",
    // These compute all the time, so each has a core.
    command: test("./islands", "--parallel=2", "--preload", "./islands/happy-dom.ts"),
  },
  // HTTP tests run on the executable, which is what users get. Run from source, the program only finds its pages,
  // migrations, threads and source lines differently, so a few tests suffice.
  source: {
    title: "A server run from source",
    command: test(...["fault", "headers", "readme"].map((name) => `./tests/api/${name}.test.ts`)),
    needs: "scripts",
  },
  api: {
    title: "The API over HTTP and the commands, with the executable",
    command: shared("./tests/api", "./tests/commands"),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable },
  },
  uncached: {
    title: "Races and requests without the key cache",
    command: test(...["races", "replacement-races", "requests"].map((name) => `./tests/api/${name}.test.ts`)),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable, KEY_CACHE: "off" },
  },
  postgres: {
    title: "Tests about data, on PostgreSQL",
    command: shared(...dataTests),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable },
    onPostgres: true,
  },
  "more-postgres": {
    title: "The other server tests that open a database, and who may do what, on PostgreSQL",
    command: shared(...otherTests, "./tests/api/access.test.ts"),
    needs: "scripts",
    onPostgres: true,
    isExtra: true,
  },
  several: {
    title: "The API and the panel on two processes that share one PostgreSQL database",
    // Not who may do what: that is decided from the session, which the other files use on both processes.
    command: shared(
      ...["live", "races", "readme", "replacement-races", "requests", "samples"].map(
        (name) => `./tests/api/${name}.test.ts`,
      ),
      "./tests/browser/orders.test.ts",
    ),
    needs: "executable",
    environment: { LATCHKEY_BINARY: executable, LATCHKEY_TEST_PROCESSES: "2" },
    onPostgres: true,
  },
  browser: {
    title: "The panel in a real browser",
    // Three keep both cores busy. The slowest files first, so that none is left alone at the end. Only the order of the
    // times matters; to measure them again, add --update-timings.
    command: shared("--parallel=3", "--timings=tests/browser/timings.json", "./tests/browser"),
    needs: "executable",
  },
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in suites));
if (unknown.length > 0) {
  console.error(`Unknown suite: ${unknown.join(", ")}. The suites are ${Object.keys(suites).join(", ")}.`);
  process.exit(2);
}

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const chosen = Object.entries(suites).filter(([name, { isExtra }]) =>
  requested.length === 0 ? !isExtra : requested.includes(name),
);
if (chosen.some(([, { needs }]) => needs)) await build("the browser's scripts", "src/build/assets.ts");
if (chosen.some(([, { needs }]) => needs === "executable")) await build("the executable", "src/build/executable.ts");

let passed = 0;
let failed = 0;
for (const [name, { title, command, environment, onPostgres }] of chosen) {
  const report = join(reports, `${name}.xml`);
  const postgres = onPostgres ? await startPostgres() : null;
  if (postgres) console.log(`\n${postgres.description}`);
  const code = await run(title, [...command, "--reporter=junit", `--reporter-outfile=${report}`], {
    ...environment,
    ...(postgres && { LATCHKEY_TEST_POSTGRES: postgres.url }),
  });
  await postgres?.stop();
  const counted = countIn(report);
  passed += counted.passed;
  // A suite that exits with an error without a failed test (for example, because it could not start) counts as one
  // failure.
  failed += counted.failed > 0 || code === 0 ? counted.failed : 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Ends the run if the build fails, because the tests must not run on an outdated build. */
async function build(what: string, script: string): Promise<void> {
  if ((await run(`Building ${what}`, [bun, script])) === 0) return;
  console.log("0 passed, 1 failed");
  process.exit(1);
}

async function run(title: string, command: string[], environment: Record<string, string> = {}): Promise<number> {
  console.log(`\n${title} …`);
  const startedAt = performance.now();
  const child = Bun.spawn(command, {
    cwd: root,
    env: { ...process.env, ...environment },
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  console.log(
    `${title}: ${code === 0 ? "done" : `exit code ${code}`} in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`,
  );
  return code;
}

/** Reads the totals from the outermost element of a JUnit report. */
function countIn(report: string): { passed: number; failed: number } {
  const [head = ""] = existsSync(report) ? (readFileSync(report, "utf8").match(/<testsuites[^>]*>/) ?? []) : [];
  const count = (name: string) => Number(head.match(new RegExp(`\\b${name}="(\\d+)"`))?.[1] ?? 0);
  const failures = count("failures") + count("errors");
  return { passed: count("tests") - failures - count("skipped"), failed: failures + count("skipped") };
}
