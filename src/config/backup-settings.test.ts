import { describe, expect, test } from "bun:test";
import { msPerDay } from "../core/clock.ts";
import { nextAfter, readKeep, readS3Address, readSchedule } from "./backup-settings.ts";

const at = (text: string) => Date.parse(`2025-03-05T${text}:00Z`);

describe("the schedule", () => {
  test.each([
    ["hourly", at("14:30"), at("15:00")],
    ["daily", at("02:59"), at("03:00")],
    ["daily", at("03:00"), at("03:00") + msPerDay],
    ["30 2 * * *", at("14:30"), at("02:30") + msPerDay],
    ["@weekly", at("14:30"), Date.parse("2025-03-09T00:00:00Z")],
  ])("%s is due in UTC in any time zone of the machine", (text, now, next) => {
    expect(nextAfter(readSchedule(text) as string, now)).toBe(next);
  });

  test("can be off", () => expect(readSchedule("off")).toBeNull());

  test.each(["", "sometimes", "60 * * * *", "* * * * * *", "0 0 30 2 *", "toString"])(
    "%p is not a schedule",
    (text) => {
      expect(() => readSchedule(text)).toThrow();
    },
  );
});

test("retention is limited by count, by days, or by both", () => {
  expect(readKeep("30")).toEqual({ count: 30, ms: null });
  expect(readKeep("90d")).toEqual({ count: null, ms: 90 * msPerDay });
  expect(readKeep("7,30d")).toEqual({ count: 7, ms: 30 * msPerDay });
});

describe("the address of a bucket", () => {
  test.each([
    ["https://s3.example.com/bucket", "https://s3.example.com", "bucket", ""],
    ["https://s3.example.com/bucket/", "https://s3.example.com", "bucket", ""],
    ["https://s3.eu-central-1.amazonaws.com/b", "https://s3.eu-central-1.amazonaws.com", "b", ""],
    ["https://nyc3.digitaloceanspaces.com/b", "https://nyc3.digitaloceanspaces.com", "b", ""],
    ["https://abc.r2.cloudflarestorage.com/b", "https://abc.r2.cloudflarestorage.com", "b", ""],
    ["http://127.0.0.1:9000/my.bucket/a/b", "http://127.0.0.1:9000", "my.bucket", "a/b/"],
  ])("%s", (text, endpoint, bucket, prefix) => {
    expect(readS3Address(text)).toEqual({ endpoint, bucket, prefix });
  });

  test.each([
    "s3://bucket",
    "https://s3.example.com",
    "https://me:secret@s3.example.com/b",
    "https://s3.example.com/b?x=1",
    "b",
    "https://bucket.s3.eu-central-1.amazonaws.com/folder",
    "https://bucket.s3.amazonaws.com/folder",
    "https://bucket.nyc3.digitaloceanspaces.com/folder",
    "https://bucket.storage.googleapis.com/folder",
  ])("%s is invalid", (text) => expect(readS3Address(text)).toBeNull());
});
