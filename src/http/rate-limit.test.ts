import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics } from "../core/metrics.ts";
import { countNetworks, createRateLimits, type RateLimit } from "./rate-limit.ts";

function limitOf(triesMax: number) {
  const clock = { now: 0 };
  const createRateLimit = createRateLimits({
    monotonicMs: () => clock.now,
    enabled: true,
    metrics: createMetrics({ ms: () => 0 }),
  });
  const limit = countNetworks(createRateLimit)({ name: "tries", triesMax, windowMs: 60_000 });
  return { clock, limit };
}

test("a full window reports the wait and opens again afterwards", async () => {
  const { clock, limit } = limitOf(2);
  expect([await limit.take("a"), await limit.take("a")]).toEqual([null, null]);
  clock.now = 45_500;
  expect([await limit.take("a"), await limit.waitSeconds("a")]).toEqual([15, 15]);
  expect([await limit.waitSeconds("b"), await limit.take("b")]).toEqual([null, null]);
  clock.now = 60_000;
  expect([await limit.waitSeconds("a"), await limit.take("a")]).toEqual([null, null]);
});

test("simultaneous tries are counted one by one", async () => {
  const { limit } = limitOf(3);
  const waits = await Promise.all(Array.from({ length: 8 }, () => limit.take("a")));
  expect(waits).toEqual([null, null, null, 60, 60, 60, 60, 60]);
});

test("a legitimate try can be given back in full or by half", async () => {
  const { limit } = limitOf(1);
  await limit.take("a");
  await limit.giveBack("a");
  await limit.giveBack("a");
  expect([await limit.take("a"), await limit.take("a")]).toEqual([null, 60]);
  await limit.giveBack("a", 0.5);
  expect([await limit.take("a"), await limit.take("a")]).toEqual([null, 60]);
  await limit.giveBack("a", 0.5);
  expect(await limit.take("a")).toBe(60);
});

test("at most the latest 99,000 of 300,000 clients are remembered, so memory is bounded", () => {
  const { clock, limit } = limitOf(1);
  const refusedOf = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => limit.waitSeconds(`person ${from + index}`)).filter(Boolean).length;
  for (let person = 0; person < 300_000; person += 1) {
    clock.now = person / 10;
    limit.take(`person ${person}`);
  }
  expect([refusedOf(0, 200_000), refusedOf(201_000, 300_000)]).toEqual([0, 99_000]);
});

test("a client with an open second window is not evicted", () => {
  const { clock, limit } = limitOf(1);
  limit.take("a");
  for (let person = 1; person < 50_000; person += 1) limit.take(`person ${person}`);
  clock.now = 60_000;
  limit.take("a");
  for (let person = 50_000; person < 100_500; person += 1) limit.take(`person ${person}`);
  expect([limit.waitSeconds("a"), limit.waitSeconds("person 1")]).toEqual([60, null]);
});

test("each client's tries and windows are separate", () => {
  const { clock, limit } = limitOf(2);
  for (let person = 0; person < 1_000; person += 1) {
    clock.now = person * 10;
    limit.take(`person ${person}`);
  }
  const tries = Array.from({ length: 1_000 }, (_, person) => [
    limit.take(`person ${person}`),
    limit.take(`person ${person}`),
  ]);
  const whole = 60_000;
  expect(tries).toEqual(tries.map((_, person) => [null, Math.ceil((person * 10 + whole - clock.now) / 1_000)]));
});

test("names of any length are counted, by their first 200 characters", () => {
  const { limit } = limitOf(1);
  const [long, other] = ["n".repeat(10_000), `${"n".repeat(200)}m`];
  expect([limit.take(long), limit.take(long), limit.take(other), limit.take("n")]).toEqual([null, 60, 60, null]);
});

describe("an IPv6 sender", () => {
  const hex = (number: number) => number.toString(16);
  const takenOf = async (limit: RateLimit, senders: string[]) => {
    const waits: (number | null)[] = [];
    for (const sender of senders) waits.push(await limit.take(sender));
    return waits.filter((seconds) => seconds === null).length;
  };
  const twiceEach = (networks: number, nameOf: (index: number) => string) =>
    Array.from({ length: networks * 2 }, (_, index) => nameOf(index % networks));

  test("has its own limit, 4 times as much in its /56, and 16 times as much in its /48", async () => {
    const of64 = limitOf(2).limit;
    expect(
      await takenOf(
        of64,
        twiceEach(2, () => "2001:db8:1:2::/64"),
      ),
    ).toBe(2);
    const of56 = limitOf(2).limit;
    expect(
      await takenOf(
        of56,
        twiceEach(256, (index) => `2001:db8:1:${hex(0x300 + index)}::/64`),
      ),
    ).toBe(8);
    const of48 = limitOf(2).limit;
    expect(
      await takenOf(
        of48,
        twiceEach(1_000, (index) => `2001:db8:1:${hex(index * 64)}::/64`),
      ),
    ).toBe(32);
    expect(await of48.waitSeconds("2001:db8:1:ffff::/64")).toBe(60);
    expect([await of48.waitSeconds("2001:db8:2:0::/64"), await of48.take("2001:db8:2:0::/64")]).toEqual([null, null]);
  });

  test("counts together with what it is counted for", async () => {
    const { limit } = limitOf(1);
    const senders = (name: string) => twiceEach(100, (index) => `2001:db8:1:${hex(index * 256)}::/64 ${name}`);
    expect([await takenOf(limit, senders("ann")), await takenOf(limit, senders("bob"))]).toEqual([16, 16]);
  });

  test("that is refused counts nothing for its neighbours, and a try is given back for all networks", async () => {
    const { limit } = limitOf(1);
    expect(await takenOf(limit, Array<string>(50).fill("2001:db8:1:1::/64"))).toBe(1);
    expect(await takenOf(limit, ["2001:db8:1:2::/64", "2001:db8:1:3::/64", "2001:db8:1:4::/64"])).toBe(3);
    expect(await limit.take("2001:db8:1:5::/64")).toBe(60);
    await limit.giveBack("2001:db8:1:1::/64");
    expect(await limit.take("2001:db8:1:5::/64")).toBeNull();
  });
});

test("the list at the beginning of rate-limit.ts names every file that creates a limit, a pace or a share", () => {
  const root = join(import.meta.dir, "../..");
  const textOf = (path: string) => readFileSync(join(root, path), "utf8");
  const creates = /(?<!function )\bcreate(RateLimit|Pace|FairSemaphore)(\?\.)?\(/;
  const paths = [...new Bun.Glob("src/**/*.ts").scanSync({ cwd: root })];
  const creators = paths.filter((path) => !path.includes(".test.") && creates.test(textOf(path)));
  const unlisted = creators.filter((path) => !textOf("src/http/rate-limit.ts").includes(path));
  expect([creators.length > 9, unlisted]).toEqual([true, ["src/http/rate-limit.ts"]]);
});
