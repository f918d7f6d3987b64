import { afterEach, expect, test } from "bun:test";
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { RunningPause } from "../../src/interventions/schema.ts";
import { firstStepsCookie } from "../../src/pages/cookies.ts";
import type { Condition } from "../../src/reports/schema.ts";
import type { Reseller } from "../../src/resellers/schema.ts";
import { type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { createQueryClient } from "../api/query.ts";
import { dateText } from "../format.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import AdminOverview from "./admin-overview.tsx";

const stats = {
  totalResellers: 1_200,
  activeKeys: 340,
  availableTokens: 4,
  activeOnlineUpdates: 1,
  inactiveOnlineUpdates: 2,
  totalAdminKeys: 128,
};
const owl: Reseller = {
  id: 7,
  username: "night.owl",
  registrationDate: "2025-03-05T12:00:00.000Z",
  credits: 12.5,
  totalKeys: 14,
  isActive: true,
  suspensionReason: null,
  priceListId: 1,
};

const condition: Condition = {
  isWell: true,
  problems: [],
  isBackedUpElsewhere: false,
  lastBackupAt: "2025-03-05T12:00:00.000Z",
  freeBytes: 2 ** 30,
  failures: 0,
  isClockAhead: false,
  unopenedTwoFactor: 0,
  unopenedKeys: 0,
  webhooksOff: 0,
  firstSteps: { hasKey: true, hasInvited: true, hasVerified: true, hasBackups: true },
};

afterEach(() => {
  restoreFetch();
  // biome-ignore lint/suspicious/noDocumentCookie: as islands/runtime/storage.ts sets it.
  document.cookie = `${firstStepsCookie}=; path=/; max-age=0`;
});

function show(responses: Responses = {}, mayGuide = true, pauses: RunningPause[] = []) {
  const server = stubFetch({
    "GET /api/admin/stats": () => stats,
    "GET /api/admin/resellers": () => [owl],
    "GET /api/admin/condition": () => condition,
    "GET /api/admin/figures": () => [],
    "GET /api/admin/pauses": () => [],
    "GET /api/admin/figures/resellers": () => [],
    ...responses,
  });
  render(
    <PanelState client={createQueryClient()}>
      <AdminOverview mayGuide={mayGuide} pauses={pauses} sharedKeys={0} />
    </PanelState>,
  );
  return server;
}

test("the five cards are there from the start, and get their figures", async () => {
  show();
  expect(screen.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    "Total Resellers",
    "Active Keys",
    "Available Tokens",
    "Available Updates",
    "Total Admin Keys",
  ]);
  await screen.findByText("1,200");
  const figures = screen.getAllByRole("definition").map(({ textContent }) => textContent);
  expect(figures).toEqual(["1,200", "340", "4Issue a token", "1 / 2active / inactive", "128"]);
  const issue = screen.getByRole<HTMLAnchorElement>("link", { name: "Issue a token" });
  expect(issue.getAttribute("href")).toBe("/admin/tokens#new");
});

