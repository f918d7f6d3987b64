import { useRef } from "react";

/** The second press of a double click, or of a key pressed twice by mistake, comes within this time. */
export const doublePressMs = 500;

/** Thrown for a second press. Nothing happened, so it is not reported and closes nothing. */
export class PressedTwice extends Error {
  override readonly name = "PressedTwice";
}

/**
 * Runs the work once at a time. React shows a button as busy only with its next render, and two presses in a row would
 * grant credits twice. Returns how to start it, and whether a press may still be the second one of a double click: a
 * fast server has responded before that comes.
 */
export function useOnce<Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) {
  const running = useRef(false);
  const doneMs = useRef(Number.NEGATIVE_INFINITY);
  const start = async (...given: Given): Promise<Result> => {
    if (running.current) throw new PressedTwice();
    running.current = true;
    try {
      const result = await work(...given);
      doneMs.current = performance.now();
      return result;
    } finally {
      running.current = false;
    }
  };
  const isHeld = () => running.current || performance.now() < doneMs.current + doublePressMs;
  return { start, isHeld };
}
