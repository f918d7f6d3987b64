import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { compile } from "./compile.ts";

/** `bun run build`: the executable `build/latchkey`, for this machine or for the one that `--target` names. */
const root = join(import.meta.dir, "../..");
const outfile = "build/latchkey";
const { values } = parseArgs({ options: { target: { type: "string" } } });

await compile({ root, outfile, target: values.target });
const mebibytes = (statSync(join(root, outfile)).size / 1024 ** 2).toFixed(0);
console.log(`Built ${outfile}, ${mebibytes} MiB.`);
