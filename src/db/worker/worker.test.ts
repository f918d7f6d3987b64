import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { type Database, nothing, part, type SnapshotQuery, type StreamQuery } from "../contract.ts";
import { openSqlite } from "../sqlite/sqlite.ts";

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = temporaryFolder();
  database = openSqlite(join(folder, "test.db"), {
    queryWorker: new URL("../../../tests/query-worker.ts", import.meta.url),
  });
  await database.transaction(
    null,
    ({ sql }) => sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT`,
  );
});
afterEach(async () => {
  jest.useRealTimers();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (text: string) => database.transaction(null, ({ sql }) => sql`INSERT INTO notes (text) VALUES (${text})`);

/** Counts to a number. SQLite counts about 20 million a second. */
const countTo = (count: number) => database.query<{ n: number }>`
  WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT count(*) AS n FROM c`;

/** The error it throws. (`rejects` blocks the event loop while it waits, and with it the streams.) */
const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable(),
    (error: Error) => error,
  );
const refused = (code: string) => expect.objectContaining({ code });

/** The test's own worker knows them by these names. */
const named = (name: string): StreamQuery<object> => ({ name, pieces: () => expect.unreachable() });
const notes = named("notes");

describe("a query", () => {
  test("returns the same as a read, with fragments and values", async () => {
    for (const text of ["a", "b", "c'"]) await add(text);
    const after = (id: number | null) => (id === null ? nothing : part`AND id > ${id}`);
    expect(await database.query`SELECT * FROM notes WHERE text <> ${"b"} ${after(1)}`).toEqual([{ id: 3, text: "c'" }]);
    expect(await database.query`SELECT text FROM notes WHERE 1 = 1 ${after(null)}`).toHaveLength(3);
  });

  test("sees everything acknowledged before it was sent", async () => {
    for (let count = 1; count <= 50; count += 1) {
      await add(`note ${count}`);
      expect(await database.query`SELECT count(*) AS count FROM notes`).toEqual([{ count }]);
    }
  });

  test("blocks neither reads nor writes", async () => {
    const order: string[] = [];
    const long = countTo(1_000_000).then(() => order.push("long query"));
    await add("meanwhile");
    expect(await database.read`SELECT text FROM notes`).toEqual([{ text: "meanwhile" }]);
    order.push("written, read");
    await long;
    expect(order).toEqual(["written, read", "long query"]);
  });

  test("cannot change anything", async () => {
    expect(await thrownBy(database.query`INSERT INTO notes (text) VALUES ('sneaked in')`)).toBeInstanceOf(Error);
    expect(await database.read`SELECT text FROM notes`).toEqual([]);
  });

  test("that is invalid is an internal error, not a refusal", async () => {
    const wrong = database.query`SELECT * FROM no_such_table`;
    expect((await thrownBy(wrong)).message).toContain("no such table");
    expect(await thrownBy(wrong)).not.toHaveProperty("code");
  });

  test("is refused at once if too many are waiting, and the waiting ones finish", async () => {
    const asked = Array.from({ length: 220 }, () => database.query`SELECT 1 AS one`);
    const settled = await Promise.allSettled(asked);
    const tooMany = settled.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
    // One is running, 200 wait.
    expect(tooMany).toHaveLength(19);
    for (const { reason } of tooMany) expect(reason).toEqual(refused("BUSY"));
  });

  test("that waits too long is refused", async () => {
    await countTo(1);
    const long = countTo(1_000_000);
    jest.useFakeTimers();
    const waiting = database.query`SELECT 1 AS one`;
    jest.advanceTimersByTime(15_000);
    expect(await thrownBy(waiting)).toEqual(refused("BUSY"));
    jest.useRealTimers();
    expect(await long).toEqual([{ n: 1_000_000 }]);
  });

  test("is refused once the database closes, and the running one finishes", async () => {
    const underWay = countTo(100_000);
    const waiting = countTo(1);
    const closing = database.close();
    expect(await thrownBy(waiting)).toEqual(refused("BUSY"));
    expect(await thrownBy(countTo(1))).toEqual(refused("BUSY"));
    expect(await underWay).toEqual([{ n: 100_000 }]);
    await closing;
  });

  test("is refused when the server refuses work, even the running one", async () => {
    const underWay = countTo(10_000_000);
    const waiting = countTo(1);
    database.refuseWork();
    expect(await thrownBy(underWay)).toEqual(refused("BUSY"));
    expect(await thrownBy(waiting)).toEqual(refused("BUSY"));
    expect(await thrownBy(countTo(1))).toEqual(refused("BUSY"));
    await database.close(0);
  });
});

describe("a snapshot", () => {
  const sum: SnapshotQuery<{ add: number }, { notes: number; asked: number }> = {
    name: "sum",
    run: () => expect.unreachable(),
  };

  test("sees everything acknowledged before, and the memory of earlier snapshots", async () => {
    for (let count = 1; count <= 20; count += 1) {
      await add(`note ${count}`);
      expect(await database.snapshot(sum, { add: 1 })).toEqual({ notes: count, asked: count });
    }
  });

  test("that fails releases its transaction: the next snapshot and query see new commits", async () => {
    expect((await thrownBy(database.snapshot(sum, { add: -1 }))).message).toContain("no_such_table");
    await add("later");
    expect(await database.snapshot(sum, { add: 1 })).toEqual({ notes: 1, asked: 0 });
    expect(await database.query`SELECT id FROM notes`).toHaveLength(1);
  });
});

describe("when the worker dies", () => {
  test("its running query is refused, and another worker takes the next one", async () => {
    expect(await thrownBy(database.stream(named("deadly"), {}, 1))).toEqual(refused("STORAGE_UNAVAILABLE"));
    expect(await countTo(3)).toEqual([{ n: 3 }]);
  });

  test("at its start because no threads are available, each query is refused at once", async () => {
    const threadless = openSqlite(join(folder, "threadless.db"), { queryWorker: new URL("https://localhost/") });
    const asked = [1, 2].map(() => thrownBy(threadless.query`SELECT 1`));
    expect(await Promise.all(asked)).toEqual([refused("STORAGE_UNAVAILABLE"), refused("STORAGE_UNAVAILABLE")]);
    await threadless.close();
  });

  test("waiting queries still finish", async () => {
    const dying = database.stream(named("deadly"), {}, 1);
    const waiting = countTo(3);
    expect(await thrownBy(dying)).toEqual(refused("STORAGE_UNAVAILABLE"));
    expect(await waiting).toEqual([{ n: 3 }]);
  });

  test("its running stream fails instead of ending as if complete", async () => {
    const stream = await database.stream(notes, { from: 0 }, 1);
    await database.stream(named("deadly"), {}, 1).catch(() => {});
    expect(await thrownBy(new Response(stream).text())).toBeInstanceOf(Error);
  });
});

describe("a stream", () => {
  test("shows one instant despite writes between its pieces", async () => {
    await add("before");
    const stream = await database.stream(notes, { from: 1 }, 1);
    await add("meanwhile");
    expect(await new Response(stream).text()).toBe("1 1 end");
    expect(await new Response(await database.stream(notes, { from: 1 }, 1)).text()).toBe("2 2 end");
  });

  test("that has ended allows checkpoints again", async () => {
    const taken = await database.stream(notes, { from: 1 }, 1);
    const cancelled = await database.stream(notes, { from: 1 }, 1);
    await add("after");
    expect(await isLogHeld()).toBeTrue();
    await new Response(taken).text();
    expect(await isLogHeld()).toBeTrue();
    await cancelled.cancel();
    expect(await isLogHeld()).toBeFalse();
  });

  test("that is not read is aborted and releases its transaction", async () => {
    jest.useFakeTimers();
    const stream = await database.stream(notes, { from: 1 }, 1);
    await add("after");
    jest.advanceTimersByTime(30_000);
    jest.useRealTimers();
    expect(await thrownBy(new Response(stream).text())).toEqual(refused("STORAGE_UNAVAILABLE"));
    expect(await isLogHeld()).toBeFalse();
  });

  test("that fails before its first piece is refused, and one that fails later is aborted", async () => {
    expect((await thrownBy(database.stream(named("failing"), { afterPieces: 0 }, 1))).message).toContain(
      "no such table",
    );
    const stream = await database.stream(named("failing"), { afterPieces: 1 }, 1);
    expect((await thrownBy(new Response(stream).text())).message).toContain("no such table");
    expect(await isLogHeld()).toBeFalse();
  });

  test("is refused while eight are running, or two of the same account", async () => {
    const begin = (accountId: number) => database.stream(notes, { from: 1 }, accountId);
    const eight = await Promise.all([1, 1, 2, 2, 3, 3, 4].map(begin));
    expect(await thrownBy(begin(1))).toEqual(refused("BUSY"));
    eight.push(await begin(5));
    expect(await thrownBy(begin(6))).toEqual(refused("BUSY"));
    await eight[0]?.cancel();
    for (const ending of ["failing", "nobody knows this one"]) {
      expect(await thrownBy(database.stream(named(ending), { afterPieces: 0 }, 1))).not.toHaveProperty("code");
    }
    expect(await new Response(await begin(1)).text()).toBe("0 0 end");
  });
});

/** Runs after all pending work of the thread. */
async function isLogHeld(): Promise<boolean> {
  await countTo(1);
  const connection = new Connection(join(folder, "test.db"));
  const written = connection.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
  connection.close();
  return written?.busy !== 0;
}
