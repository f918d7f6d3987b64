import { expect, test } from "bun:test";
import { placeOf } from "./columns.tsx";

test.each([
  ["key 123 …9VJW5", "/admin/keys/123"],
  ["keys 5 to 9", "/admin/keys/5"],
  ["keys of night.owl", "/admin/resellers?search=night.owl"],
  ["keys of all admins", "/admin/create-keys"],
  ["order 12", "/admin/orders/12"],
  ["token 7", "/admin/tokens"],
  ["update 3", "/admin/online-updates"],
  ["reseller night.owl", "/admin/resellers?search=night.owl"],
  ["admin second.admin", "/admin/audit?actor=second.admin"],
  ["all keys", "/admin/create-keys"],
  ["all collections", "/admin/database-backup"],
  ["collection license_keys", "/admin/database-backup"],
  ["credits of night.owl", "/admin/resellers?search=night.owl"],
  ["database", "/admin/database-backup"],
  ["audit log", "/admin/audit"],
  ["record", "/admin/audit"],
  ["reseller that does not exist", null],
  ["several accounts", null],
  ["constructor 7", null],
])("%s leads to %s", (target, place) => {
  expect(placeOf({ target, details: {} })).toBe(place);
});

test("a reseller is linked by the recorded id, whatever the current name", () => {
  expect(placeOf({ target: "reseller renamed", details: { resellerId: 5 } })).toBe("/admin/resellers/5");
});
