import { Database as Connection } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/process.ts";
import { containing, type Database, nothing, part } from "../contract.ts";
import { openSqlite } from "./sqlite.ts";

let folder: string;
let database: Database;

beforeEach(async () => {
  folder = temporaryFolder();
  database = openSqlite(join(folder, "test.db"));
  await database.transaction(
    null,
    ({ sql }) => sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT`,
  );
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const texts = async () =>
  (await database.read<{ text: string }>`SELECT text FROM notes ORDER BY id`).map(({ text }) => text);
const add = (text: string) => database.transaction(null, ({ sql }) => sql`INSERT INTO notes (text) VALUES (${text})`);

describe("a transaction", () => {
  test("is visible to all readers once it has resolved", async () => {
    await add("kept");
    expect(await texts()).toEqual(["kept"]);
  });

  test("that throws has no effect and rethrows the error", async () => {
    const failure = new Error("changed my mind");
    const failed = database.transaction(null, async ({ sql }) => {
      await sql`INSERT INTO notes (text) VALUES ('gone')`;
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await texts()).toEqual([]);
  });

  test("that fails does not affect those that share its commit", async () => {
    await add("first");
    const settled = await Promise.allSettled([add("second"), add("first"), add("third")]);
    expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await texts()).toEqual(["first", "second", "third"]);
  });

  test("is not visible before all that share its commit, over any number of event loop turns", async () => {
    const units = 200;
    let isDone = false;
    const seen: number[] = [];
    const slow = database.transaction(null, async ({ sql }) => {
      await sql`INSERT INTO notes (text) VALUES ('slow')`;
      while (seen.length < 2) await new Promise(setImmediate);
    });
    const adding = Promise.all([slow, ...Array.from({ length: units - 1 }, (_, unit) => add(`unit ${unit}`))]).then(
      () => {
        isDone = true;
      },
    );
    while (!isDone) {
      seen.push((await texts()).length);
      await new Promise(setImmediate);
    }
    await adding;
    expect(seen.filter((count) => count !== 0 && count !== units)).toEqual([]);
    expect(seen.filter((count) => count === 0).length).toBeGreaterThan(1);
    expect(await texts()).toHaveLength(units);
  });

  test("is visible to reads in the same turn, before and after it", async () => {
    expect(await texts()).toEqual([]);
    const reading = [texts(), add("kept").then(texts), texts()];
    expect(await Promise.all(reading)).toEqual([[], ["kept"], []]);
  });

  test("is acknowledged even if a listener for its event fails", async () => {
    const received: unknown[] = [];
    database.subscribe({
      event() {
        throw new Error("not today");
      },
      missed() {},
    });
    database.subscribe({ event: (event) => void received.push(event), missed() {} });
    const event = { about: "sessions" as const, ended: [1] };
    for (const text of ["first", "second"]) {
      await database.transaction(null, async ({ sql, publish }) => {
        await sql`INSERT INTO notes (text) VALUES (${text})`;
        publish(event);
      });
    }
    expect(received).toEqual([event, event]);
    expect(await texts()).toEqual(["first", "second"]);
  });

  test("that waits too long is refused without effects", async () => {
    const file = join(folder, "slow.db");
    const slow = openSqlite(file, { unitWaitMsMax: 20 });
    await slow.transaction(null, ({ sql }) => sql`CREATE TABLE notes (text TEXT) STRICT`);
    const begun = Promise.withResolvers<void>();
    const long = slow.transaction(null, async ({ sql }) => {
      begun.resolve();
      await Bun.sleep(40);
      return sql`INSERT INTO notes VALUES ('long')`;
    });
    await begun.promise;
    await expect(slow.transaction(null, ({ sql }) => sql`INSERT INTO notes VALUES ('late')`)).rejects.toMatchObject({
      code: "BUSY",
    });
    await long;
    await slow.transaction(null, ({ sql }) => sql`INSERT INTO notes VALUES ('after')`);
    expect(await slow.read<{ text: string }>`SELECT text FROM notes`).toEqual([{ text: "long" }, { text: "after" }]);
    await slow.close();
  });

  test("sees the writes of earlier transactions", async () => {
    await add("0");
    const increment = () =>
      database.transaction(null, async ({ sql }) => {
        const [row] = await sql<{ text: string }>`SELECT text FROM notes WHERE id = 1`;
        await sql`UPDATE notes SET text = ${String(Number(row?.text) + 1)} WHERE id = 1`;
      });
    await Promise.all(Array.from({ length: 500 }, increment));
    expect(await texts()).toEqual(["500"]);
  });

  test("is refused once the database closes, after waiting ones have finished", async () => {
    const waiting = add("in time");
    const closing = database.close();
    await expect(add("too late")).rejects.toMatchObject({ code: "BUSY" });
    await Promise.all([waiting, closing]);
    database = openSqlite(join(folder, "test.db"));
    expect(await texts()).toEqual(["in time"]);
  });

  test("is refused when the server refuses work, unless it has already begun", async () => {
    const begun = Promise.withResolvers<void>();
    const underWay = database.transaction(null, async ({ sql }) => {
      await sql`INSERT INTO notes (text) VALUES ('begun')`;
      begun.resolve();
    });
    const sharesItsCommit = add("never begun");
    await begun.promise;
    const takeWrites = database.refuseWork();
    await expect(sharesItsCommit).rejects.toMatchObject({ code: "BUSY" });
    await expect(add("too late")).rejects.toMatchObject({ code: "BUSY" });
    await underWay;
    takeWrites();
    await add("the server's own");
    expect(await texts()).toEqual(["begun", "the server's own"]);
  });

  test("that was committed survives even if the server ended without closing the file", async () => {
    await add("committed");
    await database.close(0);
    const later = openSqlite(join(folder, "test.db"));
    expect(await later.read`SELECT text FROM notes`).toEqual([{ text: "committed" }]);
    await later.close();
  });
});

describe("a commit", () => {
  let nowMs: number;
  let commits: number;
  let clocked: Database;
  let outcomes: string[];

  beforeEach(async () => {
    nowMs = 0;
    commits = 0;
    outcomes = [];
    const keysChanged = () => {
      commits += 1;
    };
    const file = join(folder, "clocked.db");
    clocked = openSqlite(file, { keysChanged, monotonicMs: () => nowMs, unitWaitMsMax: 1_000 });
    await clocked.transaction(
      null,
      ({ sql }) => sql`CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT`,
    );
  });
  afterEach(() => clocked.close());

  async function addFor(ms: number, text: string): Promise<void> {
    const before = commits;
    const adding = clocked.transaction(null, async ({ sql, keyChanged }) => {
      keyChanged(1);
      nowMs += ms;
      await sql`INSERT INTO notes (text) VALUES (${text})`;
    });
    const became = await adding.then(
      () => `in commit ${commits - before}`,
      ({ code }) => code,
    );
    outcomes.push(`${text} ${became}`);
  }

  const written = async () =>
    (await clocked.read<{ text: string }>`SELECT text FROM notes ORDER BY id`).map(({ text }) => text);

  test("takes no more units after 100 ms, and the waiting ones are first in the next commit", async () => {
    await Promise.all([addFor(60, "a"), addFor(60, "b"), addFor(0, "c"), addFor(250, "d"), addFor(0, "e")]);
    expect(outcomes).toEqual(["a in commit 1", "b in commit 1", "c in commit 2", "d in commit 2", "e in commit 3"]);
    expect(await written()).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("in progress does not delay the refusal of units that have waited too long", async () => {
    await Promise.all([addFor(0, "a"), addFor(1_000, "b"), addFor(0, "late")]);
    expect(outcomes).toEqual(["late BUSY", "a in commit 1", "b in commit 1"]);
    expect(await written()).toEqual(["a", "b"]);
  });

  test("has at most 10,000 waiting units; further ones are refused at once", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10_002 }, () => clocked.transaction(null, async () => {})),
    );
    expect(outcomes.flatMap(({ status }, unit) => (status === "rejected" ? [unit] : []))).toEqual([10_000, 10_001]);
  });
});

describe("changed keys", () => {
  const change = (keyId: number, text: string) =>
    database.transaction(`key ${keyId}`, async ({ sql, keyChanged }) => {
      await sql`INSERT INTO notes (text) VALUES (${text})`;
      keyChanged(keyId);
    });
  let reports: { keyIds: number[]; isCommitted: boolean; isToldFirst: boolean }[];
  let isAnyTold: boolean;

  beforeEach(async () => {
    await database.close();
    reports = [];
    isAnyTold = false;
    const file = join(folder, "test.db");
    database = openSqlite(file, {
      keysChanged(keyIds) {
        const other = new Connection(file, { readonly: true });
        const isCommitted = other.query("SELECT 1 FROM notes").get() !== null;
        other.close();
        reports.push({ keyIds: [...keyIds], isCommitted, isToldFirst: !isAnyTold });
      },
    });
  });

  test("are reported once the commit is on disk, before any of its callers continues", async () => {
    const callers = [change(1, "a"), change(2, "b"), change(1, "c")];
    const tell = () => {
      isAnyTold = true;
    };
    for (const caller of callers) caller.then(tell);
    await Promise.all(callers);
    expect(reports).toEqual([{ keyIds: [1, 2], isCommitted: true, isToldFirst: true }]);
    await change(3, "d");
    expect(reports[1]?.keyIds).toEqual([3]);
  });

  test("are reported even if the commit failed, because it may have reached the disk", async () => {
    const deferred = "PRAGMA defer_foreign_keys = ON";
    await database.transaction(null, async ({ sql }) => {
      await sql`CREATE TABLE replies (note INTEGER REFERENCES notes (id)) STRICT`;
    });
    reports = [];
    // A violation that is detected at COMMIT.
    const failing = database.transaction(null, async ({ sql, keyChanged }) => {
      await sql([deferred] as unknown as TemplateStringsArray);
      await sql`INSERT INTO replies VALUES (7)`;
      keyChanged(5);
    });
    failing.catch(() => {
      isAnyTold = true;
    });
    await expect(failing).rejects.toThrow("FOREIGN KEY");
    expect(reports).toMatchObject([{ keyIds: [5], isToldFirst: true }]);
    await change(6, "next");
    expect(await texts()).toEqual(["next"]);
  });
});

describe("look-ups that are handled together", () => {
  const lookUp = async (times: number) => {
    for (let time = 0; time < times; time += 1) await texts();
  };

  test("see a commit as soon as its keys are reported", async () => {
    await database.close();
    const found: Promise<string[]>[] = [];
    database = openSqlite(join(folder, "test.db"), { keysChanged: () => void found.push(texts()) });
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    for (const number of numbers) {
      await database.transaction(null, async ({ sql, keyChanged }) => {
        await sql`INSERT INTO notes (text) VALUES (${`note ${number}`})`;
        keyChanged(number);
        for (const times of numbers) void lookUp(times);
      });
    }
    expect((await Promise.all(found)).map(({ length }) => length)).toEqual(numbers.map((number) => number + 1));
  });

  test("see what another process wrote before it was counted", async () => {
    const other = new Connection(join(folder, "test.db"));
    const before = texts();
    other.run("INSERT INTO notes (text) VALUES ('elsewhere')");
    database.versionByOthers();
    const after = texts();
    expect([await before, await after]).toEqual([[], ["elsewhere"]]);
    other.close();
  });
});

describe("the version by others", () => {
  const nextTurn = () => new Promise(setImmediate);

  test("changes when another process writes, but not when this one writes or checkpoints its log", async () => {
    const before = database.versionByOthers();
    for (const text of ["a", "b", "c"]) {
      await add(text);
      await nextTurn();
      expect(database.versionByOthers()).toBe(before);
    }
    // The log is checkpointed a second after the last write.
    while (statSync(join(folder, "test.db-wal")).size > 0) await Bun.sleep(50);
    expect(database.versionByOthers()).toBe(before);
    const other = new Connection(join(folder, "test.db"));
    other.run("INSERT INTO notes (text) VALUES ('elsewhere')");
    other.close();
    await nextTurn();
    expect(database.versionByOthers()).not.toBe(before);
  });

  test("is null if SQLite cannot determine it", async () => {
    await database.close();
    await nextTurn();
    expect(database.versionByOthers()).toBeNull();
  });
});

test("the write-ahead log is checkpointed during continuous writes and stays small", async () => {
  const file = join(folder, "test.db");
  const sizes: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    await Promise.all(Array.from({ length: 200 }, () => add(`${Bun.randomUUIDv7()} ${"x".repeat(4_000)}`)));
    sizes.push(statSync(`${file}-wal`).size);
  }
  // 8,000 notes are 32 MB.
  expect(statSync(file).size).toBeGreaterThan(25_000_000);
  expect(Math.max(...sizes)).toBeLessThan(12_000_000);
});

// Where Linux keeps the list of open files.
test.if(process.platform === "linux")("a transaction that changes many pages creates no temporary file", async () => {
  const opened = () =>
    readdirSync("/proc/self/fd").flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/self/fd/${descriptor}`)];
      } catch {
        // The descriptor of the listing itself.
        return [];
      }
    });
  await Promise.all(Array.from({ length: 200 }, (_, page) => add(`${page} ${"long ".repeat(600)}`)));
  const before = opened();
  const during = await database.transaction(null, async ({ sql }) => {
    await sql`UPDATE notes SET text = text || '!'`;
    return opened();
  });
  expect(during.toSorted()).toEqual(before.toSorted());
});

