import { expect, mock, spyOn, test } from "bun:test";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { expectFocus } from "../../../tests/expect-element.ts";
import type { DataColumn } from "./column.ts";
import { DataTable, type DataTableProps, plainRowsMax } from "./data-table.tsx";

interface Key {
  id: number;
  keyString: string;
}

const columns: DataColumn<Key>[] = [
  { id: "key", header: "License Key", sortable: true, cell: (key) => key.keyString },
  { id: "created", header: "Created", sortable: true, descendingFirst: true, cell: () => "03/05/2025" },
  { id: "actions", header: "Actions", card: "actions", cell: () => <button type="button">Revoke</button> },
];
const keys = (count: number): Key[] => Array.from({ length: count }, (_, id) => ({ id, keyString: `KEY-${id}` }));
const noKeys: Key[] = [];

function renderList(props: Partial<DataTableProps<Key>>) {
  const list = { label: "Keys", columns, rows: noKeys, state: "ready", ...props } as const;
  return render(
    <DataTable {...list} empty={{ title: "No keys found for this reseller" }} noMatch={{ title: "No keys match" }} />,
  );
}

test("a loading list shows its headings and skeleton rows, and is marked busy", () => {
  renderList({ state: "loading", skeletonRows: 3 });
  expect(screen.getByRole("table", { name: "Keys" }).getAttribute("aria-busy")).toBe("true");
  expect(screen.getAllByRole("row")).toHaveLength(4);
});

test("an error, an empty list and no match have different messages", () => {
  const retry = mock();
  const error = renderList({ state: "error", errorMessage: "HTTP error! status: 500", onRetry: retry });
  expect(screen.getByRole("alert").textContent).toContain("HTTP error! status: 500");
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(retry).toHaveBeenCalledTimes(1);
  error.unmount();
  const empty = renderList({});
  expect(screen.getByRole("status").textContent).toBe("No keys found for this reseller");
  empty.unmount();
  renderList({ narrowed: true });
  expect(screen.getByRole("status").textContent).toBe("No keys match");
});

test("a list that cannot be refreshed keeps its rows", () => {
  renderList({ rows: keys(2), state: "error" });
  expect(screen.getByText("KEY-1")).toBeTruthy();
  expect(screen.queryByRole("alert") === null).toBeTrue();
});

test("rows are dimmed once others have been loading for a while, and not before", async () => {
  const list = {
    label: "Keys",
    columns,
    rows: keys(2),

    state: "ready",
    empty: { title: "" },
  } as const;
  const { rerender } = render(<DataTable {...list} refreshing />);
  const body = () => screen.getAllByRole("rowgroup")[1] as HTMLElement;
  expect(body().className).not.toContain("opacity-60");
  await waitFor(() => expect(body().className).toContain("opacity-60"));
  rerender(<DataTable {...list} />);
  expect(body().className).not.toContain("opacity-60");
});

test("a heading asks the server for another order and shows the current one", () => {
  const sort = mock();
  renderList({ rows: keys(2), sort: { id: "key", descending: false }, onSortChange: sort });
  expect(screen.getByRole("columnheader", { name: "License Key" }).getAttribute("aria-sort")).toBe("ascending");
  expect(screen.getByRole("columnheader", { name: "Actions" }).getAttribute("aria-sort")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "License Key" }));
  fireEvent.click(screen.getByRole("button", { name: "Created" }));
  expect(sort.mock.calls).toEqual([[{ id: "key", descending: true }], [{ id: "created", descending: true }]]);
});

test("the rows stay in the order in which the server sent them", () => {
  renderList({ rows: [...keys(3)].reverse(), sort: { id: "key", descending: false } });
  const cells = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => within(row).getAllByRole("cell")[0]?.textContent);
  expect(cells).toEqual(["KEY-2", "KEY-1", "KEY-0"]);
});

