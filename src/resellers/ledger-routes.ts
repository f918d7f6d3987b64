import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Caller } from "../accounts/audited-changes.ts";
import { described } from "../http/describe.ts";
import { attachment, type Reply, wholeOrPage } from "../http/response.ts";
import { IdParams } from "../http/schema.ts";
import type { Ledger } from "./ledger.ts";
import { LedgerEntry, LedgerQuery } from "./ledger-schema.ts";

const exampleEntries = [
  {
    ...{ id: 31, at: "2025-03-05T14:30:00.000Z", reason: "key_purchase", amount: -30, balance: 20 },
    ...{ orderId: 12, keyId: null, by: "night.owl", note: null, grantId: null, left: null },
  },
  {
    ...{ id: 24, at: "2025-03-04T09:00:00.000Z", reason: "admin_grant", amount: 50, balance: 50 },
    ...{ orderId: null, keyId: null, by: "admin", note: "Paid by bank transfer", grantId: null, left: 50 },
  },
];

const description =
  "Every balance is the sum of its ledger. `format=csv` downloads it as a file with the columns id, at, reason, amount, balance, order, by, note, grant and key. The audit log records the download.";

export function createLedgerRoutes({ access, ledger }: { access: Access; ledger: Ledger }) {
  return new Elysia({ name: "ledger", tags: ["Credits"] })
    .use(access)
    .get(
      "/api/reseller/ledger",
      async ({ query, caller, request, set }) => read(caller.id, query, caller, { request, set }),
      {
        only: ["reseller", "credits:read"],
        query: LedgerQuery,
        response: { 200: Type.Array(LedgerEntry) },
        detail: described({
          id: "readOwnLedger",
          summary: "Your ledger, newest first",
          description,
          example: exampleEntries,
          isCsvToo: true,
        }),
      },
    )
    .get(
      "/api/admin/resellers/:id/ledger",
      async ({ params, query, caller, request, set }) => read(params.id, query, caller, { request, set }),
      {
        only: ["admin", "credits:read"],
        params: IdParams,
        query: LedgerQuery,
        response: { 200: Type.Array(LedgerEntry) },
        detail: described({
          id: "readLedger",
          summary: "A reseller's ledger, newest first",
          description,
          example: exampleEntries,
          isCsvToo: true,
        }),
      },
    );

  async function read(resellerId: number, query: LedgerQuery, caller: Caller, reply: Reply) {
    if (query.format === "csv") {
      const { filename, content } = await ledger.download(caller, resellerId, query);
      return attachment<LedgerEntry[]>(content, {
        filename,
        type: "text/csv; charset=utf-8",
        headers: reply.set.headers,
      });
    }
    return wholeOrPage(query, reply, await ledger.list(caller, resellerId, query));
  }
}
