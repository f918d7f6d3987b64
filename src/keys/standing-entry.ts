import type { Fingerprint } from "../http/fingerprint.ts";
import type { StandingRow } from "./devices/device-store.ts";
import { games } from "./games.ts";

/**
 * 32-bit words of an entry: three of fingerprint, the generation in which it holds, its owner's id (0 for none), the lower part of its expiry, the
 * key's id, and the rest of its expiry with its game, limit and count. All entries stand in one block of memory.
 */
export type Entries = Int32Array<ArrayBuffer>;
export const wordsPerEntry = 8;
export const generationAt = 3;
export const keyIdAt = 6;
const ownerAt = 4;
const expiryAt = 5;
const figuresAt = 7;
const idMax = 2 ** 31 - 1;

/** What the other figures leave of their word holds the upper part of an expiry: until the year 4199. */
const expiryShift = 18;
const lowerPart = 2 ** 32;
const expiryEnd = lowerPart * 2 ** (32 - expiryShift);

/** The game has two bits of its word, the limit and the count have eight each. */
const gamesMax = 4;
const figureMax = 255;

/** A device that is not connected is not remembered, nor a key that is revoked, or whose figures an entry has no room for. */
export function isRemembered(standing: StandingRow): boolean {
  const { isKnown, revokedAt, id, resellerId, expiresAt } = standing;
  if (isKnown !== 1 || revokedAt !== null || !hasRoomFor(standing)) return false;
  return id <= idMax && (resellerId ?? 0) <= idMax && expiresAt >= 0 && expiresAt < expiryEnd;
}

/** A figure that is too large for its bits would change the ones beside it: the key's game, limit or expiry. */
function hasRoomFor({ game, deviceLimit, deviceCount }: StandingRow): boolean {
  const place = games.indexOf(game);
  return place >= 0 && place < gamesMax && deviceLimit <= figureMax && deviceCount <= figureMax;
}

/** Of what is remembered. Its generation is 0 until it takes its place. */
export function writeEntry(
  words: Entries,
  at: number,
  { first, second, third }: Fingerprint,
  { id, resellerId, game, deviceLimit, deviceCount, expiresAt }: StandingRow,
): void {
  words[at] = first;
  words[at + 1] = second;
  words[at + 2] = third;
  words[at + generationAt] = 0;
  words[at + ownerAt] = resellerId ?? 0;
  words[at + expiryAt] = expiresAt;
  words[at + keyIdAt] = id;
  const expiry = Math.floor(expiresAt / lowerPart) << expiryShift;
  words[at + figuresAt] = expiry | (games.indexOf(game) << 16) | (deviceLimit << 8) | deviceCount;
}

export function standingAt(words: Entries, at: number): StandingRow {
  const figures = words[at + figuresAt] as number;
  return {
    id: words[at + keyIdAt] as number,
    game: games[(figures >> 16) & 0b11] as StandingRow["game"],
    deviceLimit: (figures >> 8) & 0xff,
    deviceCount: figures & 0xff,
    expiresAt: (figures >>> expiryShift) * lowerPart + ((words[at + expiryAt] as number) >>> 0),
    revokedAt: null,
    resellerId: (words[at + ownerAt] as number) || null,
    isKnown: 1,
  };
}
