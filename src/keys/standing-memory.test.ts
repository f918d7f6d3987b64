import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFingerprint, factorsCount } from "../http/fingerprint.ts";
import type { StandingRow } from "./devices/device-store.ts";
import { games } from "./games.ts";
import { createStandingMemory } from "./standing-memory.ts";

const connected: StandingRow = {
  id: 7,
  game: "FREE FIRE",
  deviceLimit: 100,
  deviceCount: 100,
  expiresAt: Date.UTC(2090, 0, 1),
  revokedAt: null,
  resellerId: 2,
  isKnown: 1,
};
const newFingerprint = () => createFingerprint(crypto.getRandomValues(new Int32Array(factorsCount)));
const newMemory = () => createStandingMemory(newFingerprint());

test("a device is remembered with all that a verdict is made of, until its key is forgotten", () => {
  const memory = newMemory();
  memory.keep("key", "phone", connected);
  expect(memory.find("key", "phone")).toEqual(connected);
  memory.forgetKey(7);
  expect(memory.find("key", "phone")).toBeNull();
  memory.keep("key", "phone", { ...connected, deviceCount: 99 });
  expect(memory.find("key", "phone")?.deviceCount).toBe(99);
  memory.forgetAll();
  expect(memory.find("key", "phone")).toBeNull();
});

test("what is not connected or revoked is not remembered, nor what is longer than verification takes or has no room", () => {
  const memory = newMemory();
  memory.keep("key", "new", { ...connected, isKnown: 0 });
  memory.keep("key", "revoked", { ...connected, revokedAt: 1 });
  memory.keep("key", "x".repeat(400), connected);
  memory.keep("key", "beyond", { ...connected, id: 2 ** 31 });
  memory.keep("key", "of an owner beyond", { ...connected, resellerId: 2 ** 31 });
  memory.keep("key", "for ever", { ...connected, expiresAt: 2 ** 46 });
  memory.keep("key", "before all", { ...connected, expiresAt: -1 });
  for (const device of ["new", "revoked", "x".repeat(400), "beyond", "of an owner beyond", "for ever", "before all"]) {
    expect(memory.find("key", device)).toBeNull();
  }
});

test.each([
  ["a game that the entry has no number for", { game: "A FIFTH GAME" as StandingRow["game"] }],
  ["a device limit of more than 255", { deviceLimit: 300 }],
  ["more than 255 devices", { deviceCount: 300 }],
])("a key with %s is not remembered, instead of as another key", (_, figures) => {
  const memory = newMemory();
  memory.keep("key", "phone", { ...connected, ...figures });
  expect(memory.find("key", "phone")).toBeNull();
});

test("whatever the figures of a key are, they come back as they were kept", () => {
  const figures = fc.record({
    id: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    game: fc.constantFrom(...games),
    deviceLimit: fc.integer({ min: 1, max: 100 }),
    deviceCount: fc.integer({ min: 1, max: 100 }),
    expiresAt: fc.integer({ min: 0, max: 2 ** 46 - 1 }),
    resellerId: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  });
  const memory = newMemory();
  fc.assert(
    fc.property(figures, (given) => {
      memory.keep("key", "phone", { ...connected, ...given });
      expect(memory.find("key", "phone")).toEqual({ ...connected, ...given });
    }),
  );
});

test("a table that was made large enough keeps what it has", () => {
  const memory = newMemory();
  memory.makeRoom(10_000);
  const emptied = memory.timesEmptied();
  for (let id = 1; id <= 10_000; id += 1) memory.keep(`key-${id}`, "phone", { ...connected, id });
  memory.makeRoom(10_000);
  expect(memory.timesEmptied()).toBe(emptied);
  expect(memory.find("key-10000", "phone")?.id).toBe(10_000);
  memory.forgetAll();
  expect(memory.timesEmptied()).not.toBe(emptied);
});

test("key text and device id are told apart wherever the one ends", () => {
  const memory = newMemory();
  memory.keep("ab", "c", connected);
  for (const [key, device] of [
    ["a", "bc"],
    ["abc", ""],
    ["", "abc"],
    ["abc", "c"],
    ["AB", "c"],
    ["ab", "c "],
  ] as const) {
    expect(memory.find(key, device)).toBeNull();
  }
});

test("of 100,000 devices nearly all are remembered, and none is taken for another", () => {
  const memory = newMemory();
  const devices = Array.from({ length: 100_000 }, (_, index) => `device-${index}`);
  // Twice: while the table grows it is given up and filled anew.
  for (const device of [...devices.entries(), ...devices.entries()]) {
    memory.keep("key", device[1], { ...connected, id: device[0] + 1 });
  }
  const found = devices.map((device) => memory.find("key", device)?.id);
  expect(found.filter((id, index) => id === index + 1).length).toBeGreaterThan(90_000);
  expect(found.filter((id, index) => id !== undefined && id !== index + 1)).toEqual([]);
  expect(devices.filter((device) => memory.find("kez", device))).toEqual([]);
});

test("of as many devices as a table has room for hardly any is lost, and one that made room for another is forgotten with its key", () => {
  const memory = newMemory();
  memory.makeRoom(80_000);
  const ids = Array.from({ length: 104_000 }, (_, index) => index + 1);
  for (const id of ids) memory.keep(`key-${id}`, "phone", { ...connected, id });
  const isFound = (id: number) => memory.find(`key-${id}`, "phone")?.id === id;
  const found = ids.filter(isFound);
  expect(ids.length - found.length).toBeLessThan(200);

  for (const id of ids) if (id % 2 === 0) memory.forgetKey(id);
  expect(ids.filter(isFound)).toEqual(found.filter((id) => id % 2 === 1));
});

test("whatever is kept and forgotten in whatever order, what is found was kept since, also when the generations begin again", () => {
  const texts = fc.constantFrom("a", "b", "c");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("keep" as const), device: texts, id: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant("forget" as const), id: fc.integer({ min: 1, max: 4 }) }),
    fc.constant({ kind: "forget all" as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 2, max: 9 }), (steps, generationMax) => {
      const memory = createStandingMemory(newFingerprint(), generationMax);
      const kept = new Map<string, number>();
      for (const each of steps) {
        const emptied = memory.timesEmptied();
        if (each.kind === "keep") memory.keep("key", each.device, { ...connected, id: each.id });
        if (each.kind === "forget") memory.forgetKey(each.id);
        if (each.kind === "forget all") memory.forgetAll();
        if (memory.timesEmptied() !== emptied) kept.clear();
        if (each.kind === "keep") kept.set(each.device, each.id);
        if (each.kind === "forget") for (const [device, id] of kept) if (id === each.id) kept.delete(device);
        for (const device of ["a", "b", "c"]) {
          expect(memory.find("key", device)?.id).toBe(kept.get(device));
        }
      }
    }),
  );
});

test("a memory that is emptied again and again keeps its size, and has room for as many as before", () => {
  const memory = newMemory();
  memory.makeRoom(10_000);
  for (let round = 1; round <= 20; round += 1) {
    const emptied = memory.timesEmptied();
    for (let id = 1; id <= 10_000; id += 1) memory.keep(`key-${id}`, `phone-${round}`, { ...connected, id });
    expect(memory.timesEmptied()).toBe(emptied);
    expect(memory.find("key-1", `phone-${round}`)?.id).toBe(1);
    expect(memory.find("key-10000", `phone-${round}`)?.id).toBe(10_000);
    memory.forgetAll();
    expect(memory.find("key-10000", `phone-${round}`)).toBeNull();
  }
});
