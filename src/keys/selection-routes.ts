import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Role } from "../accounts/schema.ts";
import { described } from "../http/describe.ts";
import { attachment, whileSilent } from "../http/response.ts";
import type { SchemaOf } from "../http/schema.ts";
import { ownFor } from "./routes.ts";
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

const revokedSentence = "Keys revoked successfully";
const notedSentence = "Note saved";

/** Changes to many keys at once, for both roles. */
export function createSelectionRoutes({ access, selectedKeys }: { access: Access; selectedKeys: SelectedKeys }) {
  return new Elysia({ name: "selected-keys", prefix: "/api", tags: ["Keys"] })
    .use(look("admin", AdminKeySelection, "Select admin keys, or a reseller's, and count them by state"))
    .use(look("reseller", KeySelection, "Select your keys and count them by state"))
    .use(revocation("admin", AdminSelectionRevocation, "Revoke selected keys, at once and for good"))
    .use(revocation("reseller", SelectionRevocation, "Revoke your selected active keys, at once and for good"))
    .use(note("admin", AdminSelectionNote, "Set the note of selected admin keys"))
    .use(note("reseller", SelectionNote, "Set the note of your selected keys"))
    .use(download("admin", AdminSelectionDownload, "Selected admin keys, or a reseller's, as a file"))
    .use(download("reseller", SelectionDownload, "Your selected keys as a file"));

  function look<Who extends Role, Form extends AdminKeySelection>(who: Who, form: SchemaOf<Form>, summary: string) {
    return new Elysia()
      .use(access)
      .post(`/${who}/keys/selected`, ({ body, caller }) => selectedKeys.look(caller, body), {
        only: [who, "keys:read"],
        body: form,
        response: { 200: KeySelectionView },
        detail: described({
          id: `lookAt${ownFor(who)}Keys`,
          summary,
          description:
            "The keys of `ids`, or all that match the filters. The response counts them by state. Its `mark` identifies the selection in later calls, which do not affect keys that were made or began to match afterwards. With a `mark`, `toRevoke` and `toNote` are what is left to do. With a duration, `toExtend`, `cost` and `expiry` say what extending would do.",
          example: {
            mark: "WzE3NDExODM4MDAwMDAsMTI4LGZhbHNlXQ",
            selected: 57,
            unused: 40,
            connected: 12,
            expired: 3,
            revoked: 2,
            toRevoke: 52,
            toNote: 57,
            toExtend: 55,
            cost: 165,
            expiry: {
              first: "2025-04-04T14:30:00.000Z",
              last: "2025-04-09T14:30:00.000Z",
              newFirst: "2025-05-04T14:30:00.000Z",
              newLast: "2025-05-09T14:30:00.000Z",
            },
            refund: 0,
            isRefundHeld: false,
          },
          refusals: [who === "admin" ? "NOT_FOUND" : "INVALID_DAY_TIER"],
        }),
      });
  }

  function revocation<Who extends Role, Form extends AdminSelectionRevocation>(
    who: Who,
    form: SchemaOf<Form>,
    summary: string,
  ) {
    return new Elysia().use(access).post(
      `/${who}/keys/selected/revoke`,
      async ({ body, caller, request, server }) => ({
        message: revokedSentence,
        ...(await whileSilent({ request, server }, () => selectedKeys.revoke(caller, body))),
      }),
      {
        only: [who, "keys:manage"],
        body: form,
        response: { 200: RevokedSelection },
        detail: described({
          id: `revoke${ownFor(who)}Keys`,
          summary,
          description:
            "`count` is the `toRevoke` that was returned with the mark; if it differs, nothing is revoked. Each key is revoked at one instant between the call and its response. Very many keys take a while. If the call breaks off, the refusal says how many were revoked, and repeating the call continues.",
          example: { message: revokedSentence, revokedCount: 51, passedOver: { revoked: 3, expired: 3 }, refund: 0 },
          refusals: [...unknownReseller(who), "BALANCE_TOO_LARGE", "COUNT_CHANGED"],
        }),
      },
    );
  }

  function note<Who extends Role, Form extends AdminSelectionNote>(who: Who, form: SchemaOf<Form>, summary: string) {
    return new Elysia().use(access).put(
      `/${who}/keys/selected/note`,
      async ({ body, caller, request, server }) => ({
        message: notedSentence,
        ...(await whileSilent({ request, server }, () => selectedKeys.note(caller, body))),
      }),
      {
        only: [who, "keys:manage"],
        body: form,
        response: { 200: NotedSelection },
        detail: described({
          id: who === "admin" ? "noteAdminKeys" : "noteOwnKeys",
          summary,
          description:
            "`count` is the `selected` that was returned with the mark; if there are more keys, nothing is noted. If the call breaks off, the refusal says how many were noted, and repeating the call continues.",
          example: { message: notedSentence, notedCount: 55, unchangedCount: 2 },
          refusals: [...unknownReseller(who), "COUNT_CHANGED"],
        }),
      },
    );
  }

  function download<Who extends Role, Form extends AdminSelectionDownload>(
    who: Who,
    form: SchemaOf<Form>,
    summary: string,
  ) {
    return new Elysia().use(access).post(
      `/${who}/keys/selected/download`,
      async ({ body, caller, set }) => {
        const type = body.format === "csv" ? "text/csv; charset=utf-8" : "text/plain; charset=utf-8";
        return attachment(await selectedKeys.download(caller, body), type, set);
      },
      {
        // Elysia's types need one here that is not generic.
        only: [who as Role, null, ["keys:read"]],
        body: form,
        detail: described({
          id: `download${ownFor(who)}Keys`,
          summary,
          description:
            "In order of creation, as CSV with the columns id, key, game, status, devices, deviceLimit, created, expires, order and note, or as text with one key per line. The download is recorded in the audit log.",
          example: null,
          fileTypes: ["text/csv", "text/plain"],
          refusals: unknownReseller(who),
        }),
      },
    );
  }
}

/** Only admins name the reseller whose keys they select. */
function unknownReseller(who: Role) {
  return who === "admin" ? (["NOT_FOUND"] as const) : [];
}
