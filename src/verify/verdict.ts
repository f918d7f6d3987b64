import type { Game } from "../catalogue/catalogue.ts";
import { isoOf } from "../core/clock.ts";
import type { Verdict, VerdictCode } from "./schema.ts";

/** A key, seen from the device that asks. */
export interface VerifiableKey {
  id: number;
  game: Game;
  /** The owner; null for an admin key. */
  resellerId: number | null;
  expiresAt: number;
  isRevoked: boolean;
  deviceLimit: number;
  deviceCount: number;
  /** Whether the device that asks holds one of the slots. */
  isConnected: boolean;
}

/** What is looked up: the key's normal form, the game by its own name, the device. */
export interface Lookup {
  text: string;
  game: Game;
  deviceId: string;
}

/** `NEW_DEVICE`: the key is good and has a free slot, which the device does not hold yet. */
export type Assessment = VerdictCode | "NEW_DEVICE";

/** Spellings that people would call the same key have the same normal form, which is how the database finds a key. */
export function normalForm(keyText: string): string {
  return keyText.trim().toLowerCase();
}

/** The first rule that applies decides: a revoked key that has also expired is REVOKED (rules.md: Verdicts). */
export function assess(key: VerifiableKey | null, { game }: Lookup, now: number): Assessment {
  // A key of another game must look like no key at all, or a guesser learns which keys exist.
  if (key === null || key.game !== game) return "NOT_FOUND";
  if (key.isRevoked) return "REVOKED";
  if (key.expiresAt <= now) return "EXPIRED";
  if (key.isConnected) return "VALID";
  return key.deviceCount < key.deviceLimit ? "NEW_DEVICE" : "DEVICE_LIMIT_REACHED";
}

const messages: Record<VerdictCode, string> = {
  VALID: "The key is valid on this device.",
  NOT_FOUND: "There is no such key for this game.",
  REVOKED: "The key has been revoked.",
  EXPIRED: "The key has expired.",
  DEVICE_LIMIT_REACHED: "The key is already in use on as many devices as it allows.",
};

/** The body of the response. NOT_FOUND carries no facts about a key, even where one exists for another game. */
export function describeVerdict(code: VerdictCode, key: VerifiableKey | null): Verdict {
  const known = code === "NOT_FOUND" ? null : key;
  return {
    valid: code === "VALID",
    code,
    message: messages[code],
    expiry: known && isoOf(known.expiresAt),
    deviceLimit: known?.deviceLimit ?? null,
    currentDevices: known?.deviceCount ?? null,
  };
}

/** The verdict in the examples of /swagger and the API pages. */
export const exampleVerdict = {
  valid: true,
  code: "VALID",
  message: "The key is valid on this device.",
  expiry: "2025-04-04T14:30:00.000Z",
  deviceLimit: 2,
  currentDevices: 1,
};
