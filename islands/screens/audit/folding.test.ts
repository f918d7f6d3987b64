import { expect, test } from "bun:test";
import type { AuditEntry } from "../../../src/audit/schema.ts";
import { folded } from "./folding.ts";

const base = { actor: null, target: "database", address: null };
const migrated = (id: number, time: string): AuditEntry => ({
  ...{ ...base, id, at: `2025-03-05T${time}.000Z`, action: "database_migrated" },
  details: { by: "command line", migration: `${String(id).padStart(4, "0")}_name` },
});
const signedIn: AuditEntry = { ...base, id: 3, at: "2025-03-05T09:30:00.000Z", action: "signed_in", details: {} };

const inShort = (entries: AuditEntry[]) => entries.map(({ id, details }) => [id, details.migration]);

test("the migrations of one start are one row, with the last one's number and time", () => {
  const entries = [migrated(8, "10:04:00"), migrated(7, "10:00:01"), migrated(6, "10:00:00"), signedIn];
  const [first, ...others] = folded(entries);
  expect(first).toEqual({
    ...migrated(8, "10:04:00"),
    details: { by: "command line", migration: "3 migrations, 0006_name to 0008_name" },
  });
  expect(others).toEqual([signedIn]);
});

test("those of another start are another row, and a single one stays as it is", () => {
  const days = [migrated(9, "12:00:00"), migrated(8, "11:00:00"), migrated(7, "10:59:59")];
  expect(inShort(folded(days))).toEqual([
    [9, "0009_name"],
    [8, "2 migrations, 0007_name to 0008_name"],
  ]);
  expect(inShort(folded([migrated(9, "10:00:01"), signedIn, migrated(2, "10:00:00")]))).toEqual([
    [9, "0009_name"],
    [3, undefined],
    [2, "0002_name"],
  ]);
});
