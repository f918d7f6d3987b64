import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  countText,
  creditsText,
  creditsWithUnit,
  dateText,
  daysLeftText,
  deviceLimitText,
  deviceUsageText,
  keyText,
  pluralText,
  sizeText,
} from "./format.ts";

const afternoon = "2025-03-05T14:07:00.000Z";

describe("a date", () => {
  test("is MM/DD/YYYY with two digits each", () => expect(dateText(afternoon, "date", "UTC")).toBe("03/05/2025"));
  test("is MMM dd, yyyy in the admin key list", () => {
    expect(dateText(afternoon, "dateInWords", "UTC")).toBe("Mar 05, 2025");
    expect(dateText(afternoon, "day", "UTC")).toBe("Mar 05");
  });
  test("is MMM dd, HH:mm in 24 hours where a time matters", () => {
    expect(dateText(afternoon, "dateAndTime", "UTC")).toBe("Mar 05, 14:07");
    expect(dateText("2025-03-05T00:30:00Z", "dateAndTime", "UTC")).toBe("Mar 05, 00:30");
  });
  test("is the reader's day, not the server's", () => {
    const here = process.env.TZ;
    process.env.TZ = "Asia/Karachi";
    expect(dateText("2025-03-05T23:30:00Z")).toBe("03/06/2025");
    process.env.TZ = "America/New_York";
    expect(dateText("2025-03-05T03:30:00Z")).toBe("03/04/2025");
    expect(dateText("2025-07-05T03:30:00Z", "instant")).toBe("Jul 04, 2025, 23:30");
    process.env.TZ = here ?? "UTC";
  });
  test("that is missing or invalid is N/A", () => {
    for (const nothing of [null, undefined, "", "yesterday"]) expect(dateText(nothing)).toBe("N/A");
  });
});

test("days left are the dates still to come: a key of 30 days has 30 on its first day, to the hour or to the day's end", () => {
  const now = Date.parse("2026-11-21T22:47:00.000Z");
  const expiries = [
    "2026-12-21T22:47:00.000Z",
    "2026-12-21T23:59:59.999Z",
    "2026-11-22T00:00:00.000Z",
    "2026-11-21T23:59:59.999Z",
  ];
  expect(expiries.map((expiry) => daysLeftText(expiry, now))).toEqual([
    "30 days left",
    "30 days left",
    "1 day left",
    "last day",
  ]);
});

test("a size is base 1024 with one decimal, and whole in bytes", () => {
  const sizes: [number, string][] = [
    [0, "0 Bytes"],
    [1023, "1023 Bytes"],
    [1024, "1.0 KB"],
    [1536, "1.5 KB"],
    [1024 ** 2 - 1, "1.0 MB"],
    [2.5 * 1024 ** 2, "2.5 MB"],
    [5 * 1024 ** 3, "5.0 GB"],
    [3000 * 1024 ** 3, "3000.0 GB"],
  ];
  for (const [bytes, text] of sizes) expect(sizeText(bytes)).toBe(text);
});

test("credits show a tenth only where there is one", () => {
  expect(creditsText(12)).toBe("12");
  expect(creditsText(1250.5)).toBe("1,250.5");
  expect(creditsText(0.1 + 0.2)).toBe("0.3");
  expect([0.5, 1, 3].map(creditsWithUnit)).toEqual(["0.5 credits", "1 credit", "3 credits"]);
});

test("figures and dates equal those of Intl, which starts too slowly on a phone", () => {
  const count = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
  const credits = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
  const instant = new Intl.DateTimeFormat("en-US", {
    ...({
      month: "short",
      day: "2-digit",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    } as const),
    timeZone: "UTC",
  });
  const whole = fc.integer({ min: -1e9, max: 1e12 });
  const when = fc.date({ min: new Date("1970-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(whole, when, (figure, date) => {
      expect(countText(figure)).toBe(count.format(figure));
      expect(creditsText(figure / 10)).toBe(credits.format(figure / 10));
      expect(dateText(date.toISOString(), "instant", "UTC")).toBe(instant.format(date));
    }),
  );
});

test("counts are grouped and plurals agree", () => {
  expect(countText(100000)).toBe("100,000");
  expect(pluralText(1, "key")).toBe("1 key");
  expect(pluralText(0, "key")).toBe("0 keys");
  expect(pluralText(1200, "match", "matches")).toBe("1,200 matches");
});

test("key text is cut to 20 characters and an ellipsis only when it is longer", () => {
  expect(keyText("PBGM-A1B2C-D3E4F-G5H6I")).toBe("PBGM-A1B2C-D3E4F-G5H…");
  expect(keyText("A".repeat(20))).toBe("A".repeat(20));
});

test("a device limit of 100 reads Unlimited", () => {
  expect(deviceLimitText(100)).toBe("Unlimited");
  expect(deviceUsageText(3, 100)).toBe("3 / Unlimited");
  expect(deviceUsageText(1, 2)).toBe("1 / 2");
});
