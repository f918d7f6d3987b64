import type { Sql } from "../db/contract.ts";
import { foldedText, lookAlikeText } from "../keys/list/folded-text.ts";
import { type FoundKeyRow, foundKey, keyOfDevice, keysNoted, newestKeysOf } from "../keys/list/search-store.ts";
import type { KnownTexts } from "./known-texts.ts";

export interface FoundKey {
  row: FoundKeyRow;
  foundBy: "text" | "note" | "device" | "owner";
  close: boolean;
}

/** Of texts so many are looked at, the latest first: among them the best are chosen. */
const candidatesMax = 200;

/** `resellerId` is `null` where everybody's keys are searched; `ownersFound` are the resellers whose keys fit by their name. */
interface Wanted {
  text: string;
  resellerId: number | null;
  ownersFound: number[];
  rowsMax: number;
}

/** Keys by their text, device, note or owner; where nothing fits, by look-alikes of their text (rules.md: Searching everything). */
export async function findKeys(sql: Sql, known: KnownTexts, wanted: Wanted): Promise<FoundKey[]> {
  const { text, resellerId, ownersFound, rowsMax } = wanted;
  const candidates = await keysByText(sql, known, wanted);
  const found = new Map<number, FoundKey>();
  const take = async (ids: Iterable<number>, foundBy: FoundKey["foundBy"]) => {
    for (const id of ids) {
      if (found.size >= rowsMax) return;
      const row = found.has(id) ? null : await foundKey(sql, id);
      if (row) found.set(id, { row, foundBy, close: false });
    }
  };

  for (const key of candidates.filter(({ close }) => !close).slice(0, rowsMax)) found.set(key.row.id, key);
  await take(await keysByDevice(sql, known, wanted), "device");
  await take(await keysNoted(sql, resellerId === null ? "anyone" : { resellerId }, text, rowsMax), "note");
  for (const owner of ownersFound) await take(await newestKeysOf(sql, owner, rowsMax), "owner");
  return found.size > 0 ? [...found.values()] : candidates.slice(0, rowsMax);
}

/** Best first: the whole text, its end (which is what people read out), its beginning, any part; of equals the latest. */
async function keysByText(sql: Sql, known: KnownTexts, { text, resellerId }: Wanted): Promise<FoundKey[]> {
  const wanted = foldedText(text);
  const keys: (FoundKey & { rank: number })[] = [];
  if (wanted === "") return [];
  const { ids, alike } = known.keys.texts.find(wanted, resellerId, candidatesMax);
  const close = ids.length === 0;
  for (const id of close ? alike : ids) {
    const row = await foundKey(sql, id);
    if (!row) continue;
    const whole = foldedText(row.keyString);
    const rank = close ? rankIn(lookAlikeText(whole), lookAlikeText(wanted)) : rankIn(whole, wanted);
    keys.push({ row, foundBy: "text", close, rank });
  }
  return keys.sort((a, b) => a.rank - b.rank).map(({ row, foundBy, close }) => ({ row, foundBy, close }));
}

function rankIn(whole: string, part: string): number {
  if (whole === part) return 0;
  if (whole.endsWith(part)) return 1;
  return whole.startsWith(part) ? 2 : 3;
}

async function keysByDevice(sql: Sql, known: KnownTexts, { text, resellerId, rowsMax }: Wanted): Promise<Set<number>> {
  const wanted = foldedText(text);
  const keys = new Set<number>();
  if (wanted === "") return keys;
  const devices = [known.latestDevices, known.devices].flatMap(
    (pile) => pile.find(wanted, resellerId, candidatesMax).ids,
  );
  for (const device of devices.slice(0, candidatesMax)) {
    const keyId = await keyOfDevice(sql, device);
    if (keyId !== null) keys.add(keyId);
    if (keys.size >= rowsMax) break;
  }
  return keys;
}
