import { statSync } from "node:fs";
import { join } from "node:path";

/** `bun run build`: the whole product as one file, with the page files, the migrations and the browser's scripts inside it. */
const root = join(import.meta.dir, "../..");
const outfile = "build/latchkey";

/** The switches keep the executable from reading a stray `.env` or bunfig.toml; the define keeps React's development build out of it. */
const flags = [
  "--compile",
  "--bytecode",
  "--format=esm",
  "--minify-whitespace",
  "--minify-syntax",
  "--asset=public",
  "--asset=migrations",
  "--asset=build/assets",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--define",
  'process.env.NODE_ENV="production"',
];

/** The command line, and the program of its scanning thread. */
const programs = ["src/main.ts", "src/scanner.ts"];

const build = Bun.spawn([process.execPath, "build", ...flags, ...programs, "--outfile", outfile], {
  cwd: root,
  stdout: "ignore",
  stderr: "inherit",
});
if ((await build.exited) !== 0) process.exit(1);
const mebibytes = (statSync(join(root, outfile)).size / 1024 ** 2).toFixed(0);
console.log(`Built ${outfile}, ${mebibytes} MiB.`);
