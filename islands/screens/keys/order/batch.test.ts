import { expect, test } from "bun:test";
import {
  asLines,
  asMessage,
  asNumbered,
  batchAsCsv,
  batchAsText,
  batchFileName,
  messageDefault,
  withExpiry,
} from "./batch.ts";

const first = {
  id: 1,
  keyString: "A-1",
  game: "FREE FIRE",
  deviceLimit: 100,
  createdAt: "2025-03-05T14:07:00.000Z",
  expiryDate: "2025-04-04T14:07:00.000Z",
  durationHours: 720,
};
const batch = [first, { ...first, id: 2, keyString: "B-{game}" }];

test("a batch has a line for each key: bare, numbered, or with its expiry", () => {
  expect(asLines(batch)).toBe("A-1\nB-{game}");
  expect(asNumbered(batch)).toBe("1. A-1\n2. B-{game}");
  expect(withExpiry([first])).toBe("A-1 (until 04/04/2025)");
});

test("a message fills in the placeholders of a batch, and leaves all other braces as they are", () => {
  const template = "{count} for {game}, {devices} devices, {expires}: {keys} {Keys} {else}";
  expect(asMessage(template, batch)).toBe(
    "2 keys for FREE FIRE, Unlimited devices, 04/04/2025: A-1\nB-{game} {Keys} {else}",
  );
  expect(asMessage(messageDefault, [first])).toStartWith("1 key for FREE FIRE, valid until 04/04/2025:\nA-1\n");
  expect(asMessage(messageDefault, [])).toBe("");
});

test("keys that start at first use are valid for some time, not until a day", () => {
  const unstarted = { ...first, expiryDate: null, durationHours: 36 };
  expect(withExpiry([unstarted])).toBe("A-1 (36 hours from first use)");
  expect(asMessage(messageDefault, [unstarted])).toStartWith(
    "1 key for FREE FIRE, valid for 36 hours from first use:\n",
  );
  expect(batchAsCsv([unstarted])).toEndWith(",Starts at first use · 36 hours\r\n");
});

test("a batch's text file has one key a line", () => {
  expect(batchAsText(batch)).toBe("A-1\nB-{game}\n");
});

test("a batch's CSV file has each key's device limit and dates", () => {
  const [headings, row] = batchAsCsv(batch).split("\r\n");
  expect(headings).toBe("\uFEFFLicense Key,Game,Device Limit,Created,Expires");
  expect(row).toBe("A-1,FREE FIRE,Unlimited,2025-03-05T14:07:00.000Z,2025-04-04T14:07:00.000Z");
});

test("a batch's file is named by its number of keys and their day", () => {
  expect(batchFileName(batch, "csv")).toBe("latchkey-2-keys-2025-03-05.csv");
});
