import { expect, test } from "bun:test";
import { batchAsCsv, batchAsText, batchFileName } from "./batch-file.ts";

const first = {
  id: 1,
  keyString: "A-1",
  game: "FREE FIRE",
  deviceLimit: 100,
  createdAt: "2025-03-05T14:07:00.000Z",
  expiryDate: "2025-04-04T14:07:00.000Z",
};
const batch = [first, { ...first, id: 2, keyString: "B-2" }];

test("a batch's text file has one key a line", () => {
  expect(batchAsText(batch)).toBe("A-1\nB-2\n");
});

test("a batch's CSV file has each key's device limit and dates", () => {
  const [headings, row] = batchAsCsv(batch).split("\r\n");
  expect(headings).toBe("\uFEFFLicense Key,Game,Device Limit,Created,Expires");
  expect(row).toBe("A-1,FREE FIRE,Unlimited,2025-03-05T14:07:00.000Z,2025-04-04T14:07:00.000Z");
});

test("a batch's file is named by its number of keys and their day", () => {
  expect(batchFileName(batch, "csv")).toBe("latchkey-2-keys-2025-03-05.csv");
});
