import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/process.ts";
import { untilStarted } from "../core/key-time.ts";
import type { Database } from "../db/contract.ts";
import { openSqlite } from "../db/sqlite/sqlite.ts";
import { hasStatus, lookAlikeText, statusOf } from "./model.ts";
import { keyStatuses } from "./schema.ts";

let folder: string;
let database: Database;
beforeAll(() => {
  folder = temporaryFolder();
  database = openSqlite(join(folder, "test.db"));
});

afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = 1_000;

test.each([
  [null, null, at + 1, "ACTIVE"],
  [null, null, at, "EXPIRED"],
  [null, null, at - 1, "EXPIRED"],
  [null, null, untilStarted, "ACTIVE"],
  [null, at - 1, at + 1, "PAUSED"],
  [null, at - 2, at - 1, "PAUSED"],
  [at - 1, null, at + 1, "REVOKED"],
  [at - 1, null, at - 1, "REVOKED"],
  [at - 1, at - 2, at + 1, "REVOKED"],
] as const)(
  "at 1000 a key revoked at %p and paused at %p that expires at %p is %s, as a row and in SQL",
  async (revokedAt, pausedAt, expiresAt, status) => {
    expect(statusOf({ revokedAt, pausedAt, expiresAt }, at)).toBe(status);
    for (const candidate of keyStatuses) {
      const found = await database.read`
      SELECT 1 FROM (SELECT ${revokedAt} AS revoked_at, ${pausedAt} AS paused_at, ${expiresAt} AS expires_at) AS k WHERE ${hasStatus(candidate, at)}`;
      expect([candidate, found.length]).toEqual([candidate, candidate === status ? 1 : 0]);
    }
  },
);

test("only letters that look like digits become those digits", () => {
  expect(lookAlikeText("oil-slab_%0158xyz")).toBe("011-51a8_%0158xyz");
});
