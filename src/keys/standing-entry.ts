import type { Fingerprint } from "../fingerprint.ts";
import type { StandingRow } from "./device-store.ts";
import { games } from "./games.ts";

/**
 * 32-bit words of an entry: three of fingerprint, the key's generation, two of expiry, the key's id, and its owner's place, game, limit and
 * count. Before it has its place in a memory, which has a list of owners of its own, the owner's id stands in the place of the generation, and 0 for none.
 */
export const wordsPerEntry = 8;
export const generationAt = 3;
export const keyIdAt = 6;
const expiryAt = 4;
const figuresAt = 7;
const idMax = 2 ** 31 - 1;

/** Owners whose keys are remembered: so many places are told apart in what the other figures leave of their word. */
export const ownersMax = 2 ** 14;
const ownerShift = 18;

/** A row of entries in one block of memory, seen as whole numbers and as doubles. */
export interface Entries {
  words: Int32Array<ArrayBuffer>;
  doubles: Float64Array<ArrayBuffer>;
}

export function entriesIn(block: ArrayBuffer): Entries {
  return { words: new Int32Array(block), doubles: new Float64Array(block) };
}

/** A device that is not connected is not remembered, nor a key that is revoked. */
export function isRemembered({ isKnown, revokedAt, id, resellerId }: StandingRow): boolean {
  return isKnown === 1 && revokedAt === null && id <= idMax && (resellerId ?? 0) <= idMax;
}

export function writeEntry(
  { words, doubles }: Entries,
  at: number,
  { first, second, third }: Fingerprint,
  { id, resellerId, game, deviceLimit, deviceCount, expiresAt }: StandingRow,
): void {
  words[at] = first;
  words[at + 1] = second;
  words[at + 2] = third;
  words[at + generationAt] = resellerId ?? 0;
  doubles[(at + expiryAt) >> 1] = expiresAt;
  words[at + keyIdAt] = id;
  words[at + figuresAt] = (games.indexOf(game) << 16) | (deviceLimit << 8) | deviceCount;
}

/** The entry takes its place: its owner by the owner's, and with the generation in which it holds. */
export function settleEntry(
  { words }: Entries,
  at: number,
  { owner, generation }: { owner: number; generation: number },
): void {
  words[at + figuresAt] = (words[at + figuresAt] as number) | (owner << ownerShift);
  words[at + generationAt] = generation;
}

/** Of an entry that has its place. */
export function standingAt({ words, doubles }: Entries, at: number, owners: readonly (number | null)[]): StandingRow {
  const figures = words[at + figuresAt] as number;
  return {
    id: words[at + keyIdAt] as number,
    game: games[(figures >> 16) & 0b11] as StandingRow["game"],
    deviceLimit: (figures >> 8) & 0xff,
    deviceCount: figures & 0xff,
    expiresAt: doubles[(at + expiryAt) >> 1] as number,
    revokedAt: null,
    resellerId: owners[figures >>> ownerShift] as number | null,
    isKnown: 1,
  };
}
