import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { noticesFile } from "./archive.ts";
import { type BundleReport, billOfMaterials, bundledPackages } from "./bill-of-materials.ts";
import { thirdPartyNotices } from "./notices.ts";

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

/** Packages of which only files are used, which no report of a bundle has. */
const filesOf = ["@fontsource-variable/geist", "swagger-ui-dist", "tailwindcss"];

export const root = join(import.meta.dir, "../..");
const outfile = "build/latchkey";
export const executable = join(root, outfile);

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
 * the registry.
 */
export async function compile(target?: string): Promise<void> {
  const commit = ["--define", `builtFromCommit=${JSON.stringify(await commitIn(root))}`];
  const more = [...commit, ...(target ? [`--target=${target}`] : [])];
  const build = Bun.spawn([process.execPath, "build", ...flags, ...more, ...programs, "--outfile", outfile], {
    cwd: root,
    stdout: "ignore",
    stderr: "inherit",
  });
  if ((await build.exited) !== 0) throw new Error(`${outfile} was not built.`);
}

/**
 * Writes the licences of what the executable will contain into the folder that it embeds. Returns the bill of materials
 * from which they were taken, whose time is `builtAt`. Throws for an unknown licence.
 */
export async function writeBill(builtAt = new Date(0)): Promise<string> {
  const browser = (await Bun.file(join(root, "build/browser-report.json")).json()) as BundleReport;
  const programReport = await Bun.build({
    entrypoints: programs.map((path) => join(root, path)),
    target: "bun",
    splitting: true,
    conditions: ["module"],
    minify: { whitespace: true, syntax: true },
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  });
  const packages = bundledPackages(browser, programReport.metafile as BundleReport);
  for (const name of filesOf) packages.add(name);
  const commit = await commitIn(root);
  const bill = billOfMaterials({ root, packages, version: commit ? `${version}+${commit}` : version, builtAt });
  await Bun.write(join(root, noticesFile), thirdPartyNotices(root, bill));
  return bill;
}

/* `bun run build`: the executable for this platform, or for that of `--target`. */
if (import.meta.main) {
  const { values } = parseArgs({ options: { target: { type: "string" } } });
  await writeBill();
  await compile(values.target);
  const mebibytes = (statSync(executable).size / 1024 ** 2).toFixed(0);
  console.log(`Built ${outfile}, ${mebibytes} MiB.`);
}
