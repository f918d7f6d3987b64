import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { noteNeighbours } from "./focus.ts";

const search = <input type="search" aria-label="Search" />;

test("a button removed from a dialog leaves the focus in that dialog, and not behind it", () => {
  const { rerender } = render(
    <>
      {search}
      <div role="dialog">
        <button type="button">Close</button>
        <button type="button">Revoke Key</button>
      </div>
    </>,
  );
  const next = noteNeighbours(screen.getByText("Revoke Key"));
  rerender(
    <>
      {search}
      <div role="dialog">
        <button type="button">Close</button>
      </div>
    </>,
  );
  expect(next()?.textContent).toBe("Close");
  rerender(search);
  expect(next()?.getAttribute("aria-label")).toBe("Search");
});
