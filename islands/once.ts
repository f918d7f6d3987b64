import { useRef } from "react";

/** The second press of a double click, or of a key that was meant once, comes within this time. */
export const doublePressMs = 500;

/** Told to whoever asked a second time. Nothing happened, so nothing is said of it and nothing is closed. */
export class PressedTwice extends Error {
  override readonly name = "PressedTwice";
}

/**
 * Runs the work once at a time, and not again right after it succeeded. A busy button is shown by React's next render only, and a
 * quick server has answered before the second press of a double click: either would grant credits twice. After a failure one may try
 * again at once. Answers how to start it, and whether it would be refused now.
 */
export function useOnce<Given extends unknown[], Answer>(work: (...given: Given) => Promise<Answer>) {
  const heldUntilMs = useRef(0);
  const isHeld = () => performance.now() < heldUntilMs.current;
  const start = async (...given: Given): Promise<Answer> => {
    if (isHeld()) throw new PressedTwice();
    heldUntilMs.current = Number.POSITIVE_INFINITY;
    try {
      const answer = await work(...given);
      heldUntilMs.current = performance.now() + doublePressMs;
      return answer;
    } catch (error) {
      heldUntilMs.current = 0;
      throw error;
    }
  };
  return { start, isHeld };
}
