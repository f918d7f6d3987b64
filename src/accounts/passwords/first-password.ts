import { rm } from "node:fs/promises";
import { join } from "node:path";

/** The first admin's name, unless ADMIN_USERNAME is set. */
export const firstAdminName = "admin";

/** The file that holds the first admin's password until it is changed, if no terminal showed it. */
export function firstPasswordFile(dataFolder: string): string {
  return join(dataFolder, "first-password");
}

/** Removes the file after an admin's password was replaced. If that fails, the next start removes it. */
export async function removeFirstPassword(dataFolder: string, username: string): Promise<void> {
  if (username.toLowerCase() !== firstAdminName) return;
  await rm(firstPasswordFile(dataFolder), { force: true }).catch(() => {});
}
