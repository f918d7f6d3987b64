import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Reseller } from "../../src/resellers/schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { rowsPerPage } from "../api/paged-rows.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Resellers from "./resellers.tsx";

const named = (id: number, username: string, more: Partial<Reseller> = {}): Reseller => ({
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
  ...more,
});
const owl = named(2, "night.owl");
const fastlane = named(3, "fastlane", { isActive: false, credits: 1_200 });

let server: FetchStub;
let listed: Reseller[] = [];
beforeEach(() => {
  listed = [owl, fastlane];
  currentToast.value = null;
  window.history.replaceState(null, "", "/admin/resellers");
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

/** The list as the server filters it: by search and status. */
function list(query: URLSearchParams): Reseller[] {
  const status = query.get("status");
  return listed
    .filter(({ username }) => username.includes(query.get("search") ?? ""))
    .filter(({ isActive }) => status === null || isActive === (status === "active"));
}

function show(responses: Responses = {}) {
  server = stubFetch({ "GET /api/admin/resellers": ({ query }) => list(query), ...responses });
  return render(
    <PanelState>
      <Resellers search={window.location.search} />
    </PanelState>,
  );
}

async function rowOf(username: string): Promise<HTMLElement> {
  return (await screen.findByText(username)).closest("tr") as HTMLElement;
}

const posts = () => server.received.filter(({ call }) => call.startsWith("POST"));
const lists = () => server.calls("GET /api/admin/resellers");

test("a row has the specified columns, and its Keys link to that reseller's keys", async () => {
  show();
  const row = await rowOf("fastlane");
  const cells = within(row).getAllByRole("cell");
  expect(cells.slice(0, 5).map(({ textContent }) => textContent)).toEqual([
    "fastlane",
    "Registration DateSince 03/05/2025 ·",
    "Credit Balance1,200 credits",
    "Total Keys14 keys",
    "StatusSuspended",
  ]);
  expect(within(row).getByRole("link", { name: "Keys" }).getAttribute("href")).toBe("/admin/resellers/3/keys");
  expect(within(row).getByRole("button", { name: "Activate" })).toBeTruthy();
  expect(within(await rowOf("night.owl")).getByRole("button", { name: "Suspend" })).toBeTruthy();
});

test("the newest come first, and the server searches, filters and sorts by what is in the address", async () => {
  show();
  await rowOf("night.owl");
  expect(lists()[0]).toBe(`GET /api/admin/resellers?sort=registered&order=desc&limit=${rowsPerPage}`);
  await userEvent.selectOptions(screen.getByLabelText("Status"), "suspended");
  await expectGone(() => screen.queryByText("night.owl"));
  await userEvent.click(screen.getByRole("button", { name: "Credit Balance" }));
  await userEvent.type(screen.getByLabelText("Search resellers"), "fast{Enter}");
  await waitFor(() => expect(lists().at(-1)).toContain("search=fast&status=suspended&sort=credits&order=desc"));
  expect(window.location.search).toBe("?status=suspended&sort=credits&search=fast");
});

test("no resellers and no match have different messages", async () => {
  listed = [];
  show();
  expect(await screen.findByText("No resellers found")).toBeTruthy();
  expect(screen.getByText(/register with a referral token/)).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Status"), "active");
  expect(await screen.findByText("Try another search or status.")).toBeTruthy();
});

test("suspending says first what happens, and sends the opposite status", async () => {
  show({
    "POST /api/admin/resellers/:id/toggle-status": ({ body }) => {
      const reseller = { ...owl, isActive: body.isActive, suspensionReason: body.reason ?? null };
      listed = [reseller];
      return { message: "", reseller };
    },
  });
  await userEvent.click(within(await rowOf("night.owl")).getByRole("button", { name: "Suspend" }));
  const confirmation = await screen.findByRole("alertdialog", { name: "Suspend Reseller" });
  expect(confirmation.textContent).toContain("night.owl is notified and signed out everywhere");
  expect(posts()).toEqual([]);
  await userEvent.type(within(confirmation).getByLabelText("Reason (optional)"), "Invoices of October");
  await userEvent.click(within(confirmation).getByRole("button", { name: "Suspend" }));
  await waitFor(() =>
    expect(currentToast.value).toMatchObject({
      title: "Success",
      description: "Reseller status updated successfully",
    }),
  );
  expect(posts()).toMatchObject([
    { call: "POST /api/admin/resellers/2/toggle-status", body: { isActive: false, reason: "Invoices of October" } },
  ]);
  const row = within(await rowOf("night.owl"));
  expect([row.getByText("Suspended"), row.getByText("Invoices of October")]).toHaveLength(2);
});

test("activating asks nothing, and a refusal without a sentence shows the screen's text", async () => {
  show({ "POST /api/admin/resellers/:id/toggle-status": () => new Response("", { status: 500 }) });
  await userEvent.click(within(await rowOf("fastlane")).getByRole("button", { name: "Activate" }));
  await waitFor(() =>
    expect(currentToast.value).toMatchObject({
      title: "Error",
      description: "Failed to update reseller status",
      style: "destructive",
    }),
  );
  expect(posts()).toMatchObject([{ call: "POST /api/admin/resellers/3/toggle-status", body: { isActive: true } }]);
});

async function openCredit(opener: HTMLElement): Promise<HTMLElement> {
  await userEvent.click(opener);
  return screen.findByRole("dialog", { name: "Add Credit" });
}

test("without a reseller and an amount nothing is sent, and the first is focused", async () => {
  show();
  await rowOf("night.owl");
  const [opener] = screen.getAllByRole("button", { name: "Add Credit" });
  const dialog = await openCredit(opener as HTMLElement);
  await userEvent.click(within(dialog).getByRole("button", { name: "Add Credit" }));
  expect(await within(dialog).findByText("Please select a reseller")).toBeTruthy();
  expect(within(dialog).getByText("Amount is required")).toBeTruthy();
  await expectFocus(within(dialog).getByLabelText("Reseller"));
  await userEvent.type(within(dialog).getByLabelText("Amount"), "0");
  expect(await within(dialog).findByText("Amount must be at least 1")).toBeTruthy();
  expect(posts()).toEqual([]);
});

test("a row's Add Credit has its reseller chosen, and shows the new balance", async () => {
  show({ "POST /api/admin/resellers/credits": () => ({ message: "", reseller: { ...owl, credits: 62.5 } }) });
  const dialog = await openCredit(within(await rowOf("night.owl")).getByRole("button", { name: "Add Credit" }));
  const amount = within(dialog).getByLabelText("Amount");
  await expectFocus(amount);
  await userEvent.type(amount, "50");
  expect(within(dialog).getByText("Adds 50 credits, new balance 62.5")).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: "Add Credit" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Credits added successfully"));
  expect(posts().map(({ body }) => body)).toEqual([{ resellerId: 2, amount: 50, note: "" }]);
  await expectGone(() => screen.queryByRole("dialog"));
});

test("choosing a reseller removes the message, and changing the name undoes the choice", async () => {
  show({ "POST /api/admin/resellers/credits": () => ({ message: "", reseller: fastlane }) });
  await rowOf("night.owl");
  const [opener] = screen.getAllByRole("button", { name: "Add Credit" });
  const dialog = await openCredit(opener as HTMLElement);
  const submit = within(dialog).getByRole("button", { name: "Add Credit" });
  await userEvent.type(within(dialog).getByLabelText("Amount"), "5");
  await userEvent.click(submit);
  expect(await within(dialog).findByText("Please select a reseller")).toBeTruthy();
  const field = within(dialog).getByRole("combobox");
  await userEvent.click(field);
  await userEvent.click(await screen.findByRole("option", { name: /night\.owl/ }));
  expect(within(dialog).queryByText("Please select a reseller") === null).toBeTrue();
  await userEvent.type(field, "s");
  await userEvent.click(submit);
  expect(await within(dialog).findByText("Please select a reseller")).toBeTruthy();
  expect(posts()).toEqual([]);
  await userEvent.clear(field);
  await userEvent.click(await screen.findByRole("option", { name: /fastlane/ }));
  await userEvent.click(submit);
  await waitFor(() => expect(posts().map(({ body }) => body)).toEqual([{ resellerId: 3, amount: 5, note: "" }]));
});

test("the server's objection to the amount is shown at its field, which has the focus", async () => {
  const message = "That is more than you may give.";
  const errors = [{ path: "amount", message }];
  const refusal = () => Response.json({ message, code: "INVALID", errors }, { status: 422 });
  show({ "POST /api/admin/resellers/credits": refusal });
  const dialog = await openCredit(within(await rowOf("night.owl")).getByRole("button", { name: "Add Credit" }));
  await userEvent.type(within(dialog).getByLabelText("Amount"), "50");
  await userEvent.click(within(dialog).getByRole("button", { name: "Add Credit" }));
  expect(await within(dialog).findByText(message)).toBeTruthy();
  await expectFocus(within(dialog).getByLabelText("Amount"));
});

test("a refusal keeps the dialog and the typed text", async () => {
  const message = "The balance would exceed the maximum.";
  const refusal = () => Response.json({ message, code: "BALANCE_TOO_LARGE" }, { status: 409 });
  show({ "POST /api/admin/resellers/credits": refusal });
  const dialog = await openCredit(within(await rowOf("night.owl")).getByRole("button", { name: "Add Credit" }));
  await userEvent.type(within(dialog).getByLabelText("Amount"), "50");
  await userEvent.click(within(dialog).getByRole("button", { name: "Add Credit" }));
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Error", description: message }));
  expect((within(dialog).getByLabelText("Amount") as HTMLInputElement).value).toBe("50");
});

test("a quick Enter never chooses a reseller who does not match the typed text", async () => {
  const resolves: (() => void)[] = [];
  listed = [named(4, "aardvark"), named(5, "zebra")];
  show({
    "GET /api/admin/resellers": async ({ query }) => {
      if (query.has("search")) await new Promise<void>((resolve) => resolves.push(resolve));
      return list(query);
    },
  });
  await rowOf("zebra");
  const [opener] = screen.getAllByRole("button", { name: "Add Credit" });
  const field = within(await openCredit(opener as HTMLElement)).getByRole("combobox");
  await userEvent.click(field);
  expect(await screen.findByRole("option", { name: /aardvark/ })).toBeTruthy();
  await userEvent.type(field, "zeb{Enter}");
  expect((field as HTMLInputElement).value).toBe("zebra");
  await userEvent.clear(field);
  await userEvent.type(field, "nobody{Enter}");
  expect((field as HTMLInputElement).value).toBe("nobody");
  for (const resolve of resolves) resolve();
});

test("the arrows cycle through the choices, Esc closes only them, and a whole name is a choice", async () => {
  show();
  await rowOf("night.owl");
  const [opener] = screen.getAllByRole("button", { name: "Add Credit" });
  const dialog = await openCredit(opener as HTMLElement);
  const field = within(dialog).getByRole("combobox", { name: "Reseller" });
  await expectFocus(field);
  await userEvent.keyboard("{ArrowDown}");
  const [first, last] = (await screen.findAllByRole("option")).map(({ id }) => id);
  expect(field.getAttribute("aria-activedescendant")).toBe(first as string);
  await userEvent.keyboard("{ArrowUp}");
  expect(field.getAttribute("aria-activedescendant")).toBe(last as string);
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("listbox"));
  expect(dialog.isConnected).toBeTrue();
  await userEvent.type(field, "FASTLANE");
  await userEvent.click(within(dialog).getByLabelText("Amount"));
  expect((field as HTMLInputElement).value).toBe("fastlane");
  expect(within(dialog).getByText("Balance: 1,200 credits")).toBeTruthy();
});

test("an address with an invalid status or order lists the resellers without it", async () => {
  window.history.replaceState(null, "", "/admin/resellers?status=foo&sort=bad");
  show();
  await rowOf("fastlane");
  expect(lists()).toEqual([`GET /api/admin/resellers?sort=registered&order=desc&limit=${rowsPerPage}`]);
});
