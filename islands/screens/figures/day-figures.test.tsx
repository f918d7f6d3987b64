import { afterEach, expect, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import type { DayFigures as Day } from "../../../src/reports/schema.ts";
import { ownFiguresQuery } from "../../api/calls/overview.ts";
import { restoreFetch, stubFetch } from "../../api/fetch-stub.ts";
import { queryClient } from "../../api/query.ts";
import { PanelState } from "../../shell/root/panel-state.tsx";
import DayFigures from "./day-figures.tsx";

afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

const day = (date: string, keys: number, refused: number): Day => ({
  day: date,
  keys: { "PUBG MOBILE": keys, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 1 },
  credits: { "PUBG MOBILE": 1.5, "LAST ISLAND OF SURVIVAL": 0, "FREE FIRE": 0 },
  verdicts: { VALID: 1_000, NOT_FOUND: refused, REVOKED: 0, EXPIRED: 1, DEVICE_LIMIT_REACHED: 0 },
  devices: 0,
});

test("each chart has a description and a table for screen readers", async () => {
  stubFetch({ "GET /api/reseller/figures": () => [day("2025-03-04", 2, 0), day("2025-03-05", 9, 4)] });
  render(
    <PanelState>
      <DayFigures of={ownFiguresQuery} />
    </PanelState>,
  );
  const charts = await screen.findAllByRole("img");
  expect(charts.map((chart) => chart.getAttribute("aria-label"))).toEqual([
    "Keys made, by day. 13 in all, most on Mar 05, 2025: 10",
    "Credits spent, by day. 3 in all, most on Mar 04, 2025: 1.5",
    "Keys accepted, by day. 2,000 in all, most on Mar 04, 2025: 1,000",
    "Keys refused, by day. 6 in all, most on Mar 05, 2025: 5",
  ]);
  const [made] = screen.getAllByRole("table", { hidden: true });
  const rows = within(made as HTMLElement).getAllByRole("row", { hidden: true });
  expect(rows.map(({ textContent }) => textContent)).toEqual(["DayKeys made", "Mar 05, 202510", "Mar 04, 20253"]);
});
