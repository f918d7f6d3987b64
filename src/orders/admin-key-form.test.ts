import { expect, test } from "bun:test";
import { msPerDay } from "../core/clock.ts";
import { adminDaysMax } from "../keys/limits.ts";
import { expiryDateAfter } from "./admin-key-form.ts";
import { expiryOf } from "./purchase.ts";

const lateEvening = Date.parse("2025-03-05T23:59:30.000Z");

test("today plus days is a date in UTC", () => {
  expect(expiryDateAfter(30, lateEvening)).toBe("2025-04-04");
  expect(expiryDateAfter(1, lateEvening)).toBe("2025-03-06");
});

test("a key is valid for at least the requested days, and the maximum is accepted at any time of day", () => {
  for (const now of [lateEvening, Date.parse("2025-03-05T00:00:00.000Z")]) {
    for (const days of [1, adminDaysMax]) {
      expect(expiryOf(expiryDateAfter(days, now), now) - now).toBeWithin(days * msPerDay, (days + 1) * msPerDay);
    }
  }
});
