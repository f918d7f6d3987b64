import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expectFocus } from "../../../tests/expect-element.ts";
import { useUrlState } from "../../state/url-state.ts";
import { FilterBar } from "./filter-bar.tsx";

const defaults = { search: "" };

function Bar() {
  return <FilterBar {...useUrlState(defaults)} filters={[]} search={{ label: "Search keys" }} />;
}

test("Clear Filters disappears once pressed, and leaves the focus in the search", async () => {
  window.history.replaceState(null, "", "?search=owl");
  render(<Bar />);
  await userEvent.click(screen.getByRole("button", { name: "Clear Filters" }));
  expect(screen.queryByRole("button", { name: "Clear Filters" }) === null).toBeTrue();
  await expectFocus(screen.getByLabelText("Search keys"));
});
