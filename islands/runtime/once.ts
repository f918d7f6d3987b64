import { useRef } from "react";

/** The second press of a double click, or of a key that was meant once, comes within this time. */
export const doublePressMs = 500;

/** Told to whoever asked a second time. Nothing happened, so nothing is said of it and nothing is closed. */
export class PressedTwice extends Error {
  override readonly name = "PressedTwice";
}

/**
 * Runs the work once at a time. A busy button is shown by React's next render only, and two presses without a gap would grant credits
 * twice. Answers how to start it, and whether a press may still be the second one of a double click: a quick server has answered
 * before that comes.
 */
export function useOnce<Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) {
  const running = useRef(false);
  const doneMs = useRef(Number.NEGATIVE_INFINITY);
  const start = async (...given: Given): Promise<Answer> => {
    if (running.current) throw new PressedTwice();
    running.current = true;
    try {
      const answer = await work(...given);
      doneMs.current = performance.now();
      return answer;
    } finally {
      running.current = false;
    }
  };
  const isHeld = () => running.current || performance.now() < doneMs.current + doublePressMs;
  return { start, isHeld };
}
