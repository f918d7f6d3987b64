import { beforeEach, expect, test } from "bun:test";
import { act, renderHook } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { isNarrowed, searchWith, useUrlState, valuesIn } from "./url-state.ts";

const defaults = { search: "", status: "all", sort: "created" };

beforeEach(() => window.history.replaceState(null, "", "/admin/create-keys"));

test("the address holds values that differ from the defaults, and keeps unknown names", () => {
  expect(searchWith("?tab=manage", { search: "a b", status: "all" }, defaults)).toBe("?tab=manage&search=a+b");
  expect(searchWith("?search=x", { search: "" }, defaults)).toBe("");
  expect(valuesIn("?status=ACTIVE&evil=1", defaults)).toEqual({ search: "", status: "ACTIVE", sort: "created" });
});

test("an invalid choice in the address becomes the default, and filters nothing", () => {
  const choices = { status: ["all", "ACTIVE"], sort: ["created", "expiry"] };
  const values = valuesIn("?status=foo&sort=bad&search=foo", defaults, choices);
  expect(values).toEqual({ search: "foo", status: "all", sort: "created" });
  expect(valuesIn("?status=ACTIVE&sort=expiry", defaults, choices)).toMatchObject({ status: "ACTIVE", sort: "expiry" });
  expect(isNarrowed(valuesIn("?status=foo", defaults, choices), defaults)).toBe(false);
});

test("a text in the address is cut to the length that the server searches for", () => {
  expect(valuesIn(`?search=${"x".repeat(129)}`, defaults).search).toBe("x".repeat(128));
});

test("sorting a list is not a filter", () => {
  expect(isNarrowed({ ...defaults, sort: "expiry" }, defaults)).toBe(false);
  expect(isNarrowed({ ...defaults, search: "x" }, defaults)).toBe(true);
});

test("a change is in the address without a new step back, and every user of the state sees it", () => {
  const steps = window.history.length;
  const list = renderHook(() => useUrlState(defaults));
  const bar = renderHook(() => useUrlState(defaults));
  act(() => list.result.current.change({ status: "ACTIVE", sort: "expiry" }));
  expect(window.location.search).toBe("?status=ACTIVE&sort=expiry");
  expect(window.history.length).toBe(steps);
  expect(bar.result.current.values.status).toBe("ACTIVE");
  act(() => bar.result.current.clear());
  expect(list.result.current.values).toEqual({ ...defaults, sort: "expiry" });
  expect(list.result.current.narrowed).toBe(false);
});

test("going back restores the filters of that page", () => {
  const list = renderHook(() => useUrlState(defaults));
  window.history.replaceState(null, "", "?search=PBGM");
  act(() => void window.dispatchEvent(new PopStateEvent("popstate")));
  expect(list.result.current.values.search).toBe("PBGM");
});

test("the server renders the filters of the request", () => {
  expect(renderToString(<Filters />)).toBe("<p>LIOS</p>");
});

function Filters() {
  return <p>{useUrlState(defaults, "?search=LIOS").values.search}</p>;
}
