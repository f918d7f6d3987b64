import { describe, expect, test } from "bun:test";
import { expiryOf } from "./purchase.ts";

const now = Date.parse("2025-03-05T14:30:00.000Z");

describe("an expiry date", () => {
  test.each([
    ["2025-03-05", "2025-03-05T23:59:59.999Z"],
    ["2026-03-06", "2026-03-06T23:59:59.999Z"],
    ["2025-03-05T15:00:00Z", "2025-03-05T15:00:00.000Z"],
    ["2025-03-05T15:00", "2025-03-05T15:00:00.000Z"],
    ["2025-03-05T23:00:00.5+02:00", "2025-03-05T21:00:00.500Z"],
  ])("%s means %s", (text, expected) => {
    expect(new Date(expiryOf(text, now)).toISOString()).toBe(expected);
  });

  test.each([
    ["2025-03-04", "must be in the future"],
    ["2025-03-05T14:30:00.000Z", "must be in the future"],
    ["2026-03-07", "at most 366 days away"],
    ["2026-03-06T14:30:00.001Z", "at most 366 days away"],
    ["2025-02-30", "must be an ISO date"],
    ["2025-13-01", "must be an ISO date"],
    ["03/05/2025", "must be an ISO date"],
    ["2025-03-05T25:00:00Z", "must be an ISO date"],
    ["+099999-01-01", "must be an ISO date"],
  ])("%s is refused", (text, sentence) => {
    expect(() => expiryOf(text, now)).toThrow(sentence);
  });
});
