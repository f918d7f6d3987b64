import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What stands beside the executable, by the paths of the repository: the handbook's lines and links hold in both. */
const beside = ["LICENSE", "SECURITY.md", "CHANGELOG.md", "docs"];

/**
 * Packs `build/latchkey` with what an operator wants beside it, in one folder of the archive's name. Order, owner and times are fixed, so
 * that the same executable makes the same archive.
 */
export async function packArchive({
  root,
  folder,
  name,
  builtAt,
}: {
  root: string;
  folder: string;
  name: string;
  builtAt: Date;
}): Promise<string> {
  const packed = join(root, "build/packed");
  const content = join(packed, name);
  rmSync(packed, { recursive: true, force: true });
  mkdirSync(content, { recursive: true });
  copyFileSync(join(root, "build/latchkey"), join(content, "latchkey"));
  for (const path of beside) cpSync(join(root, path), join(content, path), { recursive: true });
  chmodSync(join(content, "latchkey"), 0o755);
  const archive = `${name}.tar.gz`;
  const fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  // gzip by itself notes the time.
  const tar = Bun.$`tar ${fixed} --mtime=${builtAt.toISOString()} -C ${packed} -c ${name} | gzip -n > ${join(folder, archive)}`;
  await tar.quiet();
  rmSync(packed, { recursive: true, force: true });
  return archive;
}
