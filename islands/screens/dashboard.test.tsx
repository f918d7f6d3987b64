import { afterEach, expect, test } from "bun:test";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { RunningPause } from "../../src/interventions/schema.ts";
import type { ResellerKey } from "../../src/keys/schema.ts";
import type { Webhook } from "../../src/webhooks/schema.ts";
import { noRefund, startedKey } from "../../tests/key-times.ts";
import { type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import Dashboard from "./dashboard.tsx";

afterEach(() => {
  restoreFetch();
  expiring = [];
  queryClient.clear();
});

const newest: ResellerKey = {
  id: 7,
  keyString: "PBGM-A1B2C-D3E4F-G5H6I",
  game: "PUBG MOBILE",
  status: "ACTIVE",
  createdAt: "2025-03-05T14:30:00.000Z",
  expiryDate: "2025-04-04T14:30:00.000Z",
  ...startedKey,
  deviceLimit: 1,
  devices: 0,
  orderId: null,
  note: null,
};

const profile = { username: "night.owl", credits: 12.5, registrationDate: "2025-03-05T14:30:00.000Z" };
const counted = (rows: ResellerKey[], count: number) =>
  Response.json(rows, { headers: { "x-match-count": String(count) } });

let expiring: ResellerKey[] = [];

function show(responses: Responses, expiringKeys = 0, pauses: RunningPause[] = []) {
  const { "GET /api/reseller/keys": keys, ...others } = responses;
  const server = stubFetch({
    "GET /api/reseller/profile": () => profile,
    "GET /api/reseller/figures": () => [],
    "GET /api/reseller/webhooks": () => [],
    "GET /api/reseller/pauses": () => [],
    "GET /api/reseller/keys": (asked) =>
      asked.query.get("sort") === "expiry" ? counted(expiring, 0) : (keys?.(asked) ?? counted([], 0)),
    ...others,
  });
  render(
    <PanelState>
      <Dashboard username="night.owl" expiringKeys={expiringKeys} pauses={pauses} sharedKeys={0} />
    </PanelState>,
  );
  return server;
}

const figure = (label: string) => screen.getByText(label).closest("div")?.querySelector("dd > span")?.textContent;

test("the cards count without loading the keys: expired are all that are neither active nor paused", async () => {
  const counts: Record<string, number> = { ACTIVE: 73, PAUSED: 25 };
  const { calls } = show({
    "GET /api/reseller/keys": ({ query }) => counted([newest], counts[query.get("status") ?? ""] ?? 1_098),
  });
  await waitFor(() => expect(figure("Expired Keys")).toBe("1,000"));
  expect([figure("Credits"), figure("Active Keys"), figure("Member Since")]).toEqual(["12.5", "73", "03/05/2025"]);
  expect(calls().filter((call) => /keys/.test(call) && !/limit=[15]\b/.test(call))).toEqual([]);
});

test("the newest keys lead to their details", async () => {
  show({ "GET /api/reseller/keys": () => counted([newest], 1) });
  const link = await screen.findByRole("link", { name: /PBGM-A1B2C-D3E4F-G5H6I/ });
  expect(link.getAttribute("href")).toBe("/reseller/keys/7");
  expect(link.textContent).toContain("ACTIVECreated 03/05/2025Expires 04/04/2025");
});

test("without keys the page says 'No Keys Generated Yet', with counts of 0", async () => {
  show({ "GET /api/reseller/keys": () => counted([], 0) });
  expect(await screen.findByText("No Keys Generated Yet")).toBeTruthy();
  await waitFor(() => expect([figure("Active Keys"), figure("Expired Keys")]).toEqual(["0", "0"]));
});

test("the sales report is a disabled action, marked Coming Soon", async () => {
  show({ "GET /api/reseller/keys": () => counted([], 0) });
  const report = await screen.findByRole<HTMLButtonElement>("button", { name: /View Sales Report/ });
  expect([report.disabled, report.textContent]).toEqual([true, "View Sales ReportComing Soon"]);
});

test("a profile that cannot be loaded leaves the keys: Member Since is N/A, and Retry loads it again", async () => {
  const { responses } = show({
    "GET /api/reseller/profile": () => new Response("", { status: 500 }),
    "GET /api/reseller/keys": () => counted([newest], 1),
  });
  await screen.findByText("Some figures could not be loaded.");
  expect([figure("Member Since"), figure("Credits")]).toEqual(["N/A", "–"]);
  expect(await screen.findByText("PBGM-A1B2C-D3E4F-G5H6I")).toBeTruthy();
  responses["GET /api/reseller/profile"] = () => profile;
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await waitFor(() => expect(figure("Credits")).toBe("12.5"));
  expect(screen.queryByText("Some figures could not be loaded.") === null).toBeTrue();
});

test("keys that expire within three days are above the quick actions and extended together; later ones are not", async () => {
  keepSeededCatalogue();
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  expiring = [
    { ...newest, id: 8, keyString: "SOON-1", note: "For Mia", expiryDate: inDays(1) },
    { ...newest, id: 9, keyString: "SOON-2", expiryDate: inDays(2) },
    { ...newest, id: 10, keyString: "LATER-1", expiryDate: inDays(4) },
  ];
  const counts = { mark: "m", newestId: 10, selected: 2, unused: 2, connected: 0, expired: 0, revoked: 0 };
  const { received } = show(
    {
      "GET /api/reseller/keys": () => counted([newest], 1),
      "POST /api/reseller/keys/selected": () => ({
        ...{ ...counts, toRevoke: 2, toNote: 0, toExtend: 2, cost: 6, expiry: null, ...noRefund },
      }),
      "POST /api/reseller/keys/selected/extend": () => {
        expiring = [];
        return { message: "", extendedCount: 2, cost: 6, credits: 6.5 };
      },
    },
    2,
  );
  const link = await screen.findByRole("link", { name: /^SOON-1/ });
  expect(link.getAttribute("href")).toBe("/reseller/keys/8");
  expect(link.textContent).toEndWith("1 day left");
  const headings = screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);
  expect(headings.slice(0, 2)).toEqual(["Expiring in 3 days", "Quick Actions"]);
  expect(screen.queryByText("LATER-1") === null).toBeTrue();
  await userEvent.click(screen.getByRole("button", { name: "Extend all" }));
  await userEvent.click(await screen.findByRole("button", { name: "Extend 2 keys for 6 credits" }));
  await waitFor(() => expect(screen.queryByText("Expiring in 3 days") === null).toBeTrue());
  expect(received.find(({ call }) => call.endsWith("/extend"))?.body).toMatchObject({ ids: [8, 9], count: 2, cost: 6 });
});

