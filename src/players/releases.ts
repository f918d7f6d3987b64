import { knownGame } from "../catalogue/offers.ts";
import { type Clock, dateOf, isoOf, isoOrNull, msPerDay, msPerSecond } from "../core/clock.ts";
import { Refusal, type RefusalCode } from "../core/refusal.ts";
import type { Database, Sql, Unit } from "../db/contract.ts";
import { releaseDevice } from "../keys/devices/device-removal.ts";
import { type DeviceRow, devicesOf } from "../keys/devices/device-store.ts";
import { statusOf } from "../keys/model.ts";
import { languageOf, languages } from "../languages/languages.ts";
import type { Texts } from "../languages/texts/texts.ts";
import type { ReleaseOffer } from "../verify/schema.ts";
import type { Statistics } from "../verify/statistics.ts";
import type { Throttle } from "../verify/throttle.ts";
import { type Asker, mayFind, textToFind } from "../verify/verdict.ts";
import type { DeviceRefs } from "./device-refs.ts";
import { daysUnseen, isReleasable, nextReleaseAt, releasesCountMs } from "./release-policy.ts";
import * as store from "./release-store.ts";
import type { Released, ReleaseRequest } from "./schema.ts";

export type Releases = ReturnType<typeof createReleases>;

interface Dependencies {
  database: Database;
  throttle: Pick<Throttle, "refuseGuess">;
  statistics: Pick<Statistics, "lastSeenDayOf">;
  clock: Pick<Clock, "now" | "isAhead">;
  refs: DeviceRefs;
}

