/** What the player's page shows about a key. Times are ISO 8601 in UTC, `lastSeen` is a day. */
export interface PlayerResult {
  /** As it was entered. Pages without a key that was looked up are the same for everybody, so they have it in a slot. */
  key: string;
  /** Null if nothing was looked up. */
  found: FoundKey | "NOT_FOUND" | null;
  /** What came of the last request, if that is not what the key itself says. */
  notice: PlayerNotice | null;
  /** The device whose button was pressed without scripts, so that the page asks once more. */
  asked: string | null;
  /** When it was looked up, or the beginning of 1970. */
  at: string;
  /** When to try again, for `TOO_MANY_TRIES`: whole minutes after `at`. */
  retryAt: string | null;
}

export type PlayerNotice =
  | "EMPTY"
  | "TOO_MANY_TRIES"
  | "RELEASED"
  | "RELEASE_NOT_ALLOWED"
  | "KEY_NOT_ACTIVE"
  | "DEVICE_NOT_FOUND"
  | "RELEASE_TOO_SOON";

export interface FoundKey {
  state: "WORKS" | "WORKS_FROM_FIRST_USE" | "MAINTENANCE" | "REVOKED" | "REPLACED" | "PAUSED" | "EXPIRED";
  game: string;
  /** The admins' sentence. */
  maintenance: string | null;
  expiry: string | null;
  durationHours: number | null;
  used: number;
  limit: number;
  /** Null for a key that can be guessed, whose devices are only counted. */
  devices: { ref: string; name: string | null; lastSeen: string }[] | null;
  mayRelease: boolean;
  /** How often, if there is a wait. `atMost` is the number in 30 days where the wait alone allows more. */
  pace: { cooldownHours: number; atMost: number | null } | null;
  /** When the next device may be freed; null for now, or never. */
  allowedAt: string | null;
}
