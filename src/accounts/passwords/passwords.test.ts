import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { lowestCost } from "../../../tests/panel.ts";
import { createPasswords, type Passwords, type Turn } from "./passwords.ts";

let passwords: Passwords;
/** The next random byte. */
let byte: number;
beforeEach(() => {
  byte = 0;
  passwords = createPasswords((bytes) => bytes.fill(byte));
});

const verdictOf = (turn: Turn) => passwords.matches("a password", null, turn).catch(({ code }) => code as string);
const crowdOf = (count: number, turn: Turn) => Array.from({ length: count }, () => verdictOf(turn));
const busyIn = (verdicts: (boolean | string)[]) => verdicts.filter((verdict) => verdict === "BUSY").length;

/** Their turns come by themselves, however long the hashes take on this machine. */
describe("with timers that do not run", () => {
  beforeEach(() => {
    jest.useFakeTimers();
    passwords = createPasswords((bytes) => bytes.fill(byte), lowestCost);
  });
  afterEach(() => void jest.useRealTimers());

  test("one password is hashed and 40 wait; further ones are refused", async () => {
    const verdicts = await Promise.all(crowdOf(45, { lane: "strangers", person: "198.51.100.1" }));
    expect(busyIn(verdicts)).toBe(4);
  });

  test("in a full queue, a client with many places gives up places to clients with fewer", async () => {
    const crowd = crowdOf(41, { lane: "strangers", person: "198.51.100.1" });
    const others = Array.from({ length: 3 }, (_, index) =>
      verdictOf({ lane: "strangers", person: `203.0.113.${index}` }),
    );
    const second = crowdOf(30, { lane: "strangers", person: "192.0.2.1" });
    expect(await Promise.all(others)).toEqual(["no", "no", "no"]);
    // Three of the 40 places belong to others, and the two crowds share the rest.
    expect([busyIn(await Promise.all(crowd)), busyIn(await Promise.all(second))]).toEqual([41 - 1 - 18, 30 - 19]);
  });

  test("in a full queue of clients with one place each, a random one gives it up to the next", async () => {
    const clientsOf = (from: number, count: number) =>
      Array.from({ length: count }, (_, index) => verdictOf({ lane: "strangers", person: `10.0.0.${from + index}` }));
    const first = clientsOf(0, 41);
    byte = 7;
    const next = clientsOf(41, 2);
    const verdicts = await Promise.all([...first, ...next]);
    // The first is being hashed. The eighth in the queue goes twice.
    expect(verdicts.flatMap((verdict, index) => (verdict === "BUSY" ? [index] : []))).toEqual([8, 9]);
  });

  test("a full queue does not affect the other queue", async () => {
    const strangers = crowdOf(60, { lane: "strangers", person: "198.51.100.1" });
    expect(await verdictOf({ lane: "known", person: "1" })).toBe("no");
    await Promise.all(strangers);
  });
});

test("a known person who has had a turn rests, so that one who came later goes first", async () => {
  const order: string[] = [];
  const turnsOf = (person: string, count: number) =>
    Array.from({ length: count }, () => verdictOf({ lane: "known", person }).then(() => order.push(person)));
  await Promise.all([...turnsOf("1", 3), ...turnsOf("2", 1)]);
  expect(order).toEqual(["1", "2", "1", "1"]);
});

test("a turn that has not come after 15 s is refused", async () => {
  jest.useFakeTimers();
  passwords.matches("a password", null, { lane: "known", person: "1", begin: () => new Promise(() => {}) });
  const waiting = ["1", "2"].map((person) => verdictOf({ lane: "known", person }));
  jest.advanceTimersByTime(15_000);
  jest.useRealTimers();
  expect(await Promise.all(waiting)).toEqual(["BUSY", "BUSY"]);
});

test("a password is hashed with argon2id, and only that password matches", async () => {
  const { hash, matches } = passwords;
  const turn = { lane: "known", person: "1" } as const;
  const hashed = await hash("a password", turn);
  expect(hashed).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  const fits = ["another", "a password", "a third"].map((password) => matches(password, hashed, turn));
  expect(await Promise.all(fits)).toEqual(["no", "yes", "no"]);
});
