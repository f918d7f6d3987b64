import { expect, spyOn, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { useEffect } from "react";
import { Boundary } from "./boundary.tsx";

function Broken(): never {
  throw new Error("broken");
}

function Listening({ onListening }: { onListening: () => void }) {
  useEffect(onListening, [onListening]);
  return null;
}

test("an island that fails says so in its place, and the next one keeps working", () => {
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

test("an island is ready once its inner effects have run, so that no key press is lost", () => {
  const ran: string[] = [];
  render(
    <Boundary onReady={() => ran.push("ready")}>
      <Listening onListening={() => void ran.push("listening")} />
    </Boundary>,
  );
  expect(ran).toEqual(["listening", "ready"]);
});

test("a failed island does not keep others waiting", () => {
  const quiet = spyOn(console, "error").mockImplementation(() => {});
  const ready: string[] = [];
  render(
    <Boundary onReady={() => ready.push("ready")}>
      <Broken />
    </Boundary>,
  );
  expect(ready).toEqual(["ready"]);
  quiet.mockRestore();
});
