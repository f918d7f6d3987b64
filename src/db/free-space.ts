import { statfs } from "node:fs/promises";

/** How many bytes a user may still write in a folder; `null` where the system does not tell. */
export async function freeBytesIn(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
