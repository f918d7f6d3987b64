import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { createAuditedChanges } from "../../src/accounts/audited-changes.ts";
import { createSeal } from "../../src/accounts/sealed.ts";
import type { DatabaseEvent } from "../../src/core/events.ts";
import { createMetrics } from "../../src/core/metrics.ts";
import type { Database, Sql, Unit } from "../../src/db/contract.ts";
import { openPostgres } from "../../src/db/postgres/postgres.ts";
import { createRateLimits } from "../../src/http/rate-limit.ts";
import { shareLimits } from "../../src/http/shared-limits-store.ts";
import { connectDevice } from "../../src/verify/store.ts";
import { createDeliveries } from "../../src/webhooks/deliveries.ts";
import { makePostgresDatabase, testServer } from "../database.ts";

const randomBytes = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

/** Connections per process. Units may use three of them. */
const poolSize = 5;
const unitsAtOnceMax = poolSize - 2;

/** Two engines, as in two processes, share one database. */
let url: string;
let drop: () => Promise<void>;
let other: Bun.SQL;
beforeAll(async () => {
  ({ url, drop } = await makePostgresDatabase(testServer as string));
  other = new SQL(url, { max: 1 });
  await other.unsafe(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
  await other.unsafe(
    `INSERT INTO accounts (id, role, username, password_hash, created_at) VALUES (1, 'admin', 'boss', 'x', 1)`,
  );
});
afterAll(async () => {
  await other.close();
  await drop();
});

let one: Database;
let two: Database;
beforeEach(() => {
  const open = () => openPostgres({ url, listenUrl: url, poolSize }, { randomBytes });
  [one, two] = [open(), open()];
});
afterEach(async () => void (await Promise.all([one.close(), two.close()])));

const both = (count: number, work: (database: Database, index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index % 2 === 0 ? one : two, index)));

/** The expiry of each key. The value is arbitrary; tests increase it. */
const expiresAt = 2000;

let keys = 0;
/** Normal forms by id. */
const texts = new Map<number, string>();

async function makeKey(deviceLimit: number): Promise<number> {
  keys += 1;
  const [row] = await other.unsafe(
    `INSERT INTO license_keys (key_string, normal_form, game_id, device_limit, created_at, expires_at, created_by)
     VALUES ($1, lower($1), 3, $2, 1, $3, 1) RETURNING id::int`,
    [`ENGINE-${keys}`, deviceLimit, expiresAt],
  );
  texts.set(row.id, `engine-${keys}`);
  return row.id;
}

const noted = (text: string) => (unit: Pick<Unit, "sql">) =>
  unit.sql`
  INSERT INTO online_updates (title, message, is_active, created_at, updated_at) VALUES (${text}, 'What is new', 0, 1, 1)`;

test("when the server refuses work, running commits finish and all other units are refused", async () => {
  // Makes a commit wait until this lock is released.
  await other.unsafe(`
    CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON online_updates DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.title = 'committing') EXECUTE FUNCTION wait_at_commit();
    SELECT pg_advisory_lock(7)`);
  const committing = one.transaction("key 1", noted("committing"));
  const waiting = one.transaction("key 1", noted("waits in a queue"));
  const begun = Promise.withResolvers<void>();
  const underWay = one.transaction(null, async (unit) => {
    await noted("under way")(unit);
    begun.resolve();
    await committing;
  });
  await begun.promise;
  while (!(await isAtCommit())) await new Promise(setImmediate);
  const takeWrites = one.refuseWork();
  for (const refused of [waiting, underWay, one.transaction(null, noted("too late"))])
    await expect(refused).rejects.toMatchObject({ code: "BUSY" });
  await other.unsafe("SELECT pg_advisory_unlock(7)");
  await committing;
  takeWrites();
  await one.transaction(null, noted("the server's own"));
  const kept = await one.read<{ title: string }>`SELECT title FROM online_updates ORDER BY id`;
  expect(kept.map(({ title }) => title)).toEqual(["committing", "the server's own"]);
});

async function isAtCommit(): Promise<boolean> {
  const waiting = await other.unsafe(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT' AND wait_event = 'advisory'",
  );
  return waiting.length > 0;
}

