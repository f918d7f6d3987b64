import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { dateText } from "../format.ts";
import { Ago, agoText, Instant, Time } from "./time.tsx";

const lateEvening = "2025-03-05T23:30:00.000Z";

test("the server renders the date in UTC, the browser in the reader's zone", () => {
  expect(renderToString(<Time value={lateEvening} />)).toContain(">03/05/2025</time>");
  render(<Time value={lateEvening} />);
  expect(screen.getByText(dateText(lateEvening)).getAttribute("datetime")).toBe(lateEvening);
});

test("how long ago is filled in by the browser, with the instant as its title", () => {
  const value = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
  expect(renderToString(<Ago value={value} />)).toBe("");
  render(<Ago value={value} format="dateAndTime" />);
  expect(screen.getByText("2 h ago").title).toBe(dateText(value, "instant"));
  render(<Ago value={lateEvening} format="dateAndTime" />);
  expect(screen.getByText(dateText(lateEvening, "dateAndTime"))).toBeTruthy();
});

test("a list of what happened has the date and how long ago, on a phone too", () => {
  const value = new Date(Date.now() - 2.5 * 3_600_000).toISOString();
  const { container } = render(<Instant ago value={value} />);
  const shown = [...container.querySelectorAll(":scope > :not(.max-md\\:hidden)")];
  expect(shown.map(({ textContent }) => textContent)).toEqual([dateText(value, "dateAndTime"), "2 h ago"]);
});

test.each([
  [-60, "just now"],
  [0.9, "just now"],
  [59.9, "59 min ago"],
  [60, "1 h ago"],
  [47 * 60, "1 d ago"],
  [31 * 1_440, "1 mo ago"],
  [364 * 1_440, "12 mo ago"],
  [800 * 1_440, "2 y ago"],
])("%p minutes are %s", (minutes, text) => expect(agoText(minutes * 60_000)).toBe(text));

test("no date is N/A", () => {
  render(<Time value={null} />);
  expect(screen.getByText("N/A")).toBeTruthy();
});