test("a clock that is ahead is an alert above all figures", async () => {
  show({
    "GET /api/admin/condition": () => ({ ...condition, isWell: false, problems: ["CLOCK"], isClockAhead: true }),
  });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("run latchkey clock confirm");
  const [card] = screen.getAllByRole("term");
  expect(alert.compareDocumentPosition(card as HTMLElement) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test("a clock that is behind is in the condition", async () => {
  show({ "GET /api/admin/condition": () => ({ ...condition, isWell: false, problems: ["CLOCK"] }) });
  const sentence = "The server's clock is behind its records, so time stands still: set it right.";
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("recent activity shows who registered and when, with a link to the keys", async () => {
  const { calls } = show();
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: /^Reseller registered: night\.owl/ });
  expect(link.getAttribute("href")).toBe("/admin/resellers/7/keys");
  expect(link.textContent).toMatch(/03\/05\/2025\d+ y ago$/);
  expect(within(link).getByText("night.owl").getAttribute("translate")).toBe("no");
  expect(calls()).toContain("GET /api/admin/resellers?limit=5");
});

test("without resellers there is a hint at the tokens", async () => {
  show({ "GET /api/admin/resellers": () => [] });
  expect(await screen.findByText("No resellers registered yet")).toBeTruthy();
  expect(screen.getByText("Generate tokens to invite resellers")).toBeTruthy();
});

test("a condition that fails to load says so, and can be loaded again", async () => {
  const { responses } = show({ "GET /api/admin/condition": () => new Response("", { status: 500 }) });
  expect((await screen.findByRole("alert")).textContent).toContain("The status could not be loaded.");
  responses["GET /api/admin/condition"] = () => condition;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("All is well.")).toBeTruthy();
});

test("figures that fail to load say so, can be loaded again, and leave the activity alone", async () => {
  const { responses } = show({ "GET /api/admin/stats": () => new Response("", { status: 500 }) });
  expect((await screen.findByRole("alert")).textContent).toContain("The figures could not be loaded.");
  expect(await screen.findByText("night.owl")).toBeTruthy();
  responses["GET /api/admin/stats"] = () => stats;
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("1,200")).toBeTruthy();
  expect(screen.queryByRole("alert") === null).toBeTrue();
});

const nothingDone = { hasKey: false, hasInvited: false, hasVerified: false, hasBackups: false };
const stepNames = async () =>
  within(await screen.findByRole("list", { name: "Get started" }))
    .getAllByRole("link")
    .map((link) => [link.textContent, link.getAttribute("href")]);

test("the first steps stand in for missing backups and empty charts, until they are dismissed", async () => {
  const begun = { ...condition, isWell: false, problems: ["NO_BACKUP" as const], lastBackupAt: null };
  show({
    "GET /api/admin/condition": () => ({ ...begun, firstSteps: { ...nothingDone, hasInvited: true } }),
  });
  expect(await stepNames()).toEqual([
    ["Make a keyAdmin keys are free.", "/admin/create-keys"],
    ["Done: Invite a reseller", "/admin/tokens#new"],
    ["Verify from your gameThe code is ready to copy.", "/admin/api"],
    ["Turn on backupsSet BACKUP_SCHEDULE, or back up now.", "/admin/database-backup"],
  ]);
  expect(screen.getByText("1 of 4 done")).toBeTruthy();
  expect([screen.queryByText("Needs attention."), document.cookie]).toEqual([null, ""]);
  expect(screen.queryByRole("heading", { name: "The last 30 days" })).toBe(null);
  await userEvent.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(await screen.findByText("Needs attention.")).toBeTruthy();
  expect([screen.queryByText("Get started"), document.cookie]).toEqual([null, `${firstStepsCookie}=over`]);
});

test("other problems show with the first steps, and a database server's backups are no step", async () => {
  show({
    "GET /api/admin/condition": () => ({
      ...condition,
      isWell: false,
      problems: ["FAILURES" as const],
      failures: 3,
      isBackedUpElsewhere: true,
      firstSteps: { ...nothingDone, hasBackups: true },
    }),
  });
  expect(await stepNames()).toHaveLength(3);
  expect(screen.getByRole("status").textContent).toContain("Needs attention. The database server has its own backups.");
});

test("once all steps are done, or in a browser that dismissed them, there are none", async () => {
  show();
  expect(await screen.findByText("All is well.")).toBeTruthy();
  expect([screen.queryByText("Get started"), document.cookie]).toEqual([null, `${firstStepsCookie}=over`]);
  cleanup();
  show({ "GET /api/admin/condition": () => ({ ...condition, firstSteps: nothingDone }) }, false);
  expect(await screen.findByText("All is well.")).toBeTruthy();
  expect(screen.queryByText("Get started")).toBe(null);
});

test("each pause of many keys is a line with the way to end it", async () => {
  const pause = { interventionId: 3, game: "FREE FIRE", keys: 64, resellerNote: "Back at 18:00." };
  const at = new Date().toISOString();
  const intervention = { id: 3, kind: "pause", scope: { all: true }, reason: "Outage", state: "finished" };
  show({
    "GET /api/admin/pauses": () => [
      { ...pause, at },
      { ...pause, game: "PUBG MOBILE", keys: 1, at: "2025-03-05T12:00:00.000Z", resellerNote: null },
    ],
    "GET /api/admin/interventions": () => [intervention] as never,
    "POST /api/admin/interventions": () => ({ id: null, count: 65 }),
  });
  const lines = await within(await screen.findByRole("list", { name: "Pauses" })).findAllByRole("listitem");
  await within(lines[0] as HTMLElement).findByRole("button", { name: "Resume 65 keys" });
  const time = dateText(at, "dateAndTime").slice(-5);
  expect(lines.map(({ firstElementChild }) => firstElementChild?.nextElementSibling?.textContent)).toEqual([
    `64 FREE FIRE keys paused since ${time}.Back at 18:00.`,
    `1 PUBG MOBILE key paused since ${dateText("2025-03-05T12:00:00.000Z", "dateAndTime")}.`,
  ]);
});
