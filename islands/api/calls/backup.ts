import type { BackupState } from "../../../src/backups/schema.ts";
import { call, queryOf } from "../api.ts";
import { download } from "../download.ts";

export const collectionsQuery = queryOf("GET /api/admin/backup/collections");

export const downloadCollection = (name: string) =>
  download("GET /api/admin/backup/download/:name", { params: { name }, fallbackName: `${name}.json` });

/** Every collection in one file. `onProgress` gets the number of bytes received. */
export function downloadAll(fallbackName: string, onProgress: (bytes: number) => void) {
  return download("GET /api/admin/backup/download-all", { fallbackName, onProgress });
}

export const backupsQuery = queryOf("GET /api/admin/backup/backups");

const askAgainMs = 1_000;

/** Starts a full backup, and returns its result. `onState` gets the state in between. */
export async function makeFullBackup(onState: (state: BackupState) => void): Promise<BackupState> {
  await call("POST /api/admin/backup/backups");
  for (;;) {
    const state = await call("GET /api/admin/backup/backups");
    if (state.underWay === null) return state;
    onState(state);
    await new Promise((resolve) => setTimeout(resolve, askAgainMs));
  }
}
