import type { Sql } from "../db/contract.ts";
import { foldedText } from "../keys/list/folded-text.ts";
import { type KnownKeyTexts, keyTextsKnownBy, rowsAtOnce } from "../keys/list/known-key-texts.ts";
import { deviceTextsAfter, type SearchedText } from "../keys/list/search-store.ts";
import { createTextPile, type TextPile } from "../keys/list/text-pile.ts";

/**
 * So many of the latest devices are read anew for each search. Several processes may connect devices at once, and then one with a lower number is
 * committed after one with a higher: what comes late is among them.
 */
const unsettledRows = 1_000;

/** A pile is built anew once it holds twice as many devices as then: most of them have gone meanwhile. */
const slackRows = 100_000;

/**
 * The texts of keys and of connected devices, in the memory of the thread that searches: SQL would look at every row for a part of a text,
 * and an index of all parts would cost every purchase and every new device more than they cost now. A million keys with 1.5 devices each
 * take about 200 MB.
 */
export interface KnownTexts {
  keys: KnownKeyTexts;
  devices: TextPile;
  /** Those that came after them. */
  latestDevices: TextPile;
  /** Takes in what has come since, or a slice of it. Answers whether there may be more. */
  takeIn(sql: Sql): Promise<boolean>;
}

/** What is known of each database. */
const knownBy = new WeakMap<object, KnownTexts>();

/** `memory` is that of a reading. */
export function textsKnownBy(memory: object): KnownTexts {
  const known = knownBy.get(memory) ?? createKnownTexts(keyTextsKnownBy(memory));
  knownBy.set(memory, known);
  return known;
}

function createKnownTexts(keys: KnownKeyTexts): KnownTexts {
  let lastDevice = 0;
  let latestDevice = 0;
  /** Unknown until all of them are in. */
  let devicesMax = Number.POSITIVE_INFINITY;
  let takenIn: Promise<unknown> = Promise.resolve();
  const known: KnownTexts = {
    ...{ keys, devices: createTextPile(), latestDevices: createTextPile() },
    // One after the other: two at once would take in the same.
    takeIn(sql) {
      const taking = takenIn.then(() => takeInSlice(sql));
      takenIn = taking.catch(() => {});
      return taking;
    },
  };
  return known;

  async function takeInSlice(sql: Sql): Promise<boolean> {
    if (await keys.takeIn(sql)) return true;
    if (known.devices.size > devicesMax) beginDevicesAnew();
    const devices = await deviceTextsAfter(sql, lastDevice, rowsAtOnce);
    lastDevice = addAll(known.devices, devices.slice(0, -unsettledRows)) ?? lastDevice;
    if (devices.length === rowsAtOnce) return true;
    takeLatest(devices.slice(-unsettledRows));
    if (devicesMax === Number.POSITIVE_INFINITY) devicesMax = 2 * known.devices.size + slackRows;
    return false;
  }

  /** A search that began earlier, and reads of an earlier instant, may come here later. */
  function takeLatest(devices: SearchedText[]): void {
    const pile = createTextPile();
    const last = addAll(pile, devices) ?? latestDevice;
    if (last < latestDevice) return;
    latestDevice = last;
    known.latestDevices = pile;
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
