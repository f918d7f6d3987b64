import { chmodSync, chownSync, statSync } from "node:fs";

/** Gives what root made to the owner of another file or folder, so that a server which is not root can use it; answers whom, if anybody. */
export function giveToOwnerOf(model: string, path: string): number | null {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(model);
  chownSync(path, uid, gid);
  return uid === 0 ? null : uid;
}

/** The same, with the mode of the file whose place it takes. */
export function giveRightsOf(model: string, path: string): number | null {
  const stat = statSync(model);
  if (stat.isFile()) chmodSync(path, stat.mode & 0o777);
  return giveToOwnerOf(model, path);
}
