import { expect } from "bun:test";
import { waitFor } from "@testing-library/react";

/**
 * Waits until the element has the focus, which an effect often sets. Compares as a boolean: `toBe` with an element formats the whole
 * document when it fails, which takes minutes.
 */
export function expectFocus(element: Element | null | undefined): Promise<void> {
  return waitFor(() => expect(document.activeElement === element).toBeTrue());
}
