import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Reseller } from "../../../src/resellers/schema.ts";
import { expectFocus, expectGone } from "../../../tests/expect-element.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../../api/fetch-stub.ts";
import { queryClient } from "../../api/query.ts";
import { doublePressMs } from "../../runtime/once.ts";
import { PanelState } from "../../shell/root/panel-state.tsx";
import { currentToast } from "../../ui/toast/store.ts";
import Resellers from "../resellers.tsx";

const named = (id: number, username: string): Reseller => ({
  ...{
    id,
    username,
    registrationDate: "2025-03-05T12:00:00.000Z",
    credits: 12.5,
    totalKeys: 14,
    isActive: true,
    suspensionReason: null,
    priceListId: 1,
  },
});

let server: FetchStub;
let nowMs: number;
beforeEach(() => {
  currentToast.value = null;
  // A machine that is busy must not take two presses apart.
  nowMs = 1_000;
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
  restoreFetch();
  queryClient.clear();
});

function show(responses: Responses = {}) {
  const listed = [named(2, "night.owl"), named(3, "fastlane")];
  server = stubFetch({ "GET /api/admin/resellers": () => listed, ...responses });
  render(
    <PanelState>
      <Resellers search="" />
    </PanelState>,
  );
}

async function rowOf(username: string): Promise<HTMLElement> {
  return (await screen.findByText(username)).closest("tr") as HTMLElement;
}

const posts = () => server.received.filter(({ call }) => call.startsWith("POST"));

async function choose(username: string, action: string): Promise<HTMLElement> {
  await userEvent.click(within(await rowOf(username)).getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
  return screen.findByRole("alertdialog", { name: action });
}
const more = async (username: string) => within(await rowOf(username)).getByRole("button", { name: "More" });

test("the arrows move through the row's menu, and Esc closes it and returns the focus", async () => {
  show();
  const button = await more("night.owl");
  expect([button.getAttribute("aria-haspopup"), button.getAttribute("aria-expanded")]).toEqual(["menu", "false"]);
  button.focus();
  await userEvent.keyboard("{ArrowDown}");
  const menu = await screen.findByRole("menu", { name: "night.owl" });
  const items = within(menu).getAllByRole("menuitem");
  expect(items.map(({ textContent }) => textContent)).toEqual(["Reset Password", "End Sessions"]);
  await expectFocus(items[0] as HTMLElement);
  expect(button.getAttribute("aria-expanded")).toBe("true");
  await userEvent.keyboard("{ArrowDown}");
  await expectFocus(items[1] as HTMLElement);
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("menu"));
  await expectFocus(button);
});

test("resetting a password says first what happens, and shows the new one until it is passed on", async () => {
  show({ "POST /api/admin/resellers/:id/password": () => ({ password: "vR7mKp2sXw9nTq4bHc6d" }) });
  const question = await choose("night.owl", "Reset Password");
  expect(question.textContent).toContain(
    "night.owl gets a random password, shown to you only once. The account is signed out everywhere, and two-factor sign-in is turned off.",
  );
  expect(posts()).toEqual([]);
  await userEvent.click(within(question).getByRole("button", { name: "Reset Password" }));
  const dialog = await screen.findByRole("dialog", { name: "New Password" });
  expect(posts().map(({ call }) => call)).toEqual(["POST /api/admin/resellers/2/password"]);
  expect(within(dialog).getByText("vR7mKp2sXw9nTq4bHc6d")).toBeTruthy();
  const passedOn = within(dialog).getByRole("button", { name: "I've passed it on" });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBeTrue());
  await userEvent.keyboard("{Enter}{Escape}");
  await userEvent.click(passedOn);
  expect([dialog.isConnected, within(dialog).queryByRole("button", { name: "Close" })]).toEqual([true, null]);
  nowMs += doublePressMs;
  await userEvent.click(passedOn);
  await expectGone(() => screen.queryByRole("dialog"));
  const button = await more("night.owl");
  await expectFocus(button);
});

test("a cancelled reset shows no password, not even the previous one", async () => {
  show({ "POST /api/admin/resellers/:id/password": () => ({ password: "vR7mKp2sXw9nTq4bHc6d" }) });
  const question = await choose("night.owl", "Reset Password");
  await userEvent.click(within(question).getByRole("button", { name: "Reset Password" }));
  const passedOn = await screen.findByRole("button", { name: "I've passed it on" });
  nowMs += doublePressMs;
  await userEvent.click(passedOn);
  await expectGone(() => screen.queryByRole("dialog"));
  const again = await choose("night.owl", "Reset Password");
  await userEvent.click(within(again).getByRole("button", { name: "Cancel" }));
  const button = await more("night.owl");
  await expectFocus(button);
  expect([screen.queryByRole("dialog"), posts().length]).toEqual([null, 1]);
});

test("a failed password reset keeps the dialog, and says why", async () => {
  const message = "There is no reseller with this id.";
  const refusal = () => Response.json({ message, code: "NOT_FOUND" }, { status: 404 });
  show({ "POST /api/admin/resellers/:id/password": refusal });
  const question = await choose("fastlane", "Reset Password");
  await userEvent.click(within(question).getByRole("button", { name: "Reset Password" }));
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Error", description: message }));
  expect([question.isConnected, screen.queryByRole("dialog")]).toEqual([true, null]);
});

test("ending a reseller's sessions asks first, and says so after", async () => {
  const message = "The reseller was signed out everywhere.";
  show({ "DELETE /api/admin/resellers/:id/sessions": () => ({ message }) });
  const question = await choose("night.owl", "End Sessions");
  expect(question.textContent).toContain("night.owl is signed out everywhere");
  expect(server.calls("DELETE")).toEqual([]);
  await userEvent.click(within(question).getByRole("button", { name: "End Sessions" }));
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Success", description: message }));
  expect(server.calls("DELETE")).toEqual(["DELETE /api/admin/resellers/2/sessions"]);
});
