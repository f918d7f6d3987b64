import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described } from "../http/describe.ts";
import { attachment } from "../http/response.ts";
import { Message } from "../http/schema.ts";
import type { Backup } from "./backup.ts";
import type { Backups } from "./backups.ts";
import { BackupState, Collection, CollectionParams } from "./schema.ts";

type Services = { access: Access; backup: Backup; backups: Backups };

export function createBackupRoutes({ access, backup, backups }: Services) {
  return new Elysia({ name: "backup", prefix: "/api/admin/backup", tags: ["Backup"] })
    .use(access)
    .get("/collections", ({ caller }) => backup.collections(caller), {
      onlyPeople: "admin",
      response: { 200: Type.Array(Collection) },
      detail: described({
        id: "listCollections",
        summary: "The collections that can be downloaded",
        example: [{ name: "license_keys", count: 1200, size: 345_600, modified: "2025-03-05T14:30:00.000Z" }],
      }),
    })
    .get(
      "/download/:name",
      async ({ params, caller, set }) => {
        const content = await backup.download(caller, params.name);
        return attachment({ filename: `${params.name}.json`, content }, "application/json", set);
      },
      {
        onlyPeople: "admin",
        params: CollectionParams,
        detail: described({
          id: "downloadCollection",
          summary: "One collection as a JSON file, without secrets",
          example: [{ id: 7, keyString: "PBGM-A1B2C-D3E4F-G5H6I", game: "PUBG MOBILE" }],
        }),
      },
    )
    .get(
      "/download-all",
      async ({ caller, set }) => attachment(await backup.downloadAll(caller), "application/zip", set),
      {
        onlyPeople: "admin",
        detail: described({
          id: "downloadAll",
          summary: "All collections as a zip archive with a manifest, without secrets",
          example: null,
          fileTypes: ["application/zip"],
        }),
      },
    )
    .get("/backups", () => backups.state(), {
      onlyPeople: "admin",
      response: { 200: BackupState },
      detail: described({
        id: "listBackups",
        summary: "Full backups: the list, when the next is due, and how the last went",
        example: {
          schedule: "0 3 * * *",
          nextAt: "2025-03-06T03:00:00.000Z",
          lastGoodAt: "2025-03-05T03:00:00.000Z",
          isElsewhere: false,
          isLate: false,
          failure: null,
          underWay: null,
          hasS3: true,
          isS3Unreachable: false,
          backups: [
            {
              name: "latchkey-2025-03-05T03-00-00.000Z.db.zst",
              at: "2025-03-05T03:00:00.000Z",
              size: 204_800,
              places: ["folder", "s3"],
            },
          ],
        },
        refusals: ["STORAGE_UNAVAILABLE"],
      }),
    })
    .post(
      "/backups",
      ({ caller }) => {
        backups.start(caller);
        return { message: "Backup started." };
      },
      {
        onlyPeople: "admin",
        response: { 200: Message },
        detail: described({
          id: "startBackup",
          summary: "Start a full backup",
          description: "It is kept like a scheduled one. listBackups returns its progress.",
          example: { message: "Backup started." },
          refusals: ["BACKUP_UNDER_WAY", "BACKUPS_ELSEWHERE"],
        }),
      },
    );
}
