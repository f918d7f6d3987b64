import { describe, expect, test } from "bun:test";
import { msPerDay, msPerHour } from "../core/clock.ts";
import { daysUnseen, nextReleaseAt } from "./release-policy.ts";

const now = Date.UTC(2025, 2, 5, 14, 30);
const policy = { isAllowed: true, cooldownHours: 24, perThirtyDays: 3, idleDays: null };
const ago = (...days: number[]) => days.map((each) => now - each * msPerDay);

describe("the next release is", () => {
  test.each<[string, number[], number | null]>([
    ["now without earlier ones", [], null],
    ["24 hours after the latest", ago(0.5, 3), now + 12 * msPerHour],
    ["now once the latest is 24 hours ago", ago(1), null],
    ["30 days after the third, counted from the latest", ago(2, 3, 10), now + 20 * msPerDay],
    ["30 days after the third, whatever an earlier policy allowed", ago(2, 3, 10, 29, 29), now + 20 * msPerDay],
    ["after the longer of the two", ago(0, 1, 29.5), now + msPerDay],
  ])("%s", (_, releases, expected) => {
    expect(nextReleaseAt(policy, releases, now)).toBe(expected);
  });

  test("now for a policy without a wait", () => {
    expect(nextReleaseAt({ ...policy, cooldownHours: 0 }, [now], now)).toBeNull();
  });
});

describe("a device was unseen for", () => {
  const today = Math.floor(now / msPerDay);
  const between = (from: number, to: number | null) => ({
    beganAt: now - from * msPerDay,
    endedAt: to === null ? null : now - to * msPerDay,
  });
  test.each<[string, number, { beganAt: number; endedAt: number | null }[], number]>([
    ["no days if it was seen today", 0, [], 0],
    ["the days since, today included", 10, [], 10],
    ["no days on which its game was closed, even in part", 10, [between(5, 3)], 7],
    ["no day twice where two times overlap", 10, [between(5, 3), between(4, 2)], 6],
    ["no days of a time that still lasts", 10, [between(4, null)], 5],
    ["all days if the times were before it was seen", 10, [between(20, 11)], 10],
    ["no day at all if it was closed ever since", 10, [between(30, null)], 0],
  ])("%s", (_, days, closed, expected) => {
    expect(daysUnseen(today - days, closed, now)).toBe(expected);
  });
});
