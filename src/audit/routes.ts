import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Caller } from "../accounts/audited-changes.ts";
import { described } from "../http/describe.ts";
import { attachment, linkedRows, type Reply } from "../http/response.ts";
import type { Audit } from "./audit.ts";
import { AuditEntry, AuditQuery } from "./schema.ts";

const exampleEntry = {
  id: 4711,
  at: "2025-03-05T14:30:00.000Z",
  action: "credit_granted",
  actor: { id: 1, username: "admin", role: "admin" },
  target: "reseller night.owl",
  address: "203.0.113.7",
  details: { resellerId: 2, amount: 50, balance: 62.5 },
};

export function createAuditRoutes({ access, audit }: { access: Access; audit: Audit }) {
  return new Elysia({ name: "audit", prefix: "/api/admin/audit", tags: ["Audit log"] })
    .use(access)
    .get("", async ({ query, caller, request, set }) => read(query, caller, { request, set }), {
      only: ["admin", "audit:read"],
      query: AuditQuery,
      response: { 200: Type.Array(AuditEntry) },
      detail: described({
        id: "readAuditLog",
        summary: "The audit log, newest first",
        description:
          "Append-only. `format=csv` downloads it as a file with the columns id, at, action, actor, target, address and details. The download is an entry, too.",
        example: [exampleEntry],
        isCsvToo: true,
      }),
    });

  async function read(query: AuditQuery, admin: Caller, reply: Reply) {
    if (query.format !== "csv") return linkedRows(reply, audit.list(admin, query));
    return attachment<AuditEntry[]>(await audit.download(admin, query), "text/csv; charset=utf-8", reply.set);
  }
}