describe("with another process", () => {
  const other = () => {
    const connection = new Connection(join(folder, "test.db"));
    connection.run("BEGIN IMMEDIATE");
    return connection;
  };

  test("a write waits for its lock while all other work continues", async () => {
    const connection = other();
    const writing = add("patient");
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await texts()).toEqual([]);
    connection.run("COMMIT");
    await writing;
    expect(await texts()).toEqual(["patient"]);
    connection.close();
  });

  test("a write that waits too long is refused, and the next one succeeds", async () => {
    await database.close();
    database = openSqlite(join(folder, "test.db"), { lockWaitMsMax: 20 });
    const connection = other();
    await expect(add("too long")).rejects.toMatchObject({ code: "STORAGE_UNAVAILABLE" });
    connection.run("ROLLBACK");
    connection.close();
    await add("next");
    expect(await texts()).toEqual(["next"]);
  });
});

describe("a value", () => {
  test.each(["O'Brien", `"; DROP TABLE notes; --`, "100%", "snow\u2603man", "\\"])(
    "%s is stored unchanged",
    async (text) => {
      await add(text);
      expect(await texts()).toEqual([text]);
    },
  );

  test("in a search is taken literally", async () => {
    for (const text of ["100%", "100x", "a_b", "axb", "c\\d"]) await add(text);
    const search = (text: string) =>
      database.read<{
        text: string;
      }>`SELECT text FROM notes WHERE text LIKE ${containing(text)} ESCAPE '\\' ORDER BY id`;
    expect(await search("0%")).toEqual([{ text: "100%" }]);
    expect(await search("_b")).toEqual([{ text: "a_b" }]);
    expect(await search("\\")).toEqual([{ text: "c\\d" }]);
  });
});

test("SQL fragments are combined with their values in order", async () => {
  for (const text of ["a", "b", "c", "d"]) await add(text);
  const list = (after: string | null, descending: boolean, limit: number) => {
    const from = after === null ? nothing : part`AND text > ${after}`;
    const order = descending ? part`DESC` : nothing;
    return database.read<{ text: string }>`
      SELECT text FROM notes WHERE text <> ${"d"} ${from} ORDER BY text ${order} LIMIT ${limit}`;
  };
  expect(await list(null, false, 2)).toEqual([{ text: "a" }, { text: "b" }]);
  expect(await list("a", true, 9)).toEqual([{ text: "c" }, { text: "b" }]);
});

test("reading never changes anything", async () => {
  await expect(database.read`INSERT INTO notes (text) VALUES ('sneaked in')`).rejects.toThrow();
  const disguised = database.read`WITH new (text) AS (SELECT 'in') INSERT INTO notes (text) SELECT text FROM new`;
  await expect(disguised).rejects.toThrow();
  expect(await texts()).toEqual([]);
});
