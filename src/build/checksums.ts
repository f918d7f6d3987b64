import { join } from "node:path";

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
