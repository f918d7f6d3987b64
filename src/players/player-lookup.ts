import { type Clock, isoOf, msPerMinute, msPerSecond } from "../core/clock.ts";
import {
  hasGeneratedShape,
  keyCharactersMax,
  normalKeyText,
  sentCharactersMax,
  withoutInvisible,
} from "../core/key-text.ts";
import { untilStarted } from "../core/key-time.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database } from "../db/contract.ts";
import { devicesOf } from "../keys/devices/device-store.ts";
import { statusOf } from "../keys/model.ts";
import type { Throttle } from "../verify/throttle.ts";
import type { FoundKey, PlayerNotice, PlayerResult } from "./player-result.ts";
import { isReleasable, releasePace } from "./release-policy.ts";
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
const notLookedUp = { key: "", found: null, asked: null, at: isoOf(0), retryAt: null };

/** What the player's page says about a key of any game. It connects no device and counts no verdict. */
export function createPlayerLookup({ database, throttle, releases, endUsedUpPauses, clock }: Dependencies) {
  const { now } = clock;

  return {
    /**
     * Looks a key up. With `ref` it asks whether that device shall be freed, and with `isSure` frees it. Refusals are
     * part of the result.
     */
    async look(
      { key, ref, isSure }: { key: string; ref: string | null; isSure: boolean },
      addressOf: () => string,
    ): Promise<PlayerResult> {
      const text = key.length > sentCharactersMax ? "" : normalKeyText(key);
      if (text === "" || text.length > keyCharactersMax) return { ...notLookedUp, notice: "EMPTY" };
      try {
        const looked = await read(formsOf(key, text), addressOf);
        const result = { key, asked: null, at: isoOf(now()), retryAt: null, notice: null };
        if (looked === null) return { ...result, found: "NOT_FOUND" };
        const { found } = looked;
        if (ref === null) return { ...result, found };
        if (!isSure) {
          const asked = found.devices?.some((device) => device.ref === ref) ? ref : null;
          return { ...result, found, asked, notice: asked === null ? "DEVICE_NOT_FOUND" : null };
        }
        const notice = await freed({ key: looked.text, game: found.game, ref }, addressOf);
        const after = await read([looked.text], addressOf);
        return { ...result, found: after?.found ?? "NOT_FOUND", notice };
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== "TOO_MANY_TRIES") throw error;
        const minutes = Math.ceil(((error.details.retryAfterSeconds ?? 0) * msPerSecond) / msPerMinute);
        return { ...notLookedUp, notice: "TOO_MANY_TRIES", retryAt: isoOf(minutes * msPerMinute) };
      }
    },
  };

  /** Looks the key up by the first form that finds one. Together they are one guess. */
  async function read(forms: string[], addressOf: () => string): Promise<{ text: string; found: FoundKey } | null> {
    await endUsedUpPauses().catch(() => {});
    let text = "";
    let key: ReleasableKey | null = null;
    for (text of forms) {
      key = await keyWithText(database.read, text);
      if (key) break;
    }
    await throttle.refuseGuess(text, key !== null, addressOf);
    if (!key) return null;
    const connected = await devicesOf(database.read, key.id);
    const offer = isReleasable(text) ? await releases.offerOf(key, connected) : null;
    const mayRelease = offer?.isAllowed === true && statusOf(key, now()) === "ACTIVE";
    const found = {
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
      mayRelease,
      pace: mayRelease ? releasePace(key) : null,
      allowedAt: offer?.allowedAt ?? null,
    };
    return { text, found };
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

/** Phones put spaces where a generated key has dashes, so a text with that shape is looked up with dashes first. */
function formsOf(sent: string, text: string): string[] {
  const dashed = normalKeyText(
    withoutInvisible(sent)
      .trim()
      .replace(/\p{White_Space}+/gu, "-"),
  );
  return hasGeneratedShape(dashed) && dashed !== text ? [dashed, text] : [text];
}

const refusedReleases = ["RELEASE_NOT_ALLOWED", "KEY_NOT_ACTIVE", "DEVICE_NOT_FOUND", "RELEASE_TOO_SOON"] as const;

function isNotice(code: string): code is PlayerNotice & (typeof refusedReleases)[number] {
  return (refusedReleases as readonly string[]).includes(code);
}

/** In the order of verdicts. */
function stateOf(key: ReleasableKey, at: number): FoundKey["state"] {
  if (key.maintenance !== null) return "MAINTENANCE";
  const status = statusOf(key, at);
  if (key.replacedBy !== null) return "REPLACED";
  if (status !== "ACTIVE") return status;
  return key.expiresAt === untilStarted ? "WORKS_FROM_FIRST_USE" : "WORKS";
}
