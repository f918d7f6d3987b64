import { type Clock, isoOf, msPerMinute, msPerSecond } from "../core/clock.ts";
import { keyCharactersMax, normalKeyText, sentCharactersMax } from "../core/key-text.ts";
import { untilStarted } from "../core/key-time.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { devicesOf } from "../keys/devices/device-store.ts";
import { statusOf } from "../keys/model.ts";
import type { Throttle } from "../verify/throttle.ts";
import type { FoundKey, PlayerNotice, PlayerResult } from "./player-result.ts";
import { isReleasable } from "./release-policy.ts";
import { keyWithText, type ReleasableKey } from "./release-store.ts";
import type { Releases } from "./releases.ts";

export type PlayerLookup = ReturnType<typeof createPlayerLookup>;

interface Dependencies {
  database: Database;
  throttle: Pick<Throttle, "refuseGuess">;
  releases: Pick<Releases, "offerOf" | "release">;
  endUsedUpPauses: () => Promise<void>;
  clock: Pick<Clock, "now">;
}

/** The same for everybody, so that no such page needs to be rendered again. */
const notLookedUp = { key: "", found: null, at: isoOf(0), retryAt: null };

/** What the player's page says about a key of any game. It connects no device and counts no verdict. */
export function createPlayerLookup({ database, throttle, releases, endUsedUpPauses, clock }: Dependencies) {
  const { now } = clock;

  return {
    /** Looks a key up and, with `ref`, frees that device of it first. Refusals are part of the result. */
    async look({ key, ref }: { key: string; ref: string | null }, addressOf: () => string): Promise<PlayerResult> {
      const text = key.length > sentCharactersMax ? "" : normalKeyText(key);
      if (text === "" || text.length > keyCharactersMax) return { ...notLookedUp, notice: "EMPTY" };
      try {
        const found = await read(text, addressOf);
        const result = { key, at: isoOf(now()), retryAt: null };
        if (ref === null || found === null) return { ...result, found: found ?? "NOT_FOUND", notice: null };
        const notice = await freed({ key, game: found.game, ref }, addressOf);
        return { ...result, found: await read(text, addressOf), notice };
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "TOO_MANY_TRIES") throw error;
        const minutes = Math.ceil(((error.details.retryAfterSeconds ?? 0) * msPerSecond) / msPerMinute);
        return { ...notLookedUp, notice: "TOO_MANY_TRIES", retryAt: isoOf(minutes * msPerMinute) };
      }
    },
  };

  async function read(text: string, addressOf: () => string): Promise<FoundKey | null> {
    await endUsedUpPauses().catch(() => {});
    const key = await keyWithText(database.read, text);
    await throttle.refuseGuess(text, key !== null, addressOf);
    if (!key) return null;
    const connected = await devicesOf(database.read, key.id);
    const offer = isReleasable(text) ? await releases.offerOf(key, connected) : null;
    return {
      state: stateOf(key, now()),
      ...{
        game: key.game,
        maintenance: key.maintenance,
        durationHours: key.durationHours,
        used: connected.length,
        limit: key.deviceLimit,
      },
      expiry: key.expiresAt === untilStarted ? null : isoOf(key.expiresAt),
      devices: offer?.devices.map(({ ref, name, lastSeen }) => ({ ref, name, lastSeen })) ?? null,
      mayRelease: offer?.isAllowed === true && statusOf(key, now()) === "ACTIVE",
      allowedAt: offer?.allowedAt ?? null,
    };
  }

  async function freed(request: { key: string; game: string; ref: string }, addressOf: () => string) {
    try {
      await releases.release(request, addressOf);
      return "RELEASED";
    } catch (error) {
      const code = error instanceof Refusal ? error.code : null;
      if (code !== null && isNotice(code)) return code;
      throw error;
    }
  }
}

const refusedReleases = ["RELEASE_NOT_ALLOWED", "KEY_NOT_ACTIVE", "DEVICE_NOT_FOUND", "RELEASE_TOO_SOON"] as const;

function isNotice(code: string): code is PlayerNotice & (typeof refusedReleases)[number] {
  return (refusedReleases as readonly string[]).includes(code);
}

/** In the order of verdicts. */
function stateOf(key: ReleasableKey, at: number): FoundKey["state"] {
  if (key.maintenance !== null) return "MAINTENANCE";
  const status = statusOf(key, at);
  if (status !== "ACTIVE") return status;
  return key.expiresAt === untilStarted ? "WORKS_FROM_FIRST_USE" : "WORKS";
}