describe("units of one process", () => {
  const meet = () => {
    let missing = 2;
    const all = Promise.withResolvers<void>();
    return () => {
      missing -= 1;
      if (missing === 0) all.resolve();
      return all.promise;
    };
  };

  test("run in parallel in different queues", async () => {
    const arrive = meet();
    // Each waits for the other inside its transaction, so they would never end if they ran one after the other.
    await Promise.all(["reseller 1", "reseller 2"].map((queue) => one.transaction(queue, arrive)));
  });

  test("run one after another in the same queue, in order", async () => {
    const order: string[] = [];
    const unit = (name: string) =>
      one.transaction("reseller 1", async ({ sql }) => {
        order.push(`${name} begins`);
        await sql`SELECT 1`;
        order.push(`${name} ends`);
      });
    await Promise.all([unit("a"), unit("b"), unit("c")]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  test("continue after a unit of their queue failed", async () => {
    const failed = one.transaction("reseller 1", async () => {
      throw new Error("not this one");
    });
    const next = one.transaction("reseller 1", ({ sql }) => sql`SELECT 1 AS one`);
    await expect(failed).rejects.toThrow("not this one");
    expect(await next).toEqual([{ one: 1 }]);
  });
});

describe("transactions of two processes", () => {
  test("are serializable: what one has read is still true when it writes", async () => {
    const id = await makeKey(100);
    await both(60, (database) =>
      database.transaction(null, async ({ sql }) => {
        const [row] = await sql<{
          count: number;
        }>`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`;
        await sql`UPDATE license_keys SET expires_at = ${expiresAt + (row?.count ?? 0) + 1} WHERE id = ${id}`;
      }),
    );
    expect([
      ...(await other.unsafe("SELECT (expires_at - $2)::int AS count FROM license_keys WHERE id = $1", [
        id,
        expiresAt,
      ])),
    ]).toEqual([{ count: 60 }]);
  });

  test("fail independently", async () => {
    const id = await makeKey(100);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        one.transaction(null, async ({ sql }) => {
          await sql`UPDATE license_keys SET expires_at = expires_at + 1 WHERE id = ${id}`;
          if (index % 2 === 1) throw new Error("not this one");
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect([...(await two.read`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`)]).toEqual(
      [{ count: 10 }],
    );
  });

  test("are on disk when they are acknowledged, whatever the server's default", async () => {
    const [row] = await one.transaction(
      null,
      ({ sql }) => sql<{ setting: string }>`
      SELECT current_setting('synchronous_commit') AS setting`,
    );
    expect(row).toEqual({ setting: "on" });
  });
});

describe("devices that connect at the same time", () => {
  const connect = async (database: Database, keyId: number, deviceId: string) => {
    const device = { keyId, text: texts.get(keyId) as string, deviceId, at: 1000 };
    return (await database.transaction(`key ${keyId}`, (unit) => connectDevice(unit, device))) !== null;
  };

  test.each([1, 2, 10])("connect up to the limit of %d", async (limit) => {
    const id = await makeKey(limit);
    const outcomes = await both(40, (database, index) => connect(database, id, `phone-${index}`));
    expect(outcomes.filter(Boolean)).toHaveLength(limit);
  });

  test("take one slot if they are the same device", async () => {
    const id = await makeKey(10);
    const outcomes = await both(40, (database) => connect(database, id, "the-phone"));
    expect(outcomes.filter(Boolean)).toEqual([true]);
  });

  test("are refused once a revocation is acknowledged", async () => {
    const id = await makeKey(100);
    let revoked = false;
    const late: boolean[] = [];
    await both(60, async (database, index) => {
      if (index === 20) {
        await two.transaction(
          null,
          ({ sql }) => sql`UPDATE license_keys SET revoked_at = 5, revoked_by = 1 WHERE id = ${id}`,
        );
        revoked = true;
        for (let after = 0; after < 5; after += 1) late.push(await connect(one, id, `late-${after}`));
      } else await connect(database, id, `phone-${index}`);
    });
    expect([revoked, late]).toEqual([true, [false, false, false, false, false]]);
  });
});

describe("events", () => {
  const event: DatabaseEvent = { about: "sessions", ended: Array.from({ length: 700 }, (_, id) => id) };

  test("published by one process reach the other after the commit, and never without it", async () => {
    const received: number[] = [];
    const all = Promise.withResolvers<void>();
    two.subscribe({
      event(event) {
        if (event.about === "sessions") received.push(...event.ended);
        if (received.at(-1) === -1) all.resolve();
      },
      missed: () => {},
    });
    // A listener receives only what is published after it has started; its own first event shows that it has.
    while (received.length === 0)
      await one.transaction(null, async ({ publish }) => publish({ about: "sessions", ended: [0] }));
    received.length = 0;
    const undone = one.transaction(null, async ({ publish }) => {
      await publish({ about: "sessions", ended: [99_999] });
      throw new Error("undone");
    });
    await undone.catch(() => {});
    await one.transaction(null, async ({ publish }) => publish(event));
    await one.transaction(null, async ({ publish }) => publish({ about: "sessions", ended: [-1] }));
    await all.promise;
    expect(received.filter((id) => id === 99_999)).toEqual([]);
    expect(received.filter((id) => id > 0)).toEqual(event.ended.filter((id) => id > 0));
  });

  test("missed while the connection was lost are reported as missed", async () => {
    const missed = Promise.withResolvers<void>();
    let isListening = false;
    two.subscribe({ event: () => (isListening = true), missed: () => missed.resolve() });
    while (!isListening) await one.transaction(null, async ({ publish }) => publish({ about: "sessions", ended: [1] }));
    await cutOff();
    await missed.promise;
  });
});

/** Terminates every other connection to the database. */
async function cutOff(): Promise<void> {
  await other.unsafe(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

test("after all connections are lost, the next call works", async () => {
  const id = await makeKey(100);
  await one.read`SELECT 1 AS one`;
  await one.transaction(null, ({ sql }) => sql`UPDATE license_keys SET expires_at = ${expiresAt + 1} WHERE id = ${id}`);
  await cutOff();
  expect(await one.read`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`).toEqual([
    { count: 1 },
  ]);
  await cutOff();
  const write = () =>
    one.transaction(null, ({ sql }) => sql`UPDATE license_keys SET expires_at = ${expiresAt + 2} WHERE id = ${id}`);
  // A call whose connection is lost is refused with a Retry-After.
  await write().catch((refusal) => expect(refusal).toMatchObject({ code: "STORAGE_UNAVAILABLE" }));
  await write();
  expect(await one.read`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`).toEqual([
    { count: 2 },
  ]);
});

test("a transaction that loses its connection is rolled back and refused", async () => {
  const id = await makeKey(100);
  const lost = one.transaction(null, async ({ sql }) => {
    await sql`UPDATE license_keys SET expires_at = ${expiresAt + 7} WHERE id = ${id}`;
    await cutOff();
    await sql`UPDATE license_keys SET expires_at = ${expiresAt + 8} WHERE id = ${id}`;
  });
  expect(await lost.catch((error) => error)).toMatchObject({
    code: "STORAGE_UNAVAILABLE",
    details: { retryAfterSeconds: expect.any(Number) },
  });
  expect(await two.read`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`).toEqual([
    { count: 0 },
  ]);
});

const admin = { id: 1, role: "admin" } as const;

test("all statements of a snapshot see the same instant despite concurrent commits", async () => {
  const id = await makeKey(100);
  const limitOf = async (sql: Sql) => {
    const [row] = await sql<{ limit: number }>`SELECT device_limit AS "limit" FROM license_keys WHERE id = ${id}`;
    return row?.limit;
  };
  const limits = await one.snapshot(
    {
      name: "limit, read twice",
      async run(sql) {
        const before = await limitOf(sql);
        await two.transaction(
          null,
          ({ sql: writing }) => writing`UPDATE license_keys SET device_limit = 7 WHERE id = ${id}`,
        );
        return [before, await limitOf(sql)];
      },
    },
    null,
    admin,
  );
  expect([...limits, await limitOf(one.read)]).toEqual([100, 100, 7]);
});

test("a snapshot can be read while the maximum number of units write", async () => {
  const answered = Promise.withResolvers<void>();
  const writing = Array.from({ length: unitsAtOnceMax }, () => Promise.withResolvers<void>());
  const units = writing.map((begun) =>
    one.transaction(null, async ({ sql }) => {
      await sql`SELECT 1`;
      begun.resolve();
      await answered.promise;
    }),
  );
  await Promise.all(writing.map(({ promise }) => promise));
  const query = { name: "one", run: (sql: Sql) => sql<{ one: number }>`SELECT 1 AS one` };
  expect(await one.snapshot(query, null, admin)).toEqual([{ one: 1 }]);
  answered.resolve();
  await Promise.all(units);
});

describe("a unit that loses a conflict", () => {
  const makeLosing = (state: string) =>
    other.unsafe(
      `CREATE OR REPLACE FUNCTION lose() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`,
    );

  test.each(["40001", "40P01"])("is retried from its start after %s, more than five times", async (state) => {
    await makeLosing(state);
    const id = await makeKey(100);
    let runs = 0;
    await one.transaction(null, async ({ sql }) => {
      runs += 1;
      await sql`UPDATE license_keys SET expires_at = expires_at + 1 WHERE id = ${id}`;
      if (runs <= 7) await sql`SELECT lose()`;
    });
    expect(runs).toBe(8);
    expect(await two.read`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`).toEqual([
      { count: 1 },
    ]);
  });

  test("is refused as BUSY after its deadline, without effects", async () => {
    await makeLosing("40001");
    const id = await makeKey(100);
    const outcome = one.transaction(null, async ({ sql }) => {
      await sql`UPDATE license_keys SET expires_at = expires_at + 1 WHERE id = ${id}`;
      await sql`SELECT lose()`;
    });
    expect(await outcome.catch((error) => error)).toMatchObject({
      code: "BUSY",
      details: { retryAfterSeconds: expect.any(Number) },
    });
    expect(await two.read`SELECT expires_at - ${expiresAt} AS count FROM license_keys WHERE id = ${id}`).toEqual([
      { count: 0 },
    ]);
  });

  test("waits for a lock only until its deadline", async () => {
    await makeLosing("40001");
    const lockMs: number[] = [];
    await one.transaction(null, async ({ sql }) => {
      const [row] = await sql<{ setting: string }>`SELECT current_setting('lock_timeout') AS setting`;
      // PostgreSQL prints whole seconds as seconds.
      const [, number, unit] = /^(\d+)(m?s)$/.exec(row?.setting ?? "") ?? [];
      lockMs.push(Number(number) * (unit === "s" ? 1_000 : 1));
      if (lockMs.length <= 7) await sql`SELECT lose()`;
    });
    const [first = 0, last = 0] = [lockMs[0], lockMs.at(-1)];
    expect(first).toBeWithin(1, 4_001);
    expect(last).toBeWithin(1, first);
  });

  test("sees a concurrently committed row when it runs again after a unique violation", async () => {
    let runs = 0;
    const outcome = one.transaction(null, async ({ sql }) => {
      runs += 1;
      // The first statement determines the snapshot.
      const found = await sql`SELECT 1 FROM accounts WHERE username = 'racer'`;
      if (found.length > 0) return "found";
      if (runs === 1)
        await two.transaction(
          null,
          ({ sql: inserting }) => inserting`
            INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'racer', 'x', 1)`,
        );
      await sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'racer', 'x', 1)`;
      return "inserted";
    });
    expect([await outcome, runs]).toEqual(["found", 2]);
  });

  test("fails if the unique violation repeats", async () => {
    let runs = 0;
    const outcome = one.transaction(null, ({ sql }) => {
      runs += 1;
      return sql`INSERT INTO accounts (role, username, password_hash, created_at) VALUES ('admin', 'boss', 'x', 1)`;
    });
    await expect(outcome).rejects.toThrow("duplicate key");
    expect(runs).toBe(2);
  });
});

test("rate limits count across processes, and one process can give back another's try", async () => {
  const clock = { now: 1_000_000 };
  const limitOf = (database: Database) =>
    shareLimits(
      database.write,
      createRateLimits({
        monotonicMs: () => clock.now,
        enabled: true,
        metrics: createMetrics({ ms: () => clock.now }),
      }),
      () => clock.now,
    )({ name: "trial", triesMax: 3, windowMs: 60_000 });
  const [here, there] = [limitOf(one), limitOf(two)];
  expect([await here.take("ann"), await there.take("ann"), await here.take("ann")]).toEqual([null, null, null]);
  expect([await here.take("ann"), await there.take("ann"), await there.waitSeconds("ann")]).toEqual([60, 60, 60]);
  expect(await there.take("bob")).toBeNull();
  await there.giveBack("ann");
  expect([await there.waitSeconds("ann"), await there.take("ann"), await there.take("ann")]).toEqual([null, null, 60]);
  clock.now += 60_000;
  expect([await here.take("ann"), await there.waitSeconds("ann")]).toEqual([null, null]);
});

test("numbers of any size use one prepared statement, so clients cannot fill a connection's memory", async () => {
  for (const id of [1, 2 ** 31, -(2 ** 40), Number.MAX_SAFE_INTEGER, -0]) {
    await one.read`SELECT id AS "any size" FROM accounts WHERE id IN (${id}, ${1})`;
  }
  const prepared = await one.read`SELECT 1 FROM pg_prepared_statements WHERE statement LIKE ${"%any size%"}`;
  expect(prepared).toHaveLength(1);
});

test("half a try can be given back across processes", async () => {
  const rule = { name: "halves", triesMax: 1, windowMs: 60_000 };
  const metrics = createMetrics({ ms: () => 0 });
  const limitOf = (database: Database) =>
    shareLimits(database.write, createRateLimits({ monotonicMs: () => 0, enabled: true, metrics }), () => 1_000)(rule);
  const [here, there] = [limitOf(one), limitOf(two)];
  expect(await here.take("ann")).toBeNull();
  await here.giveBack("ann", 0.5);
  expect(await here.take("ann")).toBeNull();
  await here.giveBack("ann", 0.5);
  expect([await here.take("ann"), await there.take("ann")]).toEqual([60, 60]);
});

test("one process at a time runs a periodic job", async () => {
  const done: string[] = [];
  await one.exclusive("cleaning", async () => {
    done.push("one");
    await two.exclusive("cleaning", async () => void done.push("two"));
    await two.exclusive("something else", async () => void done.push("else"));
  });
  await two.exclusive("cleaning", async () => void done.push("two"));
  expect(done).toEqual(["one", "else", "two"]);
});

test("one process delivers to webhooks, and when it dies another goes on with what it had claimed", async () => {
  await other.unsafe(`
    INSERT INTO webhooks (id, account_id, owner, kind, url, events, is_active, created_at)
      VALUES (1, 1, 0, 'discord', 'https://example.com', 'order.created', 1, 1);
    INSERT INTO webhook_deliveries (webhook_id, message_id, type, data, at, next_at)
      VALUES (1, 'first', 'order.created', '{}', 1, 1), (1, 'second', 'order.created', '{}', 1, 1)`);
  let at = 1_000;
  const now = () => at;
  const metrics = createMetrics({ ms: now });
  const seal = createSeal({ secrets: { current: "not used", previous: null } });
  const delivererOn = (database: Database, send: Parameters<typeof createDeliveries>[0]["send"]) =>
    createDeliveries({ database, changes: createAuditedChanges({ database, now }), seal, send, metrics, now });
  const accepted = { status: 204, ms: 1, answer: "", retryAfterMs: null };
  const hanging = Promise.withResolvers<typeof accepted>();
  const begun = Promise.withResolvers<void>();
  const delivering = delivererOn(one, () => {
    begun.resolve();
    return hanging.promise;
  }).run();
  await begun.promise;

  const sent: string[] = [];
  const second = delivererOn(two, async ({ event }) => {
    sent.push(event.id);
    return accepted;
  });
  await second.run();
  at += 10_000;
  await second.run();
  expect(sent).toEqual([]);
  await other.unsafe(`
    SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
    WHERE l.locktype = 'advisory' AND a.datname = current_database()`);
  at += 20_000;
  while (sent.length < 2) {
    await second.run();
    at += 10_000;
  }
  expect(sent.sort()).toEqual(["first", "second"]);
  hanging.resolve(accepted);
  await delivering;
  expect(await other.unsafe("SELECT id FROM webhook_deliveries WHERE next_at IS NOT NULL")).toHaveLength(0);
  await other.unsafe("DELETE FROM webhooks");
});
