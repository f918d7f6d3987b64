import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../../package.json";
import { readApiDocument } from "./api-document.ts";
import { checksumsFile, packArchive, writeChecksums } from "./archive.ts";
import { commitIn, compile, executable, root, writeBill } from "./executable.ts";

/**
 * `bun run release`: writes the bill of materials, the API document, an archive for each platform, with `--image` the
 * container image for both processors, and the checksums of all of them into build/release. `--only linux-arm64` builds
 * only that archive. With `--published-as ghcr.io/example/latchkey` the archives name that image. The same commit results
 * in the same files.
 */
const targets: Record<string, string> = {
  "linux-x64": "bun-linux-x64-modern",
  // For processors without AVX2, from before 2013 and in some virtual machines.
  "linux-x64-baseline": "bun-linux-x64-baseline",
  "linux-arm64": "bun-linux-arm64",
  // Alpine. Bun's build for it supports every x64 processor.
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
};

const folder = join(root, "build/release");
const { values } = parseArgs({
  options: { only: { type: "string" }, image: { type: "boolean" }, "published-as": { type: "string" } },
});
if (values.only && !Object.hasOwn(targets, values.only)) {
  console.error(`There is no ${values.only}. There are: ${Object.keys(targets).join(", ")}.`);
  process.exit(2);
}

const builtAt = await committedAt();
const published = values["published-as"] && `${values["published-as"]}:${version}`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

// The bill is written first, so that an unknown licence stops the release before the long part.
const bill = `latchkey-${version}.cdx.json`;
await Bun.write(join(folder, bill), await writeBill(builtAt));
console.log(`${bill}: written.`);

const document = `latchkey-${version}.openapi.json`;
await Bun.write(join(folder, document), await readApiDocument());
console.log(`${document}: written.`);

for (const [name, target] of Object.entries(targets)) {
  if (values.only && values.only !== name) continue;
  await compile(target);
  const named = { name: `latchkey-${version}-${name}`, image: published };
  const archive = await packArchive({ root, executable, folder, builtAt, ...named });
  console.log(`${basename(archive)}: built.`);
}
if (values.image) await buildImage();
const count = await writeChecksums(folder);
console.log(`${checksumsFile}: ${count} files.`);

/**
 * Files have the time of the commit, so that builds are reproducible. Outside a clone it is 1980, which zip and tar
 * both support.
 */
async function committedAt(): Promise<Date> {
  const git = await Bun.$`git log -1 --format=%ct`.cwd(root).nothrow().quiet();
  return new Date((Number(git.text().trim()) || 315_532_800) * 1_000);
}

/**
 * Builds the container image of the Dockerfile for both processors as one OCI archive, with buildah. The Dockerfile
 * runs no programs of the other processor, so one machine builds both.
 */
async function buildImage(): Promise<void> {
  const platforms = "linux/amd64,linux/arm64";
  if (!Bun.which("buildah")) throw new Error("--image needs buildah, which is not installed.");
  const name = `latchkey:${version}`;
  const archive = `latchkey-${version}-image.tar`;
  const epoch = Math.floor(builtAt.getTime() / 1_000);
  // The platform of the Dockerfile's first stage, which older versions of buildah do not set.
  const here = `BUILDPLATFORM=linux/${process.arch === "x64" ? "amd64" : process.arch}`;
  const named = ["--build-arg", `VERSION=${version}`, "--build-arg", `LATCHKEY_COMMIT=${await commitIn(root)}`];
  // Docker's format, because OCI's has no health check.
  await Bun.$`buildah build --format docker --platform ${platforms} --build-arg ${here} ${named} --manifest ${name} --timestamp ${epoch} .`.cwd(
    root,
  );
  await Bun.$`buildah manifest push --all ${name} oci-archive:${join(folder, archive)}`.quiet();
  console.log(`${archive}: built for ${platforms}.`);
}
