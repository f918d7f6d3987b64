import type { SnapshotQuery, Sql } from "../db/contract.ts";
import { adminKeyView, resellerKeyView } from "../keys/model.ts";
import { type OrderOwner, orderOf } from "../orders/store.ts";
import { adminOrderView, orderView } from "../orders/views.ts";
import { findResellers } from "../resellers/store.ts";
import { resellerView } from "../resellers/view.ts";
import { findTokens } from "../tokens/store.ts";
import { tokenView } from "../tokens/view.ts";
import { findKeys } from "./found-keys.ts";
import { foundMax } from "./limits.ts";
import type { AdminFindings, ResellerFindings } from "./schema.ts";

interface Searched {
  text: string;
  at: number;
}

export const searchEverythingQuery: SnapshotQuery<Searched, AdminFindings> = {
  name: "search everything",
  async run(sql, { text, at }) {
    const resellers = await findResellers(sql, text, foundMax);
    const ownersFound = resellers.map(({ id }) => id);
    const keys = await findKeys(sql, { text, owner: "anyone", ownersFound, rowsMax: foundMax });
    return {
      keys: keys.map(({ row, ...how }) => ({ ...adminKeyView(row, at), ...how, owner: row.owner })),
      resellers: resellers.map(resellerView),
      tokens: (await findTokens(sql, text, foundMax)).map(tokenView),
      orders: (await findOrder(sql, "anyone", text)).map(adminOrderView),
    };
  },
};

export const searchOwnQuery: SnapshotQuery<Searched & { resellerId: number }, ResellerFindings> = {
  name: "search one's own",
  async run(sql, { text, resellerId, at }) {
    const keys = await findKeys(sql, { text, owner: { resellerId }, ownersFound: [], rowsMax: foundMax });
    return {
      keys: keys.map(({ row, ...how }) => ({ ...resellerKeyView(row, at), ...how })),
      resellers: [],
      tokens: [],
      orders: (await findOrder(sql, { resellerId }, text)).map(orderView),
    };
  },
};

/** By its number, with or without `#`. */
async function findOrder(sql: Sql, owner: OrderOwner, text: string) {
  const [, number] = /^#?(\d{1,15})$/.exec(text) ?? [];
  const order = number === undefined ? null : await orderOf(sql, owner, Number(number));
  return order ? [order] : [];
}
