import { beforeEach, describe, expect, mock, test } from "bun:test";
import fc from "fast-check";
import { type Lookup, noConditions, type VerifiableKey } from "../verdict.ts";
import { KeyCache } from "./key-cache.ts";

const lookup: Lookup = {
  text: "fire-aaaaa-bbbbb-ccccc",
  game: "FREE FIRE",
  deviceId: "phone",
  version: null,
  deviceName: null,
  language: "en",
};
const key: VerifiableKey = {
  id: 7,
  game: noConditions,
  resellerId: 2,
  expiresAt: Date.UTC(2100, 0, 1),
  isPaused: false,
  pauseEndsAt: null,
  isRevoked: false,
  isReplaced: false,
  deviceLimit: 2,
  deviceCount: 1,
  isConnected: true,
  isBlocked: false,
  lastSeenDay: 20_000,
  isNameKept: true,
  leaseHours: 24,
};

let cache: KeyCache;
beforeEach(() => {
  cache = new KeyCache(2 ** 10);
  // The first request learns the version of the database.
  cache.get(lookup, () => 1);
});

describe("a key of a connected device", () => {
  test("is returned with all figures", () => {
    const figures = fc.record({
      id: fc.integer({ min: 1, max: 2 ** 40 }),
      resellerId: fc.option(fc.integer({ min: 1, max: 2 ** 40 })),
      expiresAt: fc.integer({ min: -1, max: 2 ** 50 }),
      deviceLimit: fc.integer({ min: 1, max: 100 }),
      deviceCount: fc.integer({ min: 1, max: 100 }),
      leaseHours: fc.integer({ min: 0, max: 168 }),
    });
    fc.assert(
      fc.property(figures, (given) => {
        cache.keep(lookup, { ...key, ...given }, cache.time);
        expect(cache.get(lookup, () => 1)).toEqual({ ...key, ...given });
      }),
    );
  });

  test("is evicted when it changes, and other keys stay", () => {
    const other = { ...lookup, text: "another" };
    cache.keep(lookup, key, cache.time);
    cache.keep(other, { ...key, id: 8 }, cache.time);
    cache.evict([7]);
    expect(cache.get(lookup, () => 1)).toBeNull();
    expect(cache.get(other, () => 1)).toMatchObject({ id: 8 });
  });

  test("is not used if it was read before a change and kept after it", () => {
    const readAt = cache.time;
    cache.evict([7]);
    cache.keep(lookup, key, readAt);
    expect(cache.get(lookup, () => 1)).toBeNull();
  });

  test("is not used after another process has written, or while that is unknown", () => {
    cache.keep(lookup, key, cache.time);
    expect(cache.get(lookup, () => null)).toBeNull();
    expect(cache.get(lookup, () => 1)).toEqual(key);
    expect(cache.get(lookup, () => 2)).toBeNull();
    expect(cache.get(lookup, () => 1)).toBeNull();
  });

  test("knows the day and the name that were sent last, without the database", () => {
    const named = { ...lookup, deviceName: "Pixel 8" };
    const seenOf = (asked: Lookup) => {
      const found = cache.get(asked, () => 1);
      return [found?.lastSeenDay, found?.isNameKept];
    };
    cache.keep(named, key, cache.time);
    expect(seenOf(named)).toEqual([20_000, true]);
    expect([seenOf(lookup), seenOf({ ...named, deviceName: "Pixel 9" })]).toEqual([
      [20_000, true],
      [20_000, false],
    ]);
    cache.keepSeen(lookup, 20_001);
    expect(seenOf(named)).toEqual([20_001, true]);
    cache.keep(named, { ...key, isNameKept: false }, cache.time);
    expect(seenOf(named)).toEqual([20_000, false]);
    cache.keepSeen({ ...lookup, deviceId: "tablet" }, 20_001);
    expect(seenOf(lookup)).toEqual([20_000, true]);
  });

  test("costs a database call only if there is an entry", () => {
    const versionByOthers = mock(() => 1);
    expect(cache.get({ ...lookup, deviceId: "tablet" }, versionByOthers)).toBeNull();
    expect(versionByOthers).not.toHaveBeenCalled();
    cache.keep(lookup, key, cache.time);
    expect(cache.get(lookup, versionByOthers)).toEqual(key);
    expect(versionByOthers).toHaveBeenCalledTimes(1);
  });

  test("is found only by its text, game, device and version", () => {
    cache.keep(lookup, key, cache.time);
    for (const other of [{ text: "another" }, { game: "PUBG MOBILE" }, { deviceId: "tablet" }, { version: "1" }])
      expect(cache.get({ ...lookup, ...other }, () => 1)).toBeNull();
  });
});

test.each([
  ["of a device that is not connected", { isConnected: false }],
  ["that is revoked", { isRevoked: true }],
  ["that is paused", { isPaused: true }],
])("a key %s is not kept", (_, figures) => {
  cache.keep(lookup, { ...key, ...figures }, cache.time);
  expect(cache.get(lookup, () => 1)).toBeNull();
});

test("is not kept without places", () => {
  const off = new KeyCache(0);
  off.keep(lookup, key, off.time);
  expect(off.get(lookup, () => 1)).toBeNull();
});

describe("of requests for half of the places", () => {
  const places = 2 ** 12;
  const lookupsOf = (name: string, length: number) =>
    Array.from({ length }, (_, number): Lookup => ({ ...lookup, deviceId: `${name}-${number}` }));
  const inUse = lookupsOf("device", places / 2);
  const sendAll = (lookups: Lookup[]) => {
    const missed = lookups.filter((each) => cache.get(each, () => 1) === null);
    for (const each of missed) cache.keep(each, key, cache.time);
    return 1 - missed.length / lookups.length;
  };

  beforeEach(() => {
    cache = new KeyCache(places);
    cache.get(lookup, () => 1);
  });

  test("most find their entries at once", () => {
    sendAll(inUse);
    // With one place for each request it would be 79 %.
    expect(sendAll(inUse)).toBeGreaterThan(0.88);
  });

  test("nearly all find their entries in time, also where departed devices filled every place", () => {
    sendAll(lookupsOf("departed", 16 * places));
    for (let day = 0; day < 20; day += 1) sendAll(inUse);
    expect(sendAll(inUse)).toBeGreaterThan(0.97);
  });
});
