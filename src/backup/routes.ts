import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { attachment } from "../http/attachment.ts";
import { described, whenScanning, whenSignedIn } from "../http/describe.ts";
import type { Backup } from "./backup.ts";
import { Collection, CollectionParams } from "./schema.ts";

export function createBackupRoutes({ access, backup }: { access: Access; backup: Backup }) {
  return new Elysia({ name: "backup", prefix: "/api/admin/backup", tags: ["Backup"] })
    .use(access)
    .get("/collections", () => backup.collections(), {
      only: "admin",
      response: { 200: Type.Array(Collection) },
      detail: described({
        id: "listCollections",
        summary: "The collections that can be downloaded",
        example: [{ name: "license_keys", count: 1200, size: 345_600, modified: "2025-03-05T14:30:00.000Z" }],
        refusals: [...whenSignedIn, ...whenScanning],
      }),
    })
    .get(
      "/download/:name",
      async ({ params, caller, set: { headers } }) => {
        const content = await backup.download(caller, params.name);
        return attachment(content, { filename: `${params.name}.json`, type: "application/json", headers });
      },
      {
        only: "admin",
        params: CollectionParams,
        detail: described({
          id: "downloadCollection",
          summary: "One collection as a JSON file, without secrets",
          example: [{ id: 7, keyString: "PBGM-A1B2C-D3E4F-G5H6I", game: "PUBG MOBILE" }],
          refusals: ["NOT_FOUND", ...whenSignedIn, ...whenScanning],
        }),
      },
    )
    .get(
      "/download-all",
      async ({ caller, set: { headers } }) => {
        const { filename, archive } = await backup.downloadAll(caller);
        return attachment(archive, { filename, type: "application/zip", headers });
      },
      {
        only: "admin",
        detail: described({
          id: "downloadAll",
          summary: "All collections as a zip archive with a manifest, without secrets",
          example: null,
          refusals: [...whenSignedIn, ...whenScanning],
        }),
      },
    );
}
