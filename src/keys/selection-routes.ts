import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Caller } from "../accounts/audited-changes.ts";
import { described } from "../http/describe.ts";
import { attachment, type TimedCall, whileSilent } from "../http/response.ts";
import type { SelectedKeys } from "./selected-keys.ts";
import {
  AdminKeySelection,
  AdminSelectionDownload,
  AdminSelectionNote,
  AdminSelectionRevocation,
  KeySelection,
  KeySelectionView,
  NotedSelection,
  RevokedSelection,
  SelectionDownload,
  SelectionNote,
  SelectionRevocation,
} from "./selection/selection-schema.ts";

const looks = {
  description:
    "The keys of `ids`, or all that match the filters. The response counts them by state. Its `mark` identifies the selection in later calls, which do not affect keys that were made or began to match afterwards. With a `mark`, `toRevoke` and `toNote` are what is left to do. With a duration, `toExtend` and `cost` say what extending would do.",
  example: {
    ...{ mark: "WzE3NDExODM4MDAwMDAsMTI4LGZhbHNlXQ", selected: 57, unused: 40, connected: 12, expired: 3, revoked: 2 },
    ...{ toRevoke: 52, toNote: 57, toExtend: 55, cost: 165, refund: 0, isRefundHeld: false },
  },
};

const revocations = {
  description:
    "`count` is the `toRevoke` that was returned with the mark; if it differs, nothing is revoked. Each key is revoked at one instant between the call and its response. Very many keys take a while. If the call breaks off, the refusal says how many were revoked, and repeating the call continues.",
  example: {
    message: "Keys revoked successfully",
    revokedCount: 51,
    passedOver: { revoked: 3, expired: 3 },
    refund: 0,
  },
};

const notes = {
  description:
    "`count` is the `selected` that was returned with the mark; if there are more keys, nothing is noted. If the call breaks off, the refusal says how many were noted, and repeating the call continues.",
  example: { message: "Note saved", notedCount: 55, unchangedCount: 2 },
};

const downloads = {
  description:
    "In order of creation, as CSV with the columns id, key, game, status, devices, deviceLimit, created, expires, order and note, or as text with one key per line. The download is recorded in the audit log.",
  example: null,
  fileTypes: ["text/csv", "text/plain"],
};

const whenActing = ["COUNT_CHANGED"] as const;

/** The part of Elysia's context that both roles' calls use. */
interface Call<Body> extends TimedCall {
  body: Body;
  caller: Caller;
  set: { headers: Record<string, string | number | undefined> };
}

/** Changes to many keys at once, for both roles. */
export function createSelectionRoutes({ access, selectedKeys }: { access: Access; selectedKeys: SelectedKeys }) {
  const revoke = async ({ body, caller, request, server }: Call<AdminSelectionRevocation>) => ({
    message: "Keys revoked successfully",
    ...(await whileSilent({ request, server }, () => selectedKeys.revoke(caller, body))),
  });
  const note = async ({ body, caller, request, server }: Call<AdminSelectionNote>) => ({
    message: "Note saved",
    ...(await whileSilent({ request, server }, () => selectedKeys.note(caller, body))),
  });
  const download = async ({ body, caller, set }: Call<AdminSelectionDownload>) => {
    const type = body.format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8";
    return attachment(await selectedKeys.download(caller, body), type, set);
  };

  return new Elysia({ name: "selected-keys", tags: ["Keys"] })
    .use(access)
    .post("/api/admin/keys/selected", ({ body, caller }) => selectedKeys.look(caller, body), {
      only: ["admin", "keys:read"],
      body: AdminKeySelection,
      response: { 200: KeySelectionView },
      detail: described({
        id: "lookAtKeys",
        summary: "Select admin keys, or a reseller's, and count them by state",
        ...looks,
        refusals: ["NOT_FOUND"],
      }),
    })
    .post("/api/reseller/keys/selected", ({ body, caller }) => selectedKeys.look(caller, body), {
      only: ["reseller", "keys:read"],
      body: KeySelection,
      response: { 200: KeySelectionView },
      detail: described({
        id: "lookAtOwnKeys",
        summary: "Select your keys and count them by state",
        ...looks,
        refusals: ["INVALID_DAY_TIER"],
      }),
    })
    .post("/api/admin/keys/selected/revoke", revoke, {
      only: ["admin", "keys:manage"],
      body: AdminSelectionRevocation,
      response: { 200: RevokedSelection },
      detail: described({
        id: "revokeKeys",
        summary: "Revoke selected keys, at once and for good",
        ...revocations,
        refusals: ["NOT_FOUND", "BALANCE_TOO_LARGE", ...whenActing],
      }),
    })
    .post("/api/reseller/keys/selected/revoke", revoke, {
      only: ["reseller", "keys:manage"],
      body: SelectionRevocation,
      response: { 200: RevokedSelection },
      detail: described({
        id: "revokeOwnKeys",
        summary: "Revoke your selected active keys, at once and for good",
        ...revocations,
        refusals: ["BALANCE_TOO_LARGE", ...whenActing],
      }),
    })
    .put("/api/admin/keys/selected/note", note, {
      only: ["admin", "keys:manage"],
      body: AdminSelectionNote,
      response: { 200: NotedSelection },
      detail: described({
        id: "noteAdminKeys",
        summary: "Set the note of selected admin keys",
        ...notes,
        refusals: ["NOT_FOUND", ...whenActing],
      }),
    })
    .put("/api/reseller/keys/selected/note", note, {
      only: ["reseller", "keys:manage"],
      body: SelectionNote,
      response: { 200: NotedSelection },
      detail: described({
        id: "noteOwnKeys",
        summary: "Set the note of your selected keys",
        ...notes,
        refusals: whenActing,
      }),
    })
    .post("/api/admin/keys/selected/download", download, {
      onlyPeople: "admin",
      body: AdminSelectionDownload,
      detail: described({
        id: "downloadKeys",
        summary: "Selected admin keys, or a reseller's, as a file",
        ...downloads,
        refusals: ["NOT_FOUND"],
      }),
    })
    .post("/api/reseller/keys/selected/download", download, {
      onlyPeople: "reseller",
      body: SelectionDownload,
      detail: described({
        id: "downloadOwnKeys",
        summary: "Your selected keys as a file",
        ...downloads,
      }),
    });
}