test("a card names each value, but neither its title nor its actions", () => {
  renderList({ rows: keys(1) });
  const cells = within(screen.getAllByRole("row")[1] as HTMLElement).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent)).toEqual(["KEY-0", "Created03/05/2025", "Revoke"]);
});

test("more rows are loaded by a button too, for those who do not scroll", () => {
  const more = mock();
  renderList({ rows: keys(3), hasMore: true, onReachEnd: more });
  fireEvent.click(screen.getByRole("button", { name: "Load more" }));
  expect(more).toHaveBeenCalledTimes(1);
});

test("a failed page is reported below the rows, and loaded again by a press", () => {
  const more = mock();
  renderList({ rows: keys(3), moreFailed: true, onReachEnd: more });
  expect(screen.getByRole("alert").textContent).toBe("Could not load more.");
  expect(screen.getByText("KEY-2")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(more).toHaveBeenCalledTimes(1);
});

test("a long list keeps only the rows near the window in the page, and says how many there are", async () => {
  // happy-dom lays nothing out, and rows without a height would all be near the window.
  const heightOf = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "offsetHeight") as PropertyDescriptor;
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, value: 52 });
  const rowCount = () => screen.getByRole("table").getAttribute("aria-rowcount");
  const list = renderList({ rows: keys(plainRowsMax + 1_000) });
  await waitFor(() => expect(document.querySelector("[aria-rowindex]")).not.toBeNull());
  expect(screen.getAllByRole("row").length).toBeLessThan(plainRowsMax);
  expect(rowCount()).toBe(String(plainRowsMax + 1_001));
  list.unmount();
  const growing = renderList({ rows: keys(plainRowsMax + 1_000), hasMore: true });
  expect(rowCount()).toBe("-1");
  growing.unmount();
  renderList({ rows: keys(plainRowsMax) });
  expect(rowCount()).toBeNull();
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", heightOf);
});

test("when the focused row leaves the list, the focus goes to the next one, else to the one before, else to the search", async () => {
  const list = { label: "Keys", columns, state: "ready", empty: { title: "None" } } as const;
  const [first, second, third] = keys(3) as [Key, Key, Key];
  const page = (rows: Key[]) => (
    <>
      <input type="search" />
      <DataTable {...list} rows={rows} />
    </>
  );
  const { rerender } = render(page([first, second, third]));
  const focusedRow = () => document.activeElement?.closest("tr")?.cells[0]?.textContent;
  screen.getAllByRole("button", { name: "Revoke" })[1]?.focus();
  rerender(page([first, third]));
  expect(focusedRow()).toBe("KEY-2");
  rerender(page([first]));
  expect(focusedRow()).toBe("KEY-0");
  rerender(page([]));
  await expectFocus(screen.getByRole("searchbox"));
});

test("a changed row is highlighted once; one refetched unchanged is not, nor any with reduced motion", () => {
  const list = { label: "Keys", columns, state: "ready", empty: { title: "None" } } as const;
  const [first, second] = keys(2) as [Key, Key];
  const washed = mock();
  Element.prototype.animate = washed as never;
  const { rerender } = render(<DataTable {...list} rows={[first, second]} />);
  rerender(<DataTable {...list} rows={[{ ...first }, { ...second, keyString: "KEY-2" }]} />);
  rerender(<DataTable {...list} rows={[{ ...first }, { ...second, keyString: "KEY-2" }]} />);
  expect(washed.mock.contexts.map((row) => (row as HTMLElement).textContent)).toEqual(["KEY-2Created03/05/2025Revoke"]);
  const quiet = spyOn(window, "matchMedia").mockReturnValue({ matches: true } as MediaQueryList);
  rerender(<DataTable {...list} rows={[{ ...first, keyString: "KEY-3" }, second]} />);
  expect(washed).toHaveBeenCalledTimes(1);
  quiet.mockRestore();
  Reflect.deleteProperty(Element.prototype, "animate");
});
