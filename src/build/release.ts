import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { billOfMaterials } from "./bill-of-materials.ts";
import { bundledPackages } from "./bundled-packages.ts";
import { compile } from "./compile.ts";
import { buildImage } from "./image.ts";
import { packArchive } from "./release-archive.ts";

/**
 * `bun run release`: into build/release go the bill of materials, an archive for each machine, with `--image` the container image for both
 * processors, and the checksums of all. `--only linux-arm64` makes that archive alone. The same commit makes the same files.
 */
const targets: Record<string, string> = {
  "linux-x64": "bun-linux-x64-modern",
  // For processors without AVX2, from before 2013 and in some virtual machines.
  "linux-x64-baseline": "bun-linux-x64-baseline",
  "linux-arm64": "bun-linux-arm64",
  // Alpine. Bun's build for it is for every x64 processor.
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
};

const root = join(import.meta.dir, "../..");
const folder = join(root, "build/release");
const { values } = parseArgs({ options: { only: { type: "string" }, image: { type: "boolean" } } });
if (values.only && !Object.hasOwn(targets, values.only)) {
  console.error(`There is no ${values.only}. There are: ${Object.keys(targets).join(", ")}.`);
  process.exit(2);
}

const builtAt = await committedAt();
const reports = ["build/browser-report.json", "build/server-report.json"].map((file) => join(root, file));
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

// It begins with the bill: a licence that nobody looked at stops the release before the long part.
await compile({ root, outfile: "build/latchkey", report: reports[1] });
const packages = bundledPackages(...reports)
  .add("@fontsource-variable/geist")
  .add("swagger-ui-dist")
  .add("tailwindcss");
const bill = `latchkey-${version}.cdx.json`;
await Bun.write(join(folder, bill), billOfMaterials({ root, packages, version, builtAt }));
console.log(`${bill}: ${packages.size} packages, and Bun with what is inside it.`);

for (const [name, target] of Object.entries(targets)) {
  if (values.only && values.only !== name) continue;
  await compile({ root, outfile: "build/latchkey", target });
  const archive = await packArchive({ root, folder, name: `latchkey-${version}-${name}`, builtAt });
  console.log(`${archive}: built.`);
}
if (values.image) console.log(await buildImage({ root, folder, version, builtAt }));
await writeChecksums();

/** Files carry the time of the commit, so that building it again makes the same files. Outside a clone it is 1980, which zip and tar both know. */
async function committedAt(): Promise<Date> {
  const git = await Bun.$`git log -1 --format=%ct`.cwd(root).nothrow().quiet();
  return new Date((Number(git.text().trim()) || 315_532_800) * 1_000);
}

async function writeChecksums(): Promise<void> {
  const names = [...new Bun.Glob("*").scanSync(folder)].sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const hasher = new Bun.CryptoHasher("sha256");
      for await (const piece of Bun.file(join(folder, name)).stream()) hasher.update(piece);
      return `${hasher.digest("hex")}  ${name}\n`;
    }),
  );
  await Bun.write(join(folder, "SHA256SUMS"), lines.join(""));
  console.log(`SHA256SUMS: ${names.length} files.`);
}
