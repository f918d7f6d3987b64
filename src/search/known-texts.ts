import type { Sql } from "../database/database.ts";
import { foldedText, lookAlikeText } from "../keys/folded-text.ts";
import { deviceTextsAfter, keyTextsAfter, type SearchedText } from "../keys/search-store.ts";
import { createTextPile, type TextPile } from "./text-pile.ts";

/** Rows taken in at once. The thread that searches has other things to do in between. */
const rowsAtOnce = 20_000;

/** A pile is built anew once it holds twice as many devices as then: most of them have gone meanwhile. */
const slackRows = 100_000;

/**
 * The texts of keys and of connected devices, in the memory of the thread that searches: SQL would look at every row for a part of a text,
 * and an index of all parts would cost every purchase and every new device more than they cost now. A million keys with 1.5 devices each
 * take about 150 MB.
 */
export interface KnownTexts {
  keys: TextPile;
  devices: TextPile;
  /** Takes in what has come since, or a slice of it. Answers whether there may be more. */
  takeIn(sql: Sql): Promise<boolean>;
}

export function createKnownTexts(): KnownTexts {
  const lookAlikes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const letter of "oilsb") lookAlikes[letter.charCodeAt(0)] = lookAlikeText(letter).charCodeAt(0);
  let lastKey = 0;
  let lastDevice = 0;
  /** Unknown until all of them are in. */
  let devicesMax = Number.POSITIVE_INFINITY;
  const known: KnownTexts = { keys: createTextPile(lookAlikes), devices: createTextPile(), takeIn };
  return known;

  async function takeIn(sql: Sql): Promise<boolean> {
    const keys = await keyTextsAfter(sql, lastKey, rowsAtOnce);
    lastKey = addAll(known.keys, keys) ?? lastKey;
    if (keys.length === rowsAtOnce) return true;
    if (known.devices.size > devicesMax) beginDevicesAnew();
    const devices = await deviceTextsAfter(sql, lastDevice, rowsAtOnce);
    lastDevice = addAll(known.devices, devices) ?? lastDevice;
    if (devices.length === rowsAtOnce) return true;
    if (devicesMax === Number.POSITIVE_INFINITY) devicesMax = 2 * known.devices.size + slackRows;
    return false;
  }

  function beginDevicesAnew(): void {
    known.devices = createTextPile();
    lastDevice = 0;
    devicesMax = Number.POSITIVE_INFINITY;
  }
}

function addAll(pile: TextPile, rows: SearchedText[]): number | undefined {
  for (const { id, owner, text } of rows) pile.add(id, owner, foldedText(text));
  return rows.at(-1)?.id;
}
