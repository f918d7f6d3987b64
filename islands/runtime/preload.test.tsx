import { expect, mock, test } from "bun:test";
import { renderHook } from "@testing-library/react";
import { usePreload } from "./preload.ts";

function preloading() {
  const load = mock(async () => {});
  renderHook(() => usePreload(load));
  return load;
}

test("a pointer at rest is no sign of a user, and one that moves is, once", () => {
  const load = preloading();
  window.dispatchEvent(new PointerEvent("pointermove", { movementX: 0, movementY: 0 }));
  expect(load).not.toHaveBeenCalled();
  for (const movement of [{ movementX: 1 }, { movementY: -1 }])
    window.dispatchEvent(new PointerEvent("pointermove", movement));
  expect(load).toHaveBeenCalledTimes(1);
});

test.each(["pointerdown", "keydown", "focusin", "scroll"])("%s is a sign of a user", (sign) => {
  const load = preloading();
  window.dispatchEvent(new Event(sign));
  expect(load).toHaveBeenCalledTimes(1);
});
