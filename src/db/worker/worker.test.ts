import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import type { Requester } from "../../core/fair-semaphore.ts";
import { type Database, nothing, part, type SnapshotQuery, type Sql, type StreamQuery } from "../contract.ts";
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

const admin = { id: 9, role: "admin" } as const;
const reseller = (id: number) => ({ id, role: "reseller" }) as const;
const query: Sql = (...words) => database.query(admin)(...words);

const add = (text: string) => database.transaction(null, ({ sql }) => sql`INSERT INTO notes (text) VALUES (${text})`);

/** Counts to a number. SQLite counts about 20 million a second. */
const countTo = (count: number) => query<{ n: number }>`
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
    expect(await query`SELECT * FROM notes WHERE text <> ${"b"} ${after(1)}`).toEqual([{ id: 3, text: "c'" }]);
    expect(await query`SELECT text FROM notes WHERE 1 = 1 ${after(null)}`).toHaveLength(3);
  });

  test("sees everything acknowledged before it was sent", async () => {
    for (let count = 1; count <= 50; count += 1) {
      await add(`note ${count}`);
      expect(await query`SELECT count(*) AS count FROM notes`).toEqual([{ count }]);
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
    expect(await thrownBy(query`INSERT INTO notes (text) VALUES ('sneaked in')`)).toBeInstanceOf(Error);
    expect(await database.read`SELECT text FROM notes`).toEqual([]);
  });

  test("that is invalid is an internal error, not a refusal", async () => {
    const wrong = query`SELECT * FROM no_such_table`;
    expect((await thrownBy(wrong)).message).toContain("no such table");
    expect(await thrownBy(wrong)).not.toHaveProperty("code");
  });

  test("that waits too long is refused", async () => {
    await countTo(1);
    const long = countTo(1_000_000);
    jest.useFakeTimers();
    const waiting = database.query(reseller(2))`SELECT 1 AS one`;
    jest.advanceTimersByTime(15_000);
    expect(await thrownBy(waiting)).toEqual(refused("BUSY"));
    jest.useRealTimers();
    expect(await long).toEqual([{ n: 1_000_000 }]);
  });

  test("is refused once the database closes, and the running one finishes", async () => {
    const underWay = countTo(100_000);
    const waiting = countTo(1);
    await new Promise(setImmediate);
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
  const sum: SnapshotQuery<{ add: number }, { notes: number; sum: number }> = {
    name: "sum",
    run: () => expect.unreachable(),
  };

  test("sees everything acknowledged before, and the memory of earlier snapshots", async () => {
    for (let count = 1; count <= 20; count += 1) {
      await add(`note ${count}`);
      expect(await database.snapshot(sum, { add: 1 }, admin)).toEqual({ notes: count, sum: count });
    }
  });

  test("that fails releases its transaction: the next snapshot and query see new commits", async () => {
    expect((await thrownBy(database.snapshot(sum, { add: -1 }, admin))).message).toContain("no_such_table");
    await add("later");
    expect(await database.snapshot(sum, { add: 1 }, admin)).toEqual({ notes: 1, sum: 0 });
    expect(await query`SELECT id FROM notes`).toHaveLength(1);
  });
});

describe("when the worker dies", () => {
  test("its running query is refused, and another worker takes the next one", async () => {
    expect(await thrownBy(database.stream(named("deadly"), {}, admin))).toEqual(refused("STORAGE_UNAVAILABLE"));
    expect(await countTo(3)).toEqual([{ n: 3 }]);
  });

  test("at its start because no threads are available, each query is refused at once", async () => {
    const threadless = openSqlite(join(folder, "threadless.db"), { queryWorker: new URL("https://localhost/") });
    const refusals = [1, 2].map(() => thrownBy(threadless.query(admin)`SELECT 1`));
    expect(await Promise.all(refusals)).toEqual([refused("STORAGE_UNAVAILABLE"), refused("STORAGE_UNAVAILABLE")]);
    await threadless.close();
  });

  test("waiting queries still finish", async () => {
    const dying = database.stream(named("deadly"), {}, admin);
    const waiting = countTo(3);
    expect(await thrownBy(dying)).toEqual(refused("STORAGE_UNAVAILABLE"));
    expect(await waiting).toEqual([{ n: 3 }]);
  });

  test("its running stream fails instead of ending as if complete", async () => {
    const stream = await database.stream(notes, { from: 0 }, admin);
    await database.stream(named("deadly"), {}, admin).catch(() => {});
    expect(await thrownBy(new Response(stream).text())).toBeInstanceOf(Error);
  });
});

describe("a stream", () => {
  test("shows one instant despite writes between its pieces", async () => {
    await add("before");
    const stream = await database.stream(notes, { from: 1 }, admin);
    await add("meanwhile");
    expect(await new Response(stream).text()).toBe("1 1 end");
    expect(await new Response(await database.stream(notes, { from: 1 }, admin)).text()).toBe("2 2 end");
  });

  test("that has ended allows checkpoints again", async () => {
    const taken = await database.stream(notes, { from: 1 }, admin);
    const cancelled = await database.stream(notes, { from: 1 }, admin);
    await add("after");
    expect(await isLogHeld()).toBeTrue();
    await new Response(taken).text();
    expect(await isLogHeld()).toBeTrue();
    await cancelled.cancel();
    expect(await isLogHeld()).toBeFalse();
  });

  test("that is not read is aborted and releases its transaction", async () => {
    jest.useFakeTimers();
    const stream = await database.stream(notes, { from: 1 }, admin);
    await add("after");
    jest.advanceTimersByTime(30_000);
    jest.useRealTimers();
    expect(await thrownBy(new Response(stream).text())).toEqual(refused("STORAGE_UNAVAILABLE"));
    expect(await isLogHeld()).toBeFalse();
  });

  test("that fails before its first piece is refused, and one that fails later is aborted", async () => {
    expect((await thrownBy(database.stream(named("failing"), { afterPieces: 0 }, admin))).message).toContain(
      "no such table",
    );
    const stream = await database.stream(named("failing"), { afterPieces: 1 }, admin);
    expect((await thrownBy(new Response(stream).text())).message).toContain("no such table");
    expect(await isLogHeld()).toBeFalse();
  });

  test("of an account waits while two of it are open, and one of another account begins", async () => {
    const begin = (by: Requester) => database.stream(notes, { from: 1 }, by);
    const open = await Promise.all([begin(reseller(1)), begin(reseller(1))]);
    let hasBegun = false;
    const third = begin(reseller(1)).finally(() => {
      hasBegun = true;
    });
    const others = await Promise.all([2, 3, 4, 5].map((id) => begin(reseller(id))));
    expect(hasBegun).toBeFalse();
    // The last quarter of the places is for admins.
    const first = begin(reseller(6));
    await (await begin(admin)).cancel();
    await open[0]?.cancel();
    // The account that had no stream yet comes first.
    expect(await new Response(await first).text()).toBe("0 0 end");
    for (const stream of others) await stream.cancel();
    expect(await new Response(await third).text()).toBe("0 0 end");
  });

  test("that fails at its beginning leaves its place", async () => {
    for (let time = 1; time <= 3; time += 1) {
      for (const ending of ["failing", "unknown"]) {
        const failed = database.stream(named(ending), { afterPieces: 0 }, reseller(1));
        expect(await thrownBy(failed)).not.toHaveProperty("code");
      }
    }
  });

  test("is cut off when the log that it holds becomes too large, and the next ones begin once the log has started again", async () => {
    const file = join(folder, "held.db");
    const small = openSqlite(file, {
      queryWorker: new URL("../../../tests/query-worker.ts", import.meta.url),
      heldLogPagesMax: 3_000,
    });
    const addLong = () =>
      small.transaction(
        null,
        ({ sql }) => sql`INSERT INTO notes (text) VALUES (${crypto.randomUUID().repeat(10_000)})`,
      );
    await small.transaction(
      null,
      ({ sql }) => sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`,
    );
    await addLong();
    const stream = await small.stream(notes, { from: 1 }, reseller(1));
    const ended = thrownBy(stream.getReader().closed);
    let isOver = false;
    ended.finally(() => {
      isOver = true;
    });
    while (!isOver) await addLong();
    expect(await ended).toEqual(refused("STORAGE_UNAVAILABLE"));
    let next = await small.stream(notes, { from: 1 }, reseller(1)).catch(() => null);
    while (next === null) {
      await addLong();
      next = await small.stream(notes, { from: 1 }, reseller(1)).catch(() => null);
    }
    await next.cancel();
    await small.close();
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
