import { expect, test } from "bun:test";
import { backupName, beyondKeep, madeAtOf } from "./place.ts";

const backups = [50, 40, 30, 20].map((madeAt) => ({ name: `${madeAt}`, madeAt, bytes: 1 }));
const names = (count: number | null, ms: number | null, now = 60) =>
  beyondKeep(backups, { count, ms }, now).map(({ name }) => name);

test("backups beyond the count or age limit are removed, but never the newest", () => {
  expect(names(3, null)).toEqual(["20"]);
  expect(names(null, 20)).toEqual(["30", "20"]);
  expect(names(3, 100)).toEqual(["20"]);
  expect(names(100, 100)).toEqual([]);
  expect(names(1, 1, 10_000)).toEqual(["40", "30", "20"]);
});

test("a backup dated in the future is neither removed nor counted", () => {
  expect(names(1, null, 45)).toEqual(["30", "20"]);
  expect(names(1, null, 10)).toEqual([]);
});

test("only a backup's name contains its time", () => {
  const madeAt = Date.parse("2025-03-05T14:30:00.123Z");
  expect(backupName(madeAt)).toBe("latchkey-2025-03-05T14-30-00.123Z.db.zst");
  expect(madeAtOf(backupName(madeAt))).toBe(madeAt);
  for (const name of ["latchkey.db", "latchkey-monday.db.zst", "latchkey-2025-13-05T14-30-00.123Z.db.zst", "../x"]) {
    expect(madeAtOf(name)).toBeNull();
  }
});
