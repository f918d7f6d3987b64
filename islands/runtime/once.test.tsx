import { expect, jest, mock, test } from "bun:test";
import { renderHook } from "@testing-library/react";
import { doublePressMs, PressedTwice, useOnce } from "./once.ts";

function press(work: () => Promise<unknown>) {
  const { result } = renderHook(() => useOnce(work));
  const { start, isHeld } = result.current;
  return { start: () => start().catch((error: unknown) => error), isHeld };
}

test("two presses in a row start the work once, even before the next render", async () => {
  const done = Promise.withResolvers<string>();
  const work = mock(() => done.promise);
  const { start, isHeld } = press(work);
  const [first, second] = [start(), start()];
  expect(isHeld()).toBeTrue();
  done.resolve("granted");
  expect(await first).toBe("granted");
  expect(await second).toBeInstanceOf(PressedTwice);
  expect(work).toHaveBeenCalledTimes(1);
});

test("a press right after the work counts as the second one of a double click, and a later one does not", async () => {
  let nowMs = 1_000;
  const clock = jest.spyOn(performance, "now").mockImplementation(() => nowMs);
  const { start, isHeld } = press(async () => "granted");
  await start();
  nowMs += doublePressMs - 1;
  expect(isHeld()).toBeTrue();
  nowMs += 1;
  expect(isHeld()).toBeFalse();
  clock.mockRestore();
});

test("failed work can be tried again at once", async () => {
  const work = mock(() => Promise.reject(new Error("The disk is full.")));
  const { start } = press(work);
  await start();
  await start();
  expect(work).toHaveBeenCalledTimes(2);
});
