import { afterEach, beforeEach, expect, jest, mock, test } from "bun:test";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { expectFocus } from "../../../tests/expect-element.ts";
import { SearchBox, searchDebounceMs } from "./search-box.tsx";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const box = () => screen.getByRole("searchbox", { name: "Search keys" }) as HTMLInputElement;
const type = (value: string) => fireEvent.change(box(), { target: { value } });

test("a search is sent once the typing has rested for 250 ms", () => {
  const search = mock();
  render(<SearchBox label="Search keys" value="" onSearch={search} />);
  type("P");
  jest.advanceTimersByTime(searchDebounceMs - 1);
  type("PB");
  jest.advanceTimersByTime(searchDebounceMs - 1);
  expect(search).not.toHaveBeenCalled();
  act(() => void jest.advanceTimersByTime(1));
  expect(search.mock.calls).toEqual([["PB"]]);
});

test("a value from outside replaces the typed text", () => {
  const search = mock();
  const view = render(<SearchBox label="Search keys" value="PB" onSearch={search} />);
  type("PBG");
  view.rerender(<SearchBox label="Search keys" value="" onSearch={search} />);
  act(() => void jest.advanceTimersByTime(searchDebounceMs));
  expect(box().value).toBe("");
  expect(search).not.toHaveBeenCalled();
});

test("no more can be typed than the server searches for", () => {
  render(<SearchBox label="Search keys" value="" onSearch={mock()} />);
  expect(box().maxLength).toBe(128);
});

test("a slash anywhere focuses the box, but not while typing elsewhere", async () => {
  render(
    <>
      <SearchBox label="Search keys" value="" onSearch={mock()} />
      <input aria-label="Custom key" />
    </>,
  );
  fireEvent.keyDown(screen.getByLabelText("Custom key"), { key: "/" });
  expect(document.activeElement === box()).toBeFalse();
  fireEvent.keyDown(document.body, { key: "/" });
  await expectFocus(box());
});

test("clearing is sent at once and keeps the focus", async () => {
  const search = mock();
  render(<SearchBox label="Search keys" value="PBGM" onSearch={search} />);
  fireEvent.click(screen.getByRole("button", { name: "Clear search" }));
  expect(search.mock.calls).toEqual([[""]]);
  await expectFocus(box());
});
