import type { Sql } from "../db/contract.ts";
import { foldedKeyText, lookAlikeText } from "../keys/key-text.ts";
import {
  type FoundKeyRow,
  foundKeys,
  keysNoted,
  keysWithDevice,
  keysWithText,
  newestKeysOf,
} from "../keys/list/search-store.ts";
import type { Owner } from "../keys/store.ts";

interface How {
  foundBy: "text" | "note" | "device" | "owner";
  close: boolean;
}

export interface FoundKey extends How {
  row: FoundKeyRow;
}

/** The best are chosen among so many matches, the latest ones. */
const candidatesMax = 200;

/** `ownersFound` are the resellers whose keys fit by their username. */
interface Wanted {
  text: string;
  owner: Owner;
  ownersFound: number[];
  rowsMax: number;
}

/** Keys by their text, note, device or owner, in this order; where nothing fits, by look-alikes of their text (rules.md: Searching everything). */
export async function findKeys(sql: Sql, { text, owner, ownersFound, rowsMax }: Wanted): Promise<FoundKey[]> {
  const found = new Map<number, How>();
  const take = async (foundBy: How["foundBy"], find: () => Promise<number[]>) => {
    if (found.size >= rowsMax) return;
    for (const id of await find()) if (found.size < rowsMax && !found.has(id)) found.set(id, { foundBy, close: false });
  };

  const { exact, close } = await keysByText(sql, owner, text);
  await take("text", async () => exact);
  // There are fewer notes than devices, so the reading of those is often saved.
  await take("note", () => keysNoted(sql, owner, text, rowsMax));
  await take("device", () => keysWithDevice(sql, owner, text, candidatesMax));
  for (const resellerId of ownersFound) await take("owner", () => newestKeysOf(sql, resellerId, rowsMax));
  if (found.size === 0) for (const id of close.slice(0, rowsMax)) found.set(id, { foundBy: "text", close: true });
  const rows = await foundKeys(sql, [...found.keys()]);
  return rows.map((row) => ({ row, ...(found.get(row.id) as How) }));
}

/**
 * Best first: the whole text, its end (which is what people read out), its beginning, any part; of equals the latest. A key that has the text
 * also looks like it, so one pass finds both, unless more look like it than are compared.
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
