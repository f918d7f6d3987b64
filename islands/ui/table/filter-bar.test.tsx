import { expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expectFocus } from "../../../tests/expect-focus.ts";
import { FilterBar } from "./filter-bar.tsx";

function Bar() {
  const [text, setText] = useState("owl");
  return (
    <FilterBar
      filters={[]}
      search={{ label: "Search keys", value: text, onSearch: setText }}
      narrowed={text !== ""}
      onClear={() => setText("")}
    />
  );
}

test("Clear Filters disappears once pressed, and leaves the focus in the search", async () => {
  render(<Bar />);
  await userEvent.click(screen.getByRole("button", { name: "Clear Filters" }));
  expect(screen.queryByRole("button", { name: "Clear Filters" }) === null).toBeTrue();
  await expectFocus(screen.getByLabelText("Search keys"));
});
