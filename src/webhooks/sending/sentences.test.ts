import { describe, expect, test } from "bun:test";
import { adminEventTypes, testEventType, type WebhookEvent } from "../../facts/webhook-events.ts";
import { sentenceOf } from "./sentences.ts";

const key = { keyId: 7, key: "AB2CD", resellerId: 3, username: "night.owl" };
const device = { ...key, deviceId: "3f9a", deviceName: "Pixel 9" };

const events: [WebhookEvent["type"], WebhookEvent["data"], string][] = [
  [
    "order.created",
    { orderId: 12, resellerId: 3, username: "night.owl", count: 1_500, amount: 30, balance: 5 },
    "night.owl generated 1,500 keys for 30 credits (order 12).",
  ],
  [
    "order.created",
    { orderId: 12, externalId: "INV-7", game: "PUBG MOBILE", hours: 720, count: 2, username: "night.owl", amount: 1 },
    "night.owl generated 2 keys of PUBG MOBILE lasting 30 days for 1 credit (order 12).",
  ],
  [
    "order.created",
    { orderId: 12, externalId: null, game: "PUBG MOBILE", hours: 36, durationId: null, count: 1 },
    "An admin generated 1 key of PUBG MOBILE lasting 36 hours (order 12).",
  ],
  [
    "order.created",
    { orderId: 12, game: "PUBG MOBILE", hours: 0, count: 1 },
    "An admin generated 1 key of PUBG MOBILE (order 12).",
  ],
  ["order.created", { orderId: 12, count: 1 }, "An admin generated 1 key (order 12)."],
  [
    "sale.failed",
    { resellerId: 3, username: "night.owl", code: "CREDITS_SHORT", saleId: "6f2c1:40127" },
    "A sale of night.owl failed: CREDITS_SHORT (sale 6f2c1:40127).",
  ],
  ["sale.failed", { code: "INVALID", saleId: null }, "A sale failed: INVALID."],
  ["key.extended", { ...key, amount: 1 }, "Key …AB2CD of night.owl was extended for 1 credit."],
  ["key.extended", { count: 2, keyIds: [7, 8], username: "night.owl" }, "2 keys of night.owl were extended."],
  ["key.revoked", { keyId: 7, key: "AB2CD" }, "Key …AB2CD was revoked."],
  ["key.revoked", { count: 1, keyIds: [7], amount: 2.5 }, "1 key was revoked, and 2.5 credits refunded."],
  ["key.replaced", { ...key, replacedKeyId: 9 }, "Key …AB2CD of night.owl was given this new text."],
  ["key.expiring", key, "Key …AB2CD of night.owl expires in less than 72 hours."],
  ["key.refused", { ...key, code: "EXPIRED" }, "Key …AB2CD of night.owl was refused: EXPIRED."],
  ["device.connected", device, "Key …AB2CD of night.owl was connected to device “Pixel 9”."],
  ["device.connected", { ...key, deviceId: "3f9a" }, "Key …AB2CD of night.owl was connected to device 3f9a."],
  [
    "device.released",
    { ...device, by: "player" },
    "Key …AB2CD of night.owl no longer has device “Pixel 9”, which its player removed.",
  ],
  [
    "device.released",
    { ...device, by: "idle" },
    "Key …AB2CD of night.owl no longer has device “Pixel 9”, which had not been used for long.",
  ],
  [
    "credits.granted",
    { ...key, amount: 100, balance: 112.5 },
    "night.owl received 100 credits and now has 112.5 credits.",
  ],
  ["credits.low", { ...key, balance: 0 }, "night.owl has only 0 credits left."],
  ["reseller.registered", key, "night.owl registered as a reseller."],
  ["reseller.suspended", key, "night.owl was suspended."],
  [
    "backup.failed",
    { reason: "The last backup failed.", panel: "keys.example.com" },
    "keys.example.com: The last backup failed.",
  ],
  ["backup.failed", {}, "A scheduled backup failed."],
  ["backup.late", {}, "The last good backup is too old."],
  ["keys.imported", { count: 5_000 }, "5,000 keys were imported."],
  ["intervention.done", { count: 1 }, "An intervention changed 1 key."],
  ["webhook.test", {}, "This is a test."],
];

test.each(events)("%s of %j is a sentence", (type, data, sentence) => {
  expect(sentenceOf({ type, data })).toBe(sentence);
});

test("every type of event has one", () => {
  const types = new Set<string>(events.map(([type]) => type));
  expect([...types].sort()).toEqual([...adminEventTypes, testEventType].sort());
});

describe("names", () => {
  const hostile = "@everyone <@1> **a** [x](https://y.example)\n# b\u202e\u0000";
  test("cannot mention anyone, break the line, or hide", () => {
    expect(sentenceOf({ type: "device.connected", data: { ...device, deviceName: hostile } })).toBe(
      "Key …AB2CD of night.owl was connected to device “＠everyone <＠1> **a** [x](https://y.example) # b ”.",
    );
  });

  test("leave every sentence shorter than a message of Discord may be, which is half one of Telegram", () => {
    const longest = { deviceId: "_".repeat(5_000), deviceName: "_".repeat(5_000), username: "_".repeat(5_000) };
    for (const [type, data] of events) {
      expect(
        sentenceOf({ type, data: { ...data, ...longest } }, (text) => text.replaceAll("_", "\\_")).length,
      ).toBeLessThan(2_000);
    }
  });
});
