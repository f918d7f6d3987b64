/* Only for SQLite: PostgreSQL delivers events some time after their commit. */
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { openTestDatabase } from "../../tests/database.ts";
import { temporaryFolder } from "../../tests/process.ts";
import { reactivatedSentence, suspendedSentence } from "../accounts/suspension.ts";
import { msPerMinute } from "../core/clock.ts";
import type { DatabaseEvent } from "../core/events.ts";
import { createMetrics } from "../core/metrics.ts";
import type { Database } from "../db/contract.ts";
import { createLive, type Live, type LivePage } from "./live.ts";

const owner = { resellerId: 7, accountId: 7, sessionId: 70 };
const statusOf = (isActive: boolean): DatabaseEvent => {
  const message = isActive ? reactivatedSentence : suspendedSentence;
  return { about: "reseller", resellerId: owner.resellerId, notice: { type: "status_change", isActive, message } };
};

let folder: string;
let database: Database;
let live: Live;
beforeEach(async () => {
  folder = temporaryFolder();
  database = await openTestDatabase(join(folder, "latchkey.db"));
  live = createLive(database, createMetrics({ ms: () => 0 }));
});
afterEach(async () => {
  jest.useRealTimers();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const publish = (event: DatabaseEvent) => database.transaction(null, async (unit) => unit.publish(event));

function openPage() {
  const received: unknown[] = [];
  const closed: number[] = [];
  const page: LivePage = {
    send: (notice) => void received.push(notice.type === "status_change" ? notice.isActive : notice.type),
    close: (code) => void closed.push(code),
  };
  live.opened(page);
  return { page, received, closed };
}

test("a suspended page is closed with 1000 after a minute, also where the reseller is active again", async () => {
  const { page, received, closed } = openPage();
  expect(await live.join(page, async () => owner)).toBeTrue();
  jest.useFakeTimers();
  await publish(statusOf(false));
  await publish(statusOf(true));
  jest.advanceTimersByTime(msPerMinute - 1);
  expect([received, closed]).toEqual([[false, true], []]);
  jest.advanceTimersByTime(1);
  await publish(statusOf(false));
  expect([received, closed]).toEqual([[false, true], [1000]]);
});

test.each<[string, DatabaseEvent]>([
  ["that a suspension ends", statusOf(false)],
  ["that ends", { about: "sessions", ended: [owner.sessionId] }],
])("a session %s while it is looked up opens no page", async (_what, event) => {
  const { page, received } = openPage();
  const isJoined = await live.join(page, async () => {
    await publish(event);
    return owner;
  });
  await publish(statusOf(true));
  expect([isJoined, received]).toEqual([false, []]);
});

test("a page that closes while its session is looked up receives nothing", async () => {
  const { page, received } = openPage();
  const isJoined = await live.join(page, async () => {
    live.closed(page);
    return owner;
  });
  await publish(statusOf(true));
  expect([isJoined, received]).toEqual([false, []]);
});

test("a page is told what it missed as soon as the database can be read again", async () => {
  let lose = () => {};
  const subscribe: Database["subscribe"] = ({ missed }) => {
    lose = missed;
  };
  let looks = 0;
  const read: Database["read"] = (...statement) => {
    looks += 1;
    return looks === 1 ? Promise.reject(new Error("no connection")) : database.read(...statement);
  };
  live = createLive({ read, subscribe }, createMetrics({ ms: () => 0 }));
  const { page, received, closed } = openPage();
  await live.join(page, async () => owner);
  lose();
  while (received.length + closed.length === 0) await Bun.sleep(1);
  // There is no such reseller in the tables.
  expect([received, closed]).toEqual([[false], []]);
});

test("a page whose session is looked up while events may be lost is closed so that it reconnects", async () => {
  let lose = () => {};
  const subscribe: Database["subscribe"] = ({ missed }) => {
    lose = missed;
  };
  live = createLive({ read: database.read, subscribe }, createMetrics({ ms: () => 0 }));
  const { page, closed } = openPage();
  await live.join(page, async () => {
    lose();
    return null;
  });
  expect(closed).toEqual([1001]);
});
