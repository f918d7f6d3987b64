import { join } from "node:path";

const platforms = "linux/amd64,linux/arm64";

/** Where the first stage of the Dockerfile runs. Older buildahs do not say it by themselves. */
const here = `BUILDPLATFORM=linux/${process.arch === "x64" ? "amd64" : process.arch}`;

/**
 * The container image of the Dockerfile for both processors, as one OCI archive, by buildah. The Dockerfile runs nothing of the other
 * processor, so one machine builds both. Answers what was made, or why not.
 */
export async function buildImage({
  root,
  folder,
  version,
  builtAt,
}: {
  root: string;
  folder: string;
  version: string;
  builtAt: Date;
}): Promise<string> {
  if (!Bun.which("buildah")) throw new Error("--image needs buildah, which is not installed.");
  const name = `latchkey:${version}`;
  const archive = `latchkey-${version}-image.tar`;
  const epoch = Math.floor(builtAt.getTime() / 1_000);
  // Docker's own format, because OCI's has no health check.
  await Bun.$`buildah build --format docker --platform ${platforms} --build-arg ${here} --manifest ${name} --timestamp ${epoch} .`.cwd(
    root,
  );
  await Bun.$`buildah manifest push --all ${name} oci-archive:${join(folder, archive)}`.quiet();
  return `${archive}: built for ${platforms}.`;
}
