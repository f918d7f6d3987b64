import { afterEach, beforeEach, expect, test } from "bun:test";
import { fireEvent, render, screen, within } from "@testing-library/react";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { type Responses, restoreFetch, stubFetch } from "../../api/fetch-stub.ts";
import { queryClient } from "../../api/query.ts";
import { PanelState } from "../../shell/root/panel-state.tsx";
import { scaleTop } from "./day-charts.tsx";
import DayFigures from "./day-figures.tsx";

beforeEach(() => window.history.replaceState(null, "", "/"));
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

const none = { MAINTENANCE: 0, UPDATE_REQUIRED: 0, PAUSED: 0, DEVICE_BLOCKED: 0 };
const day = (date: string, keys: number, refused: number): Day => ({
  day: date,
  keys: { "PUBG MOBILE": keys, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 1 },
  credits: { "PUBG MOBILE": 1.5, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 0 },
  verdicts: { VALID: 1_000, NOT_FOUND: refused, REVOKED: 0, EXPIRED: 1, DEVICE_LIMIT_REACHED: 0, ...none },
  devices: 0,
});
const twoDays = () => [day("2025-03-04", 2, 0), day("2025-03-05", 9, 4)];

function show(area: "admin" | "reseller", responses: Responses) {
  const server = stubFetch(responses);
  render(
    <PanelState>
      <DayFigures area={area} />
    </PanelState>,
  );
  return server;
}

const sellers = { "GET /api/admin/figures/resellers": () => [{ id: 7, username: "night.owl", keys: 3, credits: 4.5 }] };
const legend = (figure: number) =>
  within(screen.getAllByRole("figure")[figure] as HTMLElement)
    .getAllByRole("listitem")
    .map(({ textContent }) => textContent);
const values = () => screen.getAllByRole("slider").map((chart) => chart.getAttribute("aria-valuetext"));

test("two charts with a scale: a pointer, a finger or an arrow key shows the values of a day", async () => {
  show("admin", { "GET /api/admin/figures": twoDays, ...sellers });
  const charts = await screen.findAllByRole("slider");
  expect(charts.map((chart) => chart.getAttribute("aria-label"))).toEqual([
    "Keys made, by day. 13 in total, most on Mar 05, 2025: 10",
    "Verifications, by day. 2,006 in total, most on Mar 05, 2025: 1,005",
  ]);
  expect(screen.getAllByRole("figure").map((figure) => figure.textContent)).toEqual([
    expect.stringContaining("131050Mar 04, 2025Mar 05, 2025"),
    expect.stringContaining("2,0062,0001,0000Mar 04, 2025Mar 05, 2025"),
  ]);
  expect(legend(0)).toEqual(["PUBG MOBILE11", "FREE FIRE2"]);
  const [made] = charts as [HTMLElement];
  made.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect;
  fireEvent.pointerDown(made, { clientX: 290, pointerType: "touch" });
  expect(values()[0]).toBe("Mar 05, 2025: 10, PUBG MOBILE 9, FREE FIRE 1");
  expect(values()[1]).toStartWith("2,006 in total");
  expect(legend(1)).toEqual([
    "Accepted2,000",
    "Expired2",
    "Revoked0",
    "Paused0",
    "Device limit or blocked0",
    "Maintenance or old version0",
    "Unknown key4",
  ]);
  fireEvent.keyDown(made, { key: "ArrowLeft" });
  expect(values()[0]).toBe("Mar 04, 2025: 3, PUBG MOBILE 2, FREE FIRE 1");
  // A finger that lifts leaves the values; a press elsewhere, which takes the focus, shows the sums again.
  fireEvent.pointerLeave(made, { pointerType: "touch" });
  expect(values()[0]).toStartWith("Mar 04");
  fireEvent.blur(made);
  expect(values()[0]).toStartWith("13 in total");
});

test("sales can be shown in credits, which the address keeps, and the best resellers are bars that link", async () => {
  const { calls } = show("admin", { "GET /api/admin/figures": twoDays, ...sellers });
  fireEvent.click(await screen.findByRole("button", { name: "Credits" }));
  const label = "Credits spent, by day. 3 in total, most on Mar 04, 2025: 1.5";
  expect(screen.getAllByRole("slider")[0]?.getAttribute("aria-label")).toBe(label);
  expect(window.location.search).toBe("?sales=credits");
  const link = within(await screen.findByRole("region", { name: "Top Resellers" })).getByRole("link");
  expect([link.getAttribute("href"), link.textContent]).toEqual([
    "/admin/resellers/7",
    "night.owl4.5 credits · 3 keys",
  ]);
  expect(calls()).toContain("GET /api/admin/figures/resellers?days=30");
});

test.each([
  [0, 2],
  [1, 2],
  [7, 8],
  [10, 10],
  [11, 20],
  [61, 80],
  [99_000, 100_000],
])("the scale of %p ends at %p", (most, top) => expect(scaleTop(most)).toBe(top));

test("one button shows all of it as one table; unknown keys are no reseller's", async () => {
  show("reseller", { "GET /api/reseller/figures": twoDays });
  fireEvent.click(await screen.findByRole("button", { name: "Show as table" }));
  const rows = within(await screen.findByRole("table")).getAllByRole("row");
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(" | "))).toEqual([
    "Day | Keys made | Keys made: PUBG MOBILE | Keys made: FREE FIRE | Credits spent | Credits spent: PUBG MOBILE | Credits spent: FREE FIRE | Verifications | Verifications: Accepted | Verifications: Expired | Verifications: Revoked | Verifications: Paused | Verifications: Device limit or blocked | Verifications: Maintenance or old version",
    "Total | 13 | 11 | 2 | 3 | 3 | 0 | 2,002 | 2,000 | 2 | 0 | 0 | 0 | 0",
    "Mar 05, 2025 | 10 | 9 | 1 | 1.5 | 1.5 | 0 | 1,001 | 1,000 | 1 | 0 | 0 | 0 | 0",
    "Mar 04, 2025 | 3 | 2 | 1 | 1.5 | 1.5 | 0 | 1,001 | 1,000 | 1 | 0 | 0 | 0 | 0",
  ]);
  expect([screen.queryByRole("slider"), window.location.search]).toEqual([null, "?figures=table"]);
});

test("the range is in the address; days without anything are one sentence", async () => {
  const empty = {
    ...day("2025-03-05", 0, 0),
    credits: { "PUBG MOBILE": 0, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 0 },
    verdicts: { VALID: 0, NOT_FOUND: 0, REVOKED: 0, EXPIRED: 0, DEVICE_LIMIT_REACHED: 0, ...none },
  };
  const { calls } = show("admin", {
    "GET /api/admin/figures": ({ query }) =>
      query.get("days") === "90" ? Array<Day>(90).fill({ ...empty, keys: empty.credits }) : twoDays(),
    ...sellers,
  });
  await screen.findAllByRole("slider");
  fireEvent.click(screen.getByRole("tab", { name: "90 days" }));
  expect(await screen.findByText("Nothing in the last 90 days.")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "The last 90 days" })).toBeTruthy();
  expect(calls().filter((call) => !call.includes("resellers"))).toEqual([
    "GET /api/admin/figures?days=30",
    "GET /api/admin/figures?days=90",
  ]);
  expect(window.location.search).toBe("?days=90");
});
