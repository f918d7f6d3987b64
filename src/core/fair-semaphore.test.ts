import { afterEach, expect, jest, test } from "bun:test";
import { createFairSemaphore, type Requester } from "./fair-semaphore.ts";

afterEach(() => void jest.useRealTimers());

const reseller = (id: number): Requester => ({ id, role: "reseller" });
const admin = (id: number): Requester => ({ id, role: "admin" });

/** A task that records its name when it starts, and ends when the test calls `end`. */
function taskIn(semaphore: ReturnType<typeof createFairSemaphore>, started: string[]) {
  return (name: string, by: Requester) => {
    const task = semaphore.enter(by).then(
      (leave) => {
        started.push(name);
        return leave;
      },
      ({ code }) => code as string,
    );
    return { end: async () => ((await task) as () => void)(), code: () => task };
  };
}

/** Runs everything that needs no timer. */
const settle = () => new Promise(setImmediate);

test("accounts take turns, however much one of them has requested", async () => {
  const started: string[] = [];
  const enter = taskIn(createFairSemaphore({ atOnceMax: 1, waitingMax: 100 }), started);
  const heavy = ["a1", "a2", "a3", "a4"].map((name) => enter(name, reseller(1)));
  const light = [enter("b1", reseller(2)), enter("c1", reseller(3)), enter("b2", reseller(2))];
  for (const task of [heavy[0], light[0], light[1], heavy[1], light[2], heavy[2], heavy[3]]) await task?.end();
  await settle();
  expect(started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("one account runs a quarter of the tasks at once, and resellers three quarters", async () => {
  const started: string[] = [];
  const enter = taskIn(createFairSemaphore({ atOnceMax: 8, waitingMax: 100 }), started);
  for (const id of [1, 1, 1, 2, 3, 4, 5, 6]) enter(`reseller ${id}`, reseller(id));
  for (const id of [7, 7, 8]) enter(`admin ${id}`, admin(id));
  await settle();
  expect(started.sort()).toEqual([
    ...["admin 7", "admin 7", "reseller 1", "reseller 1", "reseller 2", "reseller 3", "reseller 4", "reseller 5"],
  ]);
});

test("the staff of one reseller has one share, beside the reseller's own", async () => {
  const started: string[] = [];
  const enter = taskIn(createFairSemaphore({ atOnceMax: 8, waitingMax: 100 }), started);
  for (const id of [11, 12, 13]) enter(`staff ${id}`, { ...reseller(id), owner: { id: 1 } });
  enter("owner", reseller(1));
  for (const id of [21, 22]) enter(`staff of the admins ${id}`, { ...admin(id), owner: null });
  await settle();
  expect(started.sort()).toEqual(["owner", "staff 11", "staff 12", "staff of the admins 21", "staff of the admins 22"]);
});

test.each([6, 8])("of %p places a reseller gets one beside four others that keep all they get", async (atOnceMax) => {
  const enter = taskIn(createFairSemaphore({ atOnceMax, waitingMax: 100 }), []);
  for (const id of [1, 2, 3, 4, 1, 2, 3, 4]) enter(`reseller ${id}`, reseller(id));
  await settle();
  expect(await enter("another", reseller(5)).code()).toBeFunction();
});

test("past a quarter of the waiting places an account is refused, and past three quarters every reseller", async () => {
  const enter = taskIn(createFairSemaphore({ atOnceMax: 1, waitingMax: 8 }), []);
  enter("running", admin(9));
  for (const id of [1, 1, 2, 2, 3, 3]) enter("waiting", reseller(id));
  expect(await enter("past its share", reseller(1)).code()).toBe("TOO_MANY_TRIES");
  expect(await enter("past the share of resellers", reseller(4)).code()).toBe("BUSY");
  enter("waiting", admin(5));
  enter("waiting", admin(6));
  expect(await enter("past all places", admin(7)).code()).toBe("BUSY");
});

test("nothing waits longer than 15 s, and the refusal says whether it was because of the account's own tasks", async () => {
  jest.useFakeTimers();
  const enter = taskIn(createFairSemaphore({ atOnceMax: 1, waitingMax: 100 }), []);
  const running = enter("running", reseller(1));
  const [own, other] = [enter("own", reseller(1)), enter("other", reseller(2))];
  jest.advanceTimersByTime(15_000);
  expect([await own.code(), await other.code()]).toEqual(["TOO_MANY_TRIES", "BUSY"]);
  await running.end();
  expect(jest.getTimerCount()).toBe(0);
});

test("once it is closed, all waiting and later tasks are refused", async () => {
  const semaphore = createFairSemaphore({ atOnceMax: 1, waitingMax: 100 });
  const enter = taskIn(semaphore, []);
  const running = enter("running", reseller(1));
  const waiting = enter("waiting", reseller(2));
  semaphore.close();
  expect([await waiting.code(), await enter("late", reseller(3)).code()]).toEqual(["BUSY", "BUSY"]);
  await running.end();
});
