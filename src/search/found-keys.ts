import type { Sql } from "../db/contract.ts";
import { foldedKeyText, lookAlikeText } from "../keys/key-text.ts";
import type { KeySearch } from "../keys/list/list-store.ts";
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

/** Keys by their text, device, note or owner; where nothing fits, by look-alikes of their text (rules.md: Searching everything). */
export async function findKeys(sql: Sql, { text, owner, ownersFound, rowsMax }: Wanted): Promise<FoundKey[]> {
  const found = new Map<number, How>();
  const take = async (foundBy: How["foundBy"], find: () => Promise<number[]>) => {
    if (found.size >= rowsMax) return;
    for (const id of await find()) if (found.size < rowsMax && !found.has(id)) found.set(id, { foundBy, close: false });
  };

  const byText = (close: boolean) => keysByText(sql, owner, { text, close });
  await take("text", () => byText(false));
  await take("device", () => keysWithDevice(sql, owner, text, candidatesMax));
  await take("note", () => keysNoted(sql, owner, text, rowsMax));
  for (const resellerId of ownersFound) await take("owner", () => newestKeysOf(sql, resellerId, rowsMax));
  if (found.size === 0)
    for (const id of (await byText(true)).slice(0, rowsMax)) found.set(id, { foundBy: "text", close: true });
  const rows = await foundKeys(sql, [...found.keys()]);
  return rows.map((row) => ({ row, ...(found.get(row.id) as How) }));
}

/** Best first: the whole text, its end (which is what people read out), its beginning, any part; of equals the latest. */
async function keysByText(sql: Sql, owner: Owner, search: KeySearch): Promise<number[]> {
  const read = (text: string) => (search.close ? lookAlikeText(foldedKeyText(text)) : foldedKeyText(text));
  const wanted = read(search.text);
  if (wanted === "") return [];
  const keys = await keysWithText(sql, owner, search, candidatesMax);
  const rankOf = ({ keyString }: { keyString: string }) => rankIn(read(keyString), wanted);
  return keys.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ id }) => id);
}

function rankIn(whole: string, part: string): number {
  if (whole === part) return 0;
  if (whole.endsWith(part)) return 1;
  return whole.startsWith(part) ? 2 : 3;
}
