import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { dateText } from "../format.ts";
import { Time } from "./time.tsx";

const lateEvening = "2025-03-05T23:30:00.000Z";

test("the server renders the date in UTC, the browser in the reader's zone", () => {
  expect(renderToString(<Time value={lateEvening} />)).toContain(">03/05/2025</time>");
  render(<Time value={lateEvening} />);
  expect(screen.getByText(dateText(lateEvening)).getAttribute("datetime")).toBe(lateEvening);
});

test("no date is N/A", () => {
  render(<Time value={null} />);
  expect(screen.getByText("N/A")).toBeTruthy();
});
