import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Game } from "../../src/catalogue/schema.ts";
import type { Intervention, RunningPause } from "../../src/interventions/schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Interventions from "./interventions.tsx";

const list = "GET /api/admin/interventions";
const start = "POST /api/admin/interventions";
const finished: Intervention = {
  ...{ id: 1, kind: "compensate", scope: { all: true }, hours: 6, since: null, reason: "Outage of Friday" },
  ...{ by: "admin", at: "2025-03-05T12:00:00.000Z", count: 1_200, done: 1_200, state: "finished" },
};

const freeFire: Game = {
  ...{ id: 3, name: "FREE FIRE", prefix: "FIRE", aliases: [], isRetired: false, maintenance: null },
  ...{ minimumVersion: null, updateMessage: null, leaseHours: 24 },
  release: { isAllowed: true, cooldownHours: 24, perThirtyDays: 3, idleDays: null },
};

let rows: Intervention[];
let pauses: RunningPause[];
let server: FetchStub;
beforeEach(() => {
  keepSeededCatalogue();
  currentToast.value = null;
  rows = [];
  pauses = [];
  server = stubFetch({
    [list]: () => rows,
    "GET /api/admin/resellers/:id": () => ({ username: "night.owl" }) as never,
    "GET /api/admin/pauses": () => pauses,
    "GET /api/admin/games": () => [freeFire],
  });
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show() {
  render(
    <PanelState>
      <Interventions />
    </PanelState>,
  );
  return userEvent.setup();
}

const sent = () => server.received.filter(({ call }) => call.startsWith("POST")).map(({ body }) => body);
const says = (description: string) => waitFor(() => expect(currentToast.value?.description).toBe(description));
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole("cell")
    .map(({ textContent }) => textContent);

test("each intervention has its keys, how far it is and what can be undone, and is watched while it runs", async () => {
  rows = [
    { ...finished, id: 5, state: "running", done: 300 },
    { ...finished, id: 4, kind: "pause", hours: null, scope: { gameId: 3 } },
    { ...finished, id: 3, scope: { resellerId: 2 }, state: "undone", done: 0 },
    { ...finished, id: 2, scope: { orderId: 12 }, state: "undone", done: 1 },
  ];
  show();
  const table = await screen.findByRole("table", { name: "interventions" });
  await within(table).findByText("night.owl");
  const shown = within(table).getAllByRole("row").slice(1).map(cellsOf);
  expect(shown.map((cells) => cells.slice(0, 4))).toEqual([
    ["Compensation of 6 hoursOutage of Friday", "KeysAll keys ·", "Progress300 of 1,200 keys", "StateRunning"],
    ["PauseOutage of Friday", "KeysFREE FIRE ·", "Progress1,200 keys", "StateDone"],
    ["Compensation of 6 hoursOutage of Friday", "Keysnight.owl ·", "ProgressAll taken back", "StateUndone"],
    ["Compensation of 6 hoursOutage of Friday", "KeysOrder 12 ·", "Progress1 key kept it", "StateUndone"],
  ]);
  expect(screen.getAllByRole("button", { name: "Undo" })).toHaveLength(1);
  rows = [{ ...finished, id: 5 }];
  await waitFor(() => expect(screen.queryByRole("progressbar") === null).toBeTrue(), { timeout: 3_000 });
  expect(screen.getByText("1,200 keys")).toBeTruthy();
});

test("the keys are counted before anything starts, and again once a field is changed", async () => {
  server.responses[start] = ({ body }) => ({ id: body.dryRun ? null : 1, count: 50 });
  let nowMs = performance.now();
  const clock = spyOn(performance, "now").mockImplementation(() => nowMs);
  const user = show();
  await screen.findByText("No interventions yet");
  await user.click(screen.getByRole("button", { name: "New Intervention" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New Intervention" }));
  await user.click(dialog.getByRole("button", { name: "Count Keys" }));
  await dialog.findByText("Reason is required");
  await user.type(dialog.getByLabelText("Reason"), "Outage");
  await user.selectOptions(dialog.getByLabelText("Keys"), "Of a game");
  await dialog.findByRole("option", { name: "FREE FIRE" });
  await user.selectOptions(dialog.getByLabelText("Game"), "FREE FIRE");
  await user.click(dialog.getByRole("button", { name: "Count Keys" }));
  await dialog.findByRole("button", { name: "Compensate 50 keys" });
  expect(dialog.getByRole("status").textContent).toBe("Keys affected50Each gets1 day");
  // Right after it the same press again would be the second one of a double click.
  nowMs += doublePressMs;
  await user.clear(dialog.getByLabelText("Time to Add"));
  await user.type(dialog.getByLabelText("Time to Add"), "6");
  await user.click(dialog.getByRole("button", { name: "Count Keys" }));
  rows = [{ ...finished, state: "running", done: 0, scope: { gameId: 3 } }];
  const compensate = await dialog.findByRole("button", { name: "Compensate 50 keys" });
  nowMs += doublePressMs;
  await user.click(compensate);
  await says("Started for 50 keys");
  await expectGone(() => screen.queryByRole("dialog"));
  await screen.findByText("0 of 1,200 keys");
  const order = { kind: "compensate", scope: { gameId: 3 }, reason: "Outage" };
  expect(sent()).toEqual([
    { ...order, hours: 24, dryRun: true },
    { ...order, hours: 6, dryRun: true },
    { ...order, hours: 6, dryRun: false },
  ]);
  clock.mockRestore();
});

test("a pause has no hours, and nothing is started for no keys", async () => {
  server.responses[start] = () => ({ id: null, count: 0 });
  const user = show();
  await user.click(screen.getByRole("button", { name: "New Intervention" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New Intervention" }));
  await user.selectOptions(dialog.getByLabelText("What to Do"), "Pause");
  expect(dialog.queryByLabelText("Time to Add") === null).toBeTrue();
  await user.selectOptions(dialog.getByLabelText("Keys"), "Of an order");
  await user.type(dialog.getByLabelText("Reason"), "Outage");
  await user.click(dialog.getByRole("button", { name: "Count Keys" }));
  await dialog.findByText("Order number is required");
  await user.type(dialog.getByLabelText("Order Number"), "12");
  await user.click(dialog.getByRole("button", { name: "Count Keys" }));
  await dialog.findByText("There is nothing to do.");
  expect(dialog.getByRole("button", { name: "Count Keys" })).toBeTruthy();
  expect(sent()).toEqual([{ kind: "pause", scope: { orderId: 12 }, reason: "Outage", dryRun: true }]);
});

test("a pause that runs says so, and its keys are resumed from its row", async () => {
  const pause = { ...finished, kind: "pause" as const, hours: null, scope: { gameId: 3 }, count: 64, done: 64 };
  rows = [{ ...pause, id: 3, scope: { all: true as const } }, pause];
  pauses = [{ interventionId: 1, game: "FREE FIRE", at: pause.at, keys: 60, resellerNote: null }];
  server.responses[start] = ({ body }) => {
    if (body.dryRun) return { id: null, count: 64 };
    [rows, pauses] = [[{ ...pause, id: 4, kind: "resume" }, ...rows], []];
    return { id: 4, count: 64 };
  };
  const user = show();
  const resume = await screen.findByRole("button", { name: "Resume 64 keys" });
  expect(screen.getAllByRole("button", { name: /^Resume/ })).toHaveLength(1);
  expect(screen.getAllByText("Paused")).toHaveLength(1);
  await user.click(resume);
  await says("Started for 64 keys");
  await expectGone(() => screen.queryByRole("button", { name: /^Resume/ }));
  expect(screen.queryByText("Paused") === null).toBeTrue();
  const order = { kind: "resume", scope: { gameId: 3 }, reason: "Outage of Friday" };
  // Until its row is known to be done, the keys may be counted again.
  expect(sent().slice(0, 2)).toEqual([
    { ...order, dryRun: true },
    { ...order, dryRun: false },
  ]);
});

test("what resellers read of a pause is sent with it, and with nothing else", async () => {
  server.responses[start] = ({ body }) => ({ id: body.dryRun ? null : 1, count: 5 });
  const user = show();
  await user.click(screen.getByRole("button", { name: "New Intervention" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New Intervention" }));
  expect(dialog.queryByLabelText(/^What resellers read/) === null).toBeTrue();
  await user.selectOptions(dialog.getByLabelText("What to Do"), "Pause");
  await user.type(dialog.getByLabelText("Reason"), "Outage");
  await user.type(dialog.getByLabelText(/^What resellers read/), "Back at 18:00.");
  await user.click(dialog.getByRole("button", { name: "Count Keys" }));
  await dialog.findByRole("button", { name: "Pause 5 keys" });
  const common = { scope: { all: true }, reason: "Outage", dryRun: true };
  expect(sent()).toEqual([{ ...common, kind: "pause", resellerNote: "Back at 18:00." }]);
});

test("instead of a game's pause, the dialog of its maintenance is opened", async () => {
  server.responses["PUT /api/admin/games/:id"] = ({ body }) => ({ ...freeFire, ...body }) as Game;
  const user = show();
  const instead = "Maintenance sentence instead…";
  await user.click(screen.getByRole("button", { name: "New Intervention" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New Intervention" }));
  await user.selectOptions(dialog.getByLabelText("What to Do"), "Pause");
  await user.selectOptions(dialog.getByLabelText("Keys"), "Of a game");
  expect(dialog.queryByRole("button", { name: instead }) === null).toBeTrue();
  await dialog.findByRole("option", { name: "FREE FIRE" });
  await user.selectOptions(dialog.getByLabelText("Game"), "FREE FIRE");
  await user.click(await dialog.findByRole("button", { name: instead }));
  const maintenance = within(await screen.findByRole("dialog", { name: "Maintenance of FREE FIRE" }));
  await expectGone(() => screen.queryByRole("dialog", { name: "New Intervention" }));
  await expectFocus(maintenance.getByLabelText("Maintenance (optional)"));
  await user.type(maintenance.getByLabelText("Maintenance (optional)"), "Back soon.");
  await user.click(maintenance.getByRole("button", { name: "Save Maintenance" }));
  await says("FREE FIRE is under maintenance");
  await expectFocus(screen.getByRole("button", { name: "New Intervention" }));
  expect(server.received.filter(({ call }) => !call.startsWith("GET")).map(({ body }) => body)).toEqual([
    { maintenance: "Back soon." },
  ]);
});

test("undoing says first what it takes back", async () => {
  rows = [finished];
  server.responses["POST /api/admin/interventions/:id/undo"] = () => {
    rows = [{ ...finished, state: "undoing", done: 700 }];
    return rows[0] as Intervention;
  };
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  const question = await screen.findByRole("alertdialog", { name: "Undo Compensation" });
  expect(question.textContent).toContain("6 hours are taken back from 1,200 keys");
  expect(question.textContent).toContain("It was given for: Outage of Friday");
  await user.click(within(question).getByRole("button", { name: "Undo Compensation" }));
  await says("The compensation is being undone");
  await screen.findByText("700 keys left");
});
