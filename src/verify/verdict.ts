import { isoOf } from "../core/clock.ts";
import { keyCharactersMax, normalKeyText } from "../core/key-text.ts";
import { untilStarted } from "../core/key-time.ts";
import { invalid } from "../core/refusal.ts";
import { type Language, languages } from "../languages/languages.ts";
import type { Asked } from "../proof/proof.ts";
import { keySentence, type ReleaseOffer, type Verdict, type VerdictCode } from "./schema.ts";

/** What a game demands of each verification. */
export interface GameConditions {
  /** Each verification returns it. */
  maintenance: string | null;
  minimumVersion: string | null;
  /** Returned to older versions; null for a sentence of ours. */
  updateMessage: string | null;
  /** After so many days unseen a device gives its slot to a new one; null: never. */
  idleDays: number | null;
}

export const noConditions: GameConditions = {
  ...{ maintenance: null, minimumVersion: null, updateMessage: null, idleDays: null },
};

/** A key of the game that was named, seen from the device. */
export interface VerifiableKey {
  id: number;
  game: GameConditions;
  /** The owner; null for an admin key. */
  resellerId: number | null;
  /** `untilStarted` for a key that has not started. */
  expiresAt: number;
  isPaused: boolean;
  /** When the pause is used up; null for a pause without an end, and for a key that is not paused. */
  pauseEndsAt: number | null;
  isRevoked: boolean;
  /** Whether another key has a new text instead of this one, which is revoked. */
  isReplaced: boolean;
  deviceLimit: number;
  deviceCount: number;
  /** Whether the device holds one of the slots. */
  isConnected: boolean;
  /** The UTC day of the device's last verification, since 1970; 0 if it is not connected. */
  lastSeenDay: number;
  /** Whether the device has the name that it sent now, or sent none. */
  isNameKept: boolean;
  /** How long a proof lets the game play offline. */
  leaseHours: number;
  /** Whether the device is not connected, and a block covers this key. */
  isBlocked: boolean;
}

/** A reseller's program finds only keys of that reseller (rules.md: API keys). */
export interface Asker {
  id: number;
  role: "admin" | "reseller";
}

export function mayFind({ program }: Pick<Lookup, "program">, key: Pick<VerifiableKey, "resellerId">): boolean {
  return program?.role !== "reseller" || program.id === key.resellerId;
}

/** What is looked up: the key's normal form, the game by one of its names, the device, and what it says of itself. */
export interface Lookup {
  text: string;
  game: string;
  deviceId: string;
  version: string | null;
  /** As a POST sent it. */
  deviceName: string | null;
  language: Language;
  /** What a proof is about; left out if none was asked for. */
  asked?: Asked;
  /** The program that asks with an API key; left out for a game client. */
  program?: Asker;
}

/** `NEW_DEVICE`: the key is good and has a free slot, which the device does not hold yet. */
export type Assessment = VerdictCode | "NEW_DEVICE";

/** The normal form of a key as it was sent. Throws `INVALID` if it is too short or too long for a key. */
export function textToFind(key: string): string {
  const text = normalKeyText(key);
  if (text === "" || (text.length > keyCharactersMax && [...text].length > keyCharactersMax)) {
    throw invalid("key", keySentence);
  }
  return text;
}

/** The first rule that applies decides: a revoked key that has also expired is REVOKED (rules.md: Verdicts). */
export function assess(key: VerifiableKey | null, { version }: Pick<Lookup, "version">, now: number): Assessment {
  if (key === null) return "NOT_FOUND";
  const closed = closedFor(key.game, version);
  if (closed) return closed;
  if (key.isRevoked) return "REVOKED";
  if (key.isPaused) return "PAUSED";
  if (key.expiresAt <= now) return "EXPIRED";
  if (key.isConnected) return "VALID";
  if (key.isBlocked) return "DEVICE_BLOCKED";
  return key.deviceCount < key.deviceLimit ? "NEW_DEVICE" : "DEVICE_LIMIT_REACHED";
}

/** Why a game accepts none of its keys in this version, or null. */
export function closedFor({ maintenance, minimumVersion }: GameConditions, version: string | null) {
  if (maintenance !== null) return "MAINTENANCE";
  return minimumVersion !== null && isOlder(version, minimumVersion) ? "UPDATE_REQUIRED" : null;
}

/** Whether a version that was sent is lower. Only its leading numbers count, and missing ones are 0. */
function isOlder(version: string | null, minimum: string): boolean {
  const [numbers] = /^\d+(\.\d+)*/.exec(version ?? "") ?? [];
  if (numbers === undefined) return false;
  const [sent, wanted] = [numbers, minimum].map((text) => text.split(".").map(Number));
  const place = [0, 1, 2, 3].find((each) => (sent?.[each] ?? 0) !== (wanted?.[each] ?? 0));
  return place !== undefined && (sent?.[place] ?? 0) < (wanted?.[place] ?? 0);
}

/** Sentences of admins stay as they are. */
function messageOf(code: VerdictCode, key: VerifiableKey | null, language: Language): string {
  const messages: Record<VerdictCode, string> = languages[language].verdicts;
  if (code === "REVOKED" && key?.isReplaced) return languages[language].page.replaced;
  const { maintenance, updateMessage } = key?.game ?? noConditions;
  if (code === "MAINTENANCE") return maintenance ?? messages[code];
  return (code === "UPDATE_REQUIRED" && updateMessage) || messages[code];
}

/** The body of the response. */
export function describeVerdict(
  code: VerdictCode,
  key: VerifiableKey | null,
  language: Language,
  release: ReleaseOffer | null = null,
): Verdict {
  return {
    valid: code === "VALID",
    code,
    message: messageOf(code, key, language),
    expiry: key && expiryOf(key),
    deviceLimit: key?.deviceLimit ?? null,
    currentDevices: key?.deviceCount ?? null,
    release,
  };
}

/** A key that has not started, or is paused, has no certain expiry. */
function expiryOf({ isPaused, isRevoked, expiresAt }: VerifiableKey): string | null {
  return expiresAt === untilStarted || (isPaused && !isRevoked) ? null : isoOf(expiresAt);
}
