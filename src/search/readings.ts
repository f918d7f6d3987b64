import type { Reading, Sql } from "../db/contract.ts";
import { adminKeyView, resellerKeyView } from "../keys/model.ts";
import { type OrderOwner, orderOf } from "../orders/store.ts";
import { adminOrderView, orderView } from "../orders/views.ts";
import { findResellers } from "../resellers/store.ts";
import { resellerView } from "../resellers/view.ts";
import { findTokens } from "../tokens/store.ts";
import { tokenView } from "../tokens/view.ts";
import { findKeys } from "./found-keys.ts";
import { type KnownTexts, textsKnownBy } from "./known-texts.ts";
import { foundMax } from "./limits.ts";
import type { AdminFindings, ResellerFindings } from "./schema.ts";

/** `resellerId` is `null` where an admin searches. */
export interface Searched {
  text: string;
  resellerId: number | null;
  at: number;
}

/** The findings as JSON. While the known takes in what has come since, each piece is empty, so that others take turns. */
export const searchReading: Reading<Searched> = {
  name: "search",
  async *pieces(sql, { text, resellerId, at }, memory) {
    const known = textsKnownBy(memory);
    while (await known.takeIn(sql)) yield "";
    yield JSON.stringify(
      resellerId === null
        ? await forAdmin(sql, known, text, at)
        : await forReseller(sql, known, { text, resellerId, at }),
    );
  },
};

/** Takes in what searches look through, and answers nothing. */
export const searchedTextsReading: Reading<null> = {
  name: "searched texts",
  async *pieces(sql, _given, memory) {
    const known = textsKnownBy(memory);
    while (await known.takeIn(sql)) yield "";
  },
};

async function forAdmin(sql: Sql, known: KnownTexts, text: string, at: number): Promise<AdminFindings> {
  const resellers = await findResellers(sql, text, foundMax);
  const ownersFound = resellers.map(({ id }) => id);
  const keys = await findKeys(sql, known, { text, resellerId: null, ownersFound, rowsMax: foundMax });
  return {
    keys: keys.map(({ row, ...how }) => ({ ...adminKeyView(row, at), ...how, owner: row.owner })),
    resellers: resellers.map(resellerView),
    tokens: (await findTokens(sql, text, foundMax)).map(tokenView),
    orders: (await findOrder(sql, "anyone", text)).map(adminOrderView),
  };
}

async function forReseller(
  sql: Sql,
  known: KnownTexts,
  { text, resellerId, at }: { text: string; resellerId: number; at: number },
): Promise<ResellerFindings> {
  const keys = await findKeys(sql, known, { text, resellerId, ownersFound: [], rowsMax: foundMax });
  return {
    keys: keys.map(({ row, ...how }) => ({ ...resellerKeyView(row, at), ...how })),
    resellers: [],
    tokens: [],
    orders: (await findOrder(sql, { resellerId }, text)).map(orderView),
  };
}

/** By its number, with or without `#`. */
async function findOrder(sql: Sql, owner: OrderOwner, text: string) {
  const [, number] = /^#?(\d{1,15})$/.exec(text) ?? [];
  const order = number === undefined ? null : await orderOf(sql, owner, Number(number));
  return order ? [order] : [];
}
