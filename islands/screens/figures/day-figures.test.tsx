import { afterEach, beforeEach, expect, test } from "bun:test";
import { fireEvent, render, screen, within } from "@testing-library/react";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { type Responses, restoreFetch, stubFetch } from "../../api/fetch-stub.ts";
import { queryClient } from "../../api/query.ts";
import { PanelState } from "../../shell/root/panel-state.tsx";
import DayFigures from "./day-figures.tsx";

beforeEach(() => window.history.replaceState(null, "", "/"));
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

const none = { MAINTENANCE: 0, UPDATE_REQUIRED: 0, PAUSED: 0 };
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

const captions = () => screen.getAllByRole("figure").map((figure) => figure.firstElementChild?.textContent);

test("each chart has a description, and a day that is pointed at shows its values in all of them", async () => {
  show("admin", { "GET /api/admin/figures": twoDays });
  const charts = await screen.findAllByRole("img");
  expect(charts.map((chart) => chart.getAttribute("aria-label"))).toEqual([
    "Keys made, by day. 13 in total, most on Mar 05, 2025: 10",
    "Credits spent, by day. 3 in total, most on Mar 04, 2025: 1.5",
    "Verifications accepted, by day. 2,000 in total, most on Mar 04, 2025: 1,000",
    "Verifications refused, by day. 6 in total, most on Mar 05, 2025: 5",
  ]);
  const [made] = charts as [HTMLElement];
  made.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect;
  fireEvent.pointerDown(made, { clientX: 290, pointerType: "touch" });
  expect(captions()).toEqual([
    "Keys madeMar 05: 10",
    "Credits spentMar 05: 1.5",
    "Verifications acceptedMar 05: 1,000",
    "Verifications refusedMar 05: 5",
  ]);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Expired1",
    "Revoked0",
    "Device limit0",
    "Maintenance or old version0",
    "Unknown key4",
  ]);
  // A finger that lifts leaves the values; a press elsewhere shows the sums again.
  fireEvent.pointerLeave(made, { pointerType: "touch" });
  expect(captions()[0]).toBe("Keys madeMar 05: 10");
  fireEvent.pointerDown(document.body);
  expect(captions()[0]).toBe("Keys made13");
});

test("one button shows all of it as one table; unknown keys are no reseller's", async () => {
  show("reseller", { "GET /api/reseller/figures": twoDays });
  fireEvent.click(await screen.findByRole("button", { name: "Show as table" }));
  const rows = within(await screen.findByRole("table")).getAllByRole("row");
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent).join(" | "))).toEqual([
    "Day | Keys made | Credits spent | Verifications accepted | Verifications refused | Expired | Revoked | Device limit | Maintenance or old version",
    "Total | 13 | 3 | 2,000 | 2 | 2 | 0 | 0 | 0",
    "Mar 05, 2025 | 10 | 1.5 | 1,000 | 1 | 1 | 0 | 0 | 0",
    "Mar 04, 2025 | 3 | 1.5 | 1,000 | 1 | 1 | 0 | 0 | 0",
  ]);
  expect([screen.queryByRole("img"), window.location.search]).toEqual([null, "?figures=table"]);
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
  });
  await screen.findAllByRole("img");
  fireEvent.click(screen.getByRole("tab", { name: "90 days" }));
  expect(await screen.findByText("Nothing in the last 90 days.")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "The last 90 days" })).toBeTruthy();
  expect(calls()).toEqual(["GET /api/admin/figures?days=30", "GET /api/admin/figures?days=90"]);
  expect(window.location.search).toBe("?days=90");
});
