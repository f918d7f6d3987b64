import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The contents of archives and the image in addition to the executable, under their paths in the repository, so that
 * links between documents work.
 */
export const documents = [
  "README.md",
  "LICENSE",
  "SECURITY.md",
  "CHANGELOG.md",
  "compose.yaml",
  "compose.scale.yaml",
  "docs",
];

/** Written by `writeBill`, and embedded in the executable. */
export const noticesFile = "build/assets/THIRD-PARTY-NOTICES";

/**
 * Packs the executable, the licences and the documents into an archive with one folder. Order, owner and times are
 * fixed, so the same executable results in the same archive. Returns its path.
 */
export async function packArchive({
  root,
  executable,
  folder,
  name,
  builtAt,
  image,
}: {
  root: string;
  executable: string;
  folder: string;
  name: string;
  builtAt: Date;
  /** The published image and its version, which the archive's documents and compose files then name. */
  image?: string | undefined;
}): Promise<string> {
  const packed = join(folder, "packed");
  const content = join(packed, name);
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  copyFileSync(executable, join(content, "latchkey"));
  copyFileSync(join(root, noticesFile), join(content, "THIRD-PARTY-NOTICES"));
  for (const path of documents) cpSync(join(root, path), join(content, path), { recursive: true });
  if (image !== undefined) for (const path of namingImage) nameImage(join(content, path), image);
  chmodSync(join(content, "latchkey"), 0o755);
  const archive = join(folder, `${name}.tar.gz`);
  const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  // Without -n, gzip writes the time into the archive.
  const tar = Bun.$`tar ${fixed} --mtime=${builtAt.toISOString()} -C ${packed} -c ${name} | gzip -n > ${archive}`;
  await tar.quiet();
  rmSync(packed, { recursive: true, force: true });
  return archive;
}

const namingImage = ["README.md", "docs/operating.md", "compose.yaml", "compose.scale.yaml"];

function nameImage(file: string, image: string): void {
  const text = readFileSync(file, "utf8");
  const named = text
    .replaceAll("IMAGE:VERSION", image)
    .replace(/\s+Until\s+there\s+is\s+a\s+release,\s+build\./, "")
    .replace(/build: \.\n +image: latchkey$/m, `image: ${image}`);
  writeFileSync(file, named);
}

export const checksumsFile = "SHA256SUMS";

/** Writes the SHA-256 of all files of a folder in the form that `sha256sum --check` reads. Returns their number. */
export async function writeChecksums(folder: string): Promise<number> {
  const names = [...new Bun.Glob("*").scanSync(folder)].sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const hasher = new Bun.CryptoHasher("sha256");
      for await (const piece of Bun.file(join(folder, name)).stream()) hasher.update(piece);
      return `${hasher.digest("hex")}  ${name}\n`;
    }),
  );
  await Bun.write(join(folder, checksumsFile), lines.join(""));
  return names.length;
}
