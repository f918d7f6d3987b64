import type { Caller } from "../accounts/audited-changes.ts";
import { hasScope } from "../accounts/principal.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import type { Now } from "../core/clock.ts";
import { foldedKeyText } from "../core/key-text.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, SnapshotQuery, Sql } from "../db/contract.ts";
import { findCharactersMin, foundMax } from "../http/limits.ts";
import { keysNamed } from "../keys/external-id-store.ts";
import {
  type FoundKeyRow,
  foundKeys,
  keysNoted,
  keysWithDevice,
  keysWithText,
  newestKeysOf,
} from "../keys/list/search-store.ts";
import { adminKeyView, lookAlikeText, resellerKeyView } from "../keys/model.ts";
import type { Owner } from "../keys/store.ts";
import { adminOrderView, orderView } from "../orders/orders.ts";
import { findOrders } from "../orders/store.ts";
import { resellerView } from "../resellers/resellers.ts";
import { findResellers } from "../resellers/store.ts";
import { findTokens } from "../tokens/store.ts";
import { tokenView } from "../tokens/tokens.ts";
import { type AdminFindings, type ResellerFindings, searchSentence } from "./schema.ts";

export type Search = ReturnType<typeof createSearch>;

/** The search over everything (rules.md: Searching everything). */
export function createSearch({ database, now }: { database: Database; now: Now }) {
  return {
    /** Throws `INVALID`, or `BUSY`. */
    everything: async (admin: Caller, text: string) =>
      database.snapshot(
        searchEverythingQuery,
        {
          text: searchText(text),
          at: now(),
          withResellers: hasScope(admin, "resellers:read"),
          withTokens: hasScope(admin, "tokens:manage"),
        },
        admin,
      ),
    /** A reseller's own keys and orders. Throws `INVALID`, or `BUSY`. */
    own: async (reseller: Caller, text: string) =>
      database.snapshot(
        searchOwnQuery,
        { text: searchText(text), resellerId: resellerIdOf(reseller), at: now() },
        reseller,
      ),
  };
}

function searchText(text: string): string {
  // No searched text contains control characters, and a NUL would end the pattern in SQLite.
  const trimmed = text.replace(/\p{Cc}/gu, " ").trim();
  if (trimmed.length < findCharactersMin) throw new Refusal("INVALID", searchSentence);
  return trimmed;
}

interface Searched {
  text: string;
  at: number;
}

/** Resellers and tokens are left out for a program without their scopes. */
type SearchedByAdmin = Searched & { withResellers: boolean; withTokens: boolean };

export const searchEverythingQuery: SnapshotQuery<SearchedByAdmin, AdminFindings> = {
  name: "search everything",
  async run(sql, { text, at, withResellers, withTokens }) {
    const resellers = await findResellers(sql, text, foundMax);
    const ownersFound = resellers.map(({ id }) => id);
    const keys = await findKeys(sql, { text, owner: "anyone", ownersFound });
    return {
      keys: keys.map(({ row, ...how }) => ({ ...adminKeyView(row, at), ...how, owner: row.owner })),
      resellers: withResellers ? resellers.map(resellerView) : [],
      tokens: withTokens ? (await findTokens(sql, text, foundMax)).map(tokenView) : [],
      orders: (await findOrders(sql, "anyone", text, foundMax)).map(adminOrderView),
    };
  },
};

export const searchOwnQuery: SnapshotQuery<Searched & { resellerId: number }, ResellerFindings> = {
  name: "search one's own",
  async run(sql, { text, resellerId, at }) {
    const keys = await findKeys(sql, { text, owner: { resellerId }, ownersFound: [] });
    return {
      keys: keys.map(({ row, ...how }) => ({ ...resellerKeyView(row, at), ...how })),
      resellers: [],
      tokens: [],
      orders: (await findOrders(sql, { resellerId }, text, foundMax)).map(orderView),
    };
  },
};

interface How {
  foundBy: "text" | "note" | "externalId" | "device" | "owner";
  close: boolean;
}

interface FoundKey extends How {
  row: FoundKeyRow;
}

/** The best are chosen among this many of the latest matches. */
const candidatesMax = 200;

/** `ownersFound` are the resellers whose username matches. */
interface Wanted {
  text: string;
  owner: Owner;
  ownersFound: number[];
}

/**
 * Keys by their text, note, external id, device or owner, in this order. If nothing matches, by look-alikes of their text
 * (rules.md: Searching everything).
 */
async function findKeys(sql: Sql, { text, owner, ownersFound }: Wanted): Promise<FoundKey[]> {
  const found = new Map<number, How>();
  const take = async (foundBy: How["foundBy"], find: () => Promise<number[]>) => {
    if (found.size >= foundMax) return;
    for (const id of await find())
      if (found.size < foundMax && !found.has(id)) found.set(id, { foundBy, close: false });
  };

  const { exact, close } = await keysByText(sql, owner, text);
  await take("text", async () => exact);
  // There are fewer notes than devices, so the search of the devices is often unnecessary.
  await take("note", () => keysNoted(sql, owner, text, foundMax));
  await take("externalId", () => keysNamed(sql, owner, text, candidatesMax));
  await take("device", () => keysWithDevice(sql, owner, text, candidatesMax));
  for (const resellerId of ownersFound) await take("owner", () => newestKeysOf(sql, resellerId, foundMax));
  if (found.size === 0) for (const id of close.slice(0, foundMax)) found.set(id, { foundBy: "text", close: true });
  const rows = await foundKeys(sql, [...found.keys()]);
  return rows.map((row) => ({ row, ...(found.get(row.id) as How) }));
}

/**
 * Best first: the whole text, its end (which people read out), its beginning, any part; among equals the latest. A key
 * that contains the text also looks like it, so one query finds both, unless there are more look-alikes than are
 * compared.
 */
async function keysByText(sql: Sql, owner: Owner, text: string): Promise<{ exact: number[]; close: number[] }> {
  const folded = foldedKeyText(text);
  if (folded === "") return { exact: [], close: [] };
  const close = await keysWithText(sql, owner, { text, close: true }, candidatesMax);
  const exact =
    close.length < candidatesMax
      ? close.filter(({ keyString }) => foldedKeyText(keyString).includes(folded))
      : await keysWithText(sql, owner, { text, close: false }, candidatesMax);
  return {
    exact: bestFirst(exact, (keyString) => rankIn(foldedKeyText(keyString), folded)),
    close: bestFirst(close, (keyString) => rankIn(lookAlikeText(foldedKeyText(keyString)), lookAlikeText(folded))),
  };
}

function bestFirst(keys: { id: number; keyString: string }[], rankOf: (keyString: string) => number): number[] {
  return keys.toSorted((a, b) => rankOf(a.keyString) - rankOf(b.keyString)).map(({ id }) => id);
}

function rankIn(whole: string, part: string): number {
  if (whole === part) return 0;
  if (whole.endsWith(part)) return 1;
  return whole.startsWith(part) ? 2 : 3;
}
