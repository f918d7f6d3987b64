import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import type { Caller } from "../accounts/audited-changes.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { described } from "../http/describe.ts";
import { attachment, type Reply, wholeOrPage } from "../http/response.ts";
import { IdParams } from "../http/schema.ts";
import type { Ledger } from "./ledger.ts";
import { LedgerEntry, LedgerQuery } from "./ledger-schema.ts";

const examplePurchase = {
  id: 31,
  at: "2025-03-05T14:30:00.000Z",
  reason: "key_purchase",
  amount: -30,
  balance: 20,
  orderId: 12,
  keyId: null,
  by: "night.owl",
  note: null,
  grantId: null,
  left: null,
};
const exampleGrant = {
  ...examplePurchase,
  id: 24,
  at: "2025-03-04T09:00:00.000Z",
  reason: "admin_grant",
  amount: 50,
  balance: 50,
  orderId: null,
  by: "admin",
  note: "Paid by bank transfer",
  left: 50,
};

const everyLedger = {
  description:
    "Every balance is the sum of its ledger. `format=csv` downloads it as a file with the columns id, at, reason, amount, balance, order, by, note, grant and key. The audit log records the download.",
  example: [examplePurchase, exampleGrant],
  isCsvToo: true,
};

export function createLedgerRoutes({ access, ledger }: { access: Access; ledger: Ledger }) {
  return new Elysia({ name: "ledger", prefix: "/api", tags: ["Credits"] })
    .use(access)
    .get(
      "/reseller/ledger",
      ({ query, caller, request, set }) => read(resellerIdOf(caller), query, caller, { request, set }),
      {
        only: ["reseller", "credits:read"],
        query: LedgerQuery,
        response: { 200: Type.Array(LedgerEntry) },
        detail: described({ id: "readOwnLedger", summary: "Your ledger, newest first", ...everyLedger }),
      },
    )
    .get(
      "/admin/resellers/:id/ledger",
      ({ params, query, caller, request, set }) => read(params.id, query, caller, { request, set }),
      {
        only: ["admin", "credits:read"],
        params: IdParams,
        query: LedgerQuery,
        response: { 200: Type.Array(LedgerEntry) },
        detail: described({ id: "readLedger", summary: "A reseller's ledger, newest first", ...everyLedger }),
      },
    );

  async function read(resellerId: number, query: LedgerQuery, caller: Caller, reply: Reply) {
    if (query.format === "csv") {
      const file = await ledger.download(caller, resellerId, query);
      return attachment<LedgerEntry[]>(file, "text/csv; charset=utf-8", reply.set);
    }
    return wholeOrPage(query, reply, await ledger.list(caller, resellerId, query));
  }
}
