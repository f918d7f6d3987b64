import { expect } from "bun:test";
import { waitFor } from "@testing-library/react";

/*
 * Both compare booleans: an assertion about an element formats the whole document when it fails, for seconds to
 * minutes, and `waitFor` may fail many times before it succeeds.
 */

/** Waits until the element has the focus, which an effect often sets. */
export function expectFocus(element: Element | null | undefined): Promise<void> {
  return waitFor(() => expect(document.activeElement === element).toBeTrue());
}

/** Waits until the query finds no element. */
export function expectGone(query: () => Element | null): Promise<void> {
  return waitFor(() => expect(query() === null).toBeTrue());
}
