import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * The switches keep the executable from reading a stray `.env` or bunfig.toml; the define keeps React's development build out of it. A start
 * loads only what it needs: by `--splitting` what is imported when it is wanted stays where it is, and by the condition icons come one by one
 * instead of as a module of all 1,700.
 */
const flags = [
  "--compile",
  "--bytecode",
  "--format=esm",
  "--splitting",
  "--conditions=module",
  "--minify-whitespace",
  "--minify-syntax",
  // An error in the log says where in our source it happened.
  "--sourcemap",
  "--asset=public",
  "--asset=migrations",
  "--asset=build/assets",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--define",
  'process.env.NODE_ENV="production"',
];

/** What it runs first, and the programs of its threads. */
const programs = ["src/main.ts", "src/commands/query-worker.ts", "src/backups/backup-worker.ts"];

const root = join(import.meta.dir, "../..");
const outfile = "build/latchkey";

/**
 * Makes the whole product one file, `build/latchkey`, with the page files, the migrations and the browser's scripts inside it. `target` is a
 * machine that Bun knows (`bun-linux-arm64`), whose Bun comes from the registry; left out, it is this machine. Bun lists in the file `report` what
 * went in.
 */
export async function compile({ target, report }: { target?: string | undefined; report?: string }): Promise<void> {
  const more = [...(target ? [`--target=${target}`] : []), ...(report ? [`--metafile=${report}`] : [])];
  const build = Bun.spawn([process.execPath, "build", ...flags, ...more, ...programs, "--outfile", outfile], {
    cwd: root,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await build.exited) !== 0) throw new Error(`${outfile} was not built.`);
}

/* `bun run build`: the executable for this machine, or for the one that `--target` names. */
if (import.meta.main) {
  const { values } = parseArgs({ options: { target: { type: "string" } } });
  await compile({ target: values.target });
  const mebibytes = (statSync(join(root, outfile)).size / 1024 ** 2).toFixed(0);
  console.log(`Built ${outfile}, ${mebibytes} MiB.`);
}