test("a webhook that was switched off is named, with the way to it", async () => {
  const at = "2025-03-05T14:30:00.000Z";
  const webhook: Webhook = {
    ...{ id: 1, kind: "standard", url: "https://example.com", chatId: null, events: [], creditsBelow: null },
    ...{ isActive: false, switchedOff: { at, reason: "FAILED" }, createdAt: at },
  };
  show({ "GET /api/reseller/webhooks": () => [webhook, { ...webhook, id: 2, switchedOff: null }] });
  expect(await screen.findByText("A webhook was switched off")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Webhooks" }).getAttribute("href")).toBe("/reseller/webhooks");
});

test("keys that an admin paused are a line with what the admin says, and without a way to end it", async () => {
  const pause = {
    interventionId: 3,
    game: "FREE FIRE",
    at: newest.createdAt,
    keys: 64,
    resellerNote: "Back at 18:00.",
  };
  show({ "GET /api/reseller/pauses": () => [pause] });
  const list = await screen.findByRole("list", { name: "Pauses" });
  expect(list.textContent).toMatch(/^64 FREE FIRE keys paused since Mar 05, \d\d:\d\d\.Back at 18:00\.$/);
  expect(screen.queryByRole("button", { name: /^Resume/ })).toBeNull();
});

test("the pauses that the server knew are shown until the response has come, and hide nothing", async () => {
  const pause = { interventionId: 3, game: "FREE FIRE", at: newest.createdAt, keys: 64, resellerNote: null };
  let respond = (_pauses: RunningPause[]) => {};
  const later = new Promise<RunningPause[]>((resolve) => {
    respond = resolve;
  });
  show({ "GET /api/reseller/pauses": () => later as never }, 0, [pause]);
  expect(screen.getByRole("list", { name: "Pauses" }).textContent).toMatch(/^64 FREE FIRE keys paused since /);
  expect(screen.getByRole("heading", { name: "Quick Actions" })).toBeTruthy();
  respond([]);
  await waitFor(() => expect(screen.queryByRole("list", { name: "Pauses" }) === null).toBeTrue());
});