/** Players free the devices of their keys (rules.md: Releases by players), and idle devices give way to new ones. */
export function createReleases({ database, throttle, statistics, clock, refs }: Dependencies) {
  const { now } = clock;
  return { offerFor, offerOf, release, hasIdleDevice, freeIdleDevice };

  /** What a player may do about a full key; null for a key that can be guessed. */
  async function offerFor(text: string): Promise<ReleaseOffer | null> {
    const key = isReleasable(text) ? await store.keyWithText(database.read, text) : null;
    return key && offerOf(key, await devicesOf(database.read, key.id));
  }

  /** The same for a key that cannot be guessed, and its devices. */
  async function offerOf(key: store.ReleasableKey, devices: DeviceRow[]): Promise<ReleaseOffer> {
    const { isAllowed } = key;
    const allowedAt = isAllowed ? await nextFor(database.read, key) : null;
    return { isAllowed, allowedAt: isoOrNull(allowedAt), devices: unseenFirst(devices).map(deviceOffer) };
  }

  /**
   * Frees a device of a key, which need not be full. Throws `INVALID` (the key or the game), `NOT_FOUND`,
   * `TOO_MANY_TRIES`, `RELEASE_NOT_ALLOWED`, `KEY_NOT_ACTIVE`, `DEVICE_NOT_FOUND` or `RELEASE_TOO_SOON`. `program` is
   * the one that sent an API key, which finds the same keys as at verification.
   */
  async function release(
    { key: sent, game, ref, lang }: ReleaseRequest,
    addressOf: () => string,
    program?: Asker,
  ): Promise<Released> {
    const texts = languages[languageOf(lang) ?? "en"];
    const text = textToFind(sent);
    const { id: gameId } = await knownGame(database.read, game);
    const committed = await store.keyOfGame(database.read, text, gameId);
    const key = committed && mayFind({ program }, committed) ? committed : null;
    await throttle.refuseGuess(text, key !== null, addressOf, program);
    if (!key) throw new Refusal("NOT_FOUND", texts.verdicts.NOT_FOUND);
    const allowedAt = await freed(key.id, text, ref, texts);
    return { message: texts.releases.done, allowedAt: isoOrNull(allowedAt) };
  }

  /** Returns when the next device may be freed. */
  function freed(keyId: number, text: string, ref: string, { releases }: Texts): Promise<number | null> {
    const refused = (code: RefusalCode, message: string) => new Refusal(code, message);
    return database.transaction(`key ${keyId}`, async (unit) => {
      const at = now();
      const key = await store.keyWithText(unit.sql, text);
      if (!key?.isAllowed || !isReleasable(text)) throw refused("RELEASE_NOT_ALLOWED", releases.notAllowed);
      if (statusOf(key, at) !== "ACTIVE") throw refused("KEY_NOT_ACTIVE", releases.notActive);
      const device = (await devicesOf(unit.sql, keyId)).find(({ id }) => refs.refOf(id) === ref);
      if (!device) throw refused("DEVICE_NOT_FOUND", releases.noDevice);
      const past = await store.releasesSince(unit.sql, key, at - releasesCountMs);
      const allowedAt = nextReleaseAt(key, past, at);
      if (allowedAt !== null) throw tooSoon(releases.tooSoon, allowedAt, at);
      const removal = { keyId, deviceRowId: device.id, madeBy: null, at, what: "DEVICE_RELEASED" } as const;
      await releaseDevice(unit, { ...removal, by: "player", resellerId: key.resellerId });
      return nextReleaseAt(key, [at, ...past], at);
    });
  }

  /** Whether a new device could have the slot of one that was not seen for long. */
  async function hasIdleDevice(keyId: number, idleDays: number): Promise<boolean> {
    return (await idleDeviceOf(database.read, keyId, idleDays)) !== null;
  }

  /** Frees that slot. Returns whether there was one. */
  async function freeIdleDevice(
    unit: Unit,
    { id: keyId, resellerId }: { id: number; resellerId: number | null },
    idleDays: number,
  ): Promise<boolean> {
    const device = await idleDeviceOf(unit.sql, keyId, idleDays);
    if (!device) return false;
    const removal = { keyId, deviceRowId: device.id, madeBy: null, at: now(), what: "DEVICE_IDLE" } as const;
    await releaseDevice(unit, { ...removal, by: "idle", resellerId });
    return true;
  }

  /** While the clock is ahead, every device would look idle. */
  async function idleDeviceOf(sql: Sql, keyId: number, idleDays: number): Promise<DeviceRow | null> {
    if (clock.isAhead()) return null;
    const seen = (await devicesOf(sql, keyId)).map((device) => ({
      ...device,
      lastSeenDay: Math.max(device.lastSeenDay, statistics.lastSeenDayOf({ keyId, deviceId: device.deviceId }) ?? 0),
    }));
    const [longest] = unseenFirst(seen);
    if (!longest || daysUnseen(longest.lastSeenDay, [], now()) <= idleDays) return null;
    const closed = await store.closedTimesOf(sql, keyId, (longest.lastSeenDay + 1) * msPerDay);
    return daysUnseen(longest.lastSeenDay, closed, now()) > idleDays ? longest : null;
  }

  async function nextFor(sql: Sql, key: store.ReleasableKey): Promise<number | null> {
    const at = now();
    return nextReleaseAt(key, await store.releasesSince(sql, key, at - releasesCountMs), at);
  }

  function deviceOffer({ id, name, firstConnectedAt, lastSeenDay }: DeviceRow): ReleaseOffer["devices"][number] {
    return { ref: refs.refOf(id), name, firstConnected: isoOf(firstConnectedAt), lastSeen: dateOf(lastSeenDay) };
  }
}

function unseenFirst(devices: DeviceRow[]): DeviceRow[] {
  return devices.toSorted((one, other) => one.lastSeenDay - other.lastSeenDay || one.id - other.id);
}

function tooSoon(message: string, allowedAt: number, at: number): Refusal {
  const retryAfterSeconds = Math.ceil((allowedAt - at) / msPerSecond);
  return new Refusal("RELEASE_TOO_SOON", message, { retryAfterSeconds, allowedAt: isoOf(allowedAt) });
}
