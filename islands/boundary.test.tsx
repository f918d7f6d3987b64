import { expect, spyOn, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { Boundary } from "./boundary.tsx";

function Broken(): never {
  throw new Error("broken");
}

test("an island that fails says so in its own place, and the one beside it lives", () => {
  const quiet = spyOn(console, "error").mockImplementation(() => {});
  render(
    <>
      <Boundary>
        <Broken />
      </Boundary>
      <Boundary>
        <p>alive</p>
      </Boundary>
    </>,
  );
  expect(screen.getByRole("alert").textContent).toContain("This part of the page stopped working.");
  expect(screen.getByText("alive")).toBeTruthy();
  quiet.mockRestore();
});
