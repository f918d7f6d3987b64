import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * The executable must not read a stray `.env` or bunfig.toml, and the define excludes React's development build. A
 * start loads only what it needs: `--splitting` keeps dynamic imports separate, and the condition selects single icons
 * instead of a module of all 1,700.
 */
const flags = [
  "--compile",
  "--bytecode",
  "--format=esm",
  "--splitting",
  "--conditions=module",
  "--minify-whitespace",
  "--minify-syntax",
  // Errors in the log have the position in our source.
  "--sourcemap",
  "--asset=public",
  "--asset=migrations",
  "--asset=build/assets",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--define",
  'process.env.NODE_ENV="production"',
];

/** The main program, and those of the threads. */
const programs = ["src/main.ts", "src/commands/query-worker.ts", "src/backups/backup-worker.ts"];

const root = join(import.meta.dir, "../..");
const outfile = "build/latchkey";

/**
 * The commit that is built, with `-dirty` if files differ from it, for the version. It is LATCHKEY_COMMIT, or what git
 * says. Returns "" if neither is there.
 */
export async function commitIn(folder: string): Promise<string> {
  if (process.env.LATCHKEY_COMMIT) return process.env.LATCHKEY_COMMIT;
  const git = await Bun.$`git describe --always --abbrev=7 --dirty '--exclude=*'`.cwd(folder).nothrow().quiet();
  return git.exitCode === 0 ? git.text().trim() : "";
}

/**
 * Builds the whole product as one file, `build/latchkey`, including the public files, the migrations and the browser's
 * scripts. `target` is a platform of Bun (`bun-linux-arm64`), by default this one; for others Bun is downloaded from
 * the registry. Bun lists the contents in the file `report`.
 */
export async function compile({ target, report }: { target?: string | undefined; report?: string }): Promise<void> {
  const commit = ["--define", `builtFromCommit=${JSON.stringify(await commitIn(root))}`];
  const more = [...commit, ...(target ? [`--target=${target}`] : []), ...(report ? [`--metafile=${report}`] : [])];
  const build = Bun.spawn([process.execPath, "build", ...flags, ...more, ...programs, "--outfile", outfile], {
    cwd: root,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await build.exited) !== 0) throw new Error(`${outfile} was not built.`);
}

/* `bun run build`: the executable for this platform, or for that of `--target`. */
if (import.meta.main) {
  const { values } = parseArgs({ options: { target: { type: "string" } } });
  await compile({ target: values.target });
  const mebibytes = (statSync(join(root, outfile)).size / 1024 ** 2).toFixed(0);
  console.log(`Built ${outfile}, ${mebibytes} MiB.`);
}
