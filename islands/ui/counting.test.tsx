import { expect, spyOn, test } from "bun:test";
import { act, render, screen } from "@testing-library/react";
import { useCounting } from "../shell/parts/credits.tsx";

function Figure({ figure }: { figure: number }) {
  return <output>{useCounting(figure)}</output>;
}

const shown = () => Number(screen.getByRole("status").textContent);

test("a figure counts to its new value in whole steps, and ends exactly there", () => {
  let frame: FrameRequestCallback = () => {};
  const frames = spyOn(window, "requestAnimationFrame").mockImplementation((next) => {
    frame = next;
    return 1;
  });
  const { rerender } = render(<Figure figure={131.5} />);
  expect(shown()).toBe(131.5);
  const begunAt = performance.now();
  rerender(<Figure figure={56.5} />);
  const seen = [0, 150, 300, 450, 2_000].map((ms) => {
    act(() => frame(begunAt + ms));
    return shown();
  });
  expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  expect(new Set(seen).size).toBeGreaterThan(3);
  expect(seen.every((figure) => figure % 1 === 0.5)).toBeTrue();
  expect(seen.at(-1)).toBe(56.5);
  frames.mockRestore();
});

test("it does not count with reduced motion", () => {
  const quiet = spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
  const { rerender } = render(<Figure figure={10} />);
  rerender(<Figure figure={1} />);
  expect(shown()).toBe(1);
  quiet.mockRestore();
});
