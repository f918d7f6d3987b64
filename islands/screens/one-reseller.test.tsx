import { afterEach, beforeEach, expect, test } from "bun:test";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { AdminOrder } from "../../src/orders/schema.ts";
import type { LedgerEntry } from "../../src/resellers/ledger-schema.ts";
import { startedOrder } from "../../tests/key-times.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import OneReseller from "./one-reseller.tsx";

const ledger = "GET /api/admin/resellers/:id/ledger";
const orders = "GET /api/admin/resellers/:id/orders";
const entries: LedgerEntry[] = [
  {
    ...{ id: 2, at: "2025-03-05T12:00:00.000Z", reason: "key_purchase", amount: -7.5, balance: 42.5 },
    ...{ orderId: 12, keyId: null, by: "night.owl", note: null, grantId: null, externalId: null, left: null },
  },
  {
    ...{ id: 1, at: "2025-03-04T12:00:00.000Z", reason: "admin_grant", amount: 50, balance: 50 },
    ...{ orderId: null, keyId: null, by: "margaret", note: "Paid in cash", grantId: null, externalId: null, left: 50 },
  },
];
const reseller = {
  ...{ id: 2, username: "night.owl", registrationDate: "2025-03-01T12:00:00.000Z" },
  ...{ credits: 42.5, totalKeys: 3, isActive: true, suspensionReason: null, priceListId: 1 },
};
const order: AdminOrder = {
  ...{
    id: 12,
    at: "2025-03-05T12:00:00.000Z",
    game: "FREE FIRE",
    deviceLimit: 100,
    days: 5,
    count: 15,
    cost: 7.5,
    ...{ ...startedOrder, durationHours: 120 },
  },
  ...{ note: "For Ana", externalId: null, shopLink: null, saleId: null, by: "night.owl", importId: null },
};

let server: FetchStub;
const realClick = HTMLAnchorElement.prototype.click;
beforeEach(() => {
  currentToast.value = null;
  // Saving a file would leave the page.
  HTMLAnchorElement.prototype.click = () => {};
  window.history.replaceState(null, "", "/admin/resellers/2");
});
afterEach(() => {
  HTMLAnchorElement.prototype.click = realClick;
  restoreFetch();
  queryClient.clear();
});

function show(responses: Responses = {}, username: string | null = "night.owl") {
  server = stubFetch({
    "GET /api/admin/resellers/:id": () => reseller,
    [ledger]: () => entries,
    [orders]: () => [order],
    ...responses,
  });
  return render(
    <PanelState>
      <OneReseller id="2" username={username} search={window.location.search} />
    </PanelState>,
  );
}

const rowTexts = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    );

test("the page of a suspended reseller says why", async () => {
  show({
    "GET /api/admin/resellers/:id": () => ({ ...reseller, isActive: false, suspensionReason: "Invoices of October" }),
  });
  expect(await screen.findByText("Suspended: Invoices of October")).toBeTruthy();
});

test("the page shows the reseller's facts, and each change of the credits with its order and its actor", async () => {
  show();
  await screen.findByText("Paid in cash");
  const facts = [...document.querySelectorAll("dl > div")].map(({ textContent }) => textContent);
  expect(facts.slice(0, 2)).toEqual(["Credit Balance42.5", "Total Keys3"]);
  const [bought, granted] = rowTexts(screen.getByRole("table", { name: "Credits" }));
  expect(bought?.slice(0, 4)).toEqual(["Keys generatedOrder 12", "Bynight.owl ·", "Amount−7.5", "Balance42.5"]);
  expect(granted?.slice(0, 4)).toEqual(["Credits addedPaid in cash", "Bymargaret ·", "Amount+50", "Balance50"]);
  expect(screen.getByRole("link", { name: "Order 12" }).getAttribute("href")).toBe("/admin/orders/12");
});

test("kind and days filter the ledger, the last day is included, and the file has the same rows", async () => {
  show();
  await screen.findByText("Paid in cash");
  await userEvent.selectOptions(screen.getByLabelText("Type"), "Credits added");
  fireEvent.change(screen.getByLabelText("To"), { target: { value: "2025-03-04" } });
  const to = encodeURIComponent(new Date(2025, 2, 5).toISOString());
  await waitFor(() => expect(server.calls().at(-1)).toContain(`?reason=admin_grant&to=${to}&`));
  await userEvent.click(screen.getByRole("button", { name: "Download CSV" }));
  await waitFor(() =>
    expect(server.calls().at(-1)).toBe(`GET /api/admin/resellers/2/ledger?reason=admin_grant&to=${to}&format=csv`),
  );
  await waitFor(() => expect(currentToast.value?.description).toBe("Credits downloaded successfully"));
});

test("the orders are in the other tab, which drops the filters of the ledger", async () => {
  window.history.replaceState(null, "", "/admin/resellers/2?reason=admin_grant");
  show();
  await userEvent.click(await screen.findByRole("tab", { name: "Orders" }));
  const table = await screen.findByRole("table", { name: "Orders" });
  await within(table).findByText("For Ana");
  expect(rowTexts(table)[0]?.slice(0, 4)).toEqual([
    "Order 12For Ana",
    "Keys15 ×",
    "GameFREE FIRE ·",
    "Each key5 days · Unlimited devices",
  ]);
  expect(window.location.search).toBe("?tab=orders");
  expect(within(table).getByRole("link", { name: "Open order 12" }).getAttribute("href")).toBe("/admin/orders/12");
});

test("an empty ledger, no match and a failed list have different messages", async () => {
  show({ [ledger]: () => [] });
  await screen.findByText("No credits in or out yet");
  await userEvent.selectOptions(screen.getByLabelText("Type"), "Credits added");
  await screen.findByText("Nothing found");
  server.responses[ledger] = () => new Response("", { status: 500 });
  await userEvent.selectOptions(screen.getByLabelText("Type"), "Keys generated");
  await screen.findByRole("button", { name: "Retry" });
});

test("an admin takes back a grant, at most its rest and the balance, and the page shows both again", async () => {
  const [bought, granted] = entries as [LedgerEntry, LedgerEntry];
  const sent: unknown[] = [];
  show({
    "POST /api/admin/resellers/:id/credits/take-back": ({ body }) => {
      sent.push(body);
      const taken = { ...granted, id: 3, reason: "grant_taken_back" as const, amount: -42.5, balance: 0, left: null };
      server.responses[ledger] = () => [{ ...taken, grantId: 1 }, bought, { ...granted, left: 7.5 }];
      const changed = { ...reseller, credits: 0 };
      server.responses["GET /api/admin/resellers/:id"] = () => changed;
      return { message: "Credits taken back", reseller: changed };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Take Back" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Take Back" }));
  expect(dialog.getByText("Not taken back yet: 50 of 50 credits. Balance: 42.5.")).toBeTruthy();
  const amount = dialog.getByLabelText<HTMLInputElement>("Amount");
  expect(amount.value).toBe("42.5");
  await userEvent.clear(amount);
  await userEvent.type(amount, "0.25");
  await userEvent.click(dialog.getByRole("button", { name: "Take Back" }));
  await dialog.findByText("Amount may have at most one decimal");
  await userEvent.clear(amount);
  await userEvent.type(amount, "42.5");
  await userEvent.click(dialog.getByRole("button", { name: "Take Back" }));
  await within(screen.getByRole("table", { name: "Credits" })).findByText("Credits taken back");
  expect(sent).toEqual([{ ledgerId: 1, amount: 42.5 }]);
  await waitFor(() => expect(document.querySelector("dl > div")?.textContent).toBe("Credit Balance0"));
});

test("an unknown id is reported", () => {
  show({}, null);
  expect(screen.getByText("There is no such reseller.")).toBeTruthy();
});

test("with more than one price list, the page shows the reseller's and changes it", async () => {
  const [standard, friends] = [
    { id: 1, name: "Standard", prices: [] },
    { id: 2, name: "Friends", prices: [] },
  ];
  let priceListId = 1;
  show({
    "GET /api/admin/resellers/:id": () => ({ ...reseller, priceListId }),
    "GET /api/admin/price-lists": () => [standard, friends],
    "PUT /api/admin/resellers/:id/price-list": ({ body }) => {
      priceListId = body.priceListId;
      return { message: "Price list changed." };
    },
  });
  expect(await screen.findByText("Standard")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Change price list" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Price List" }));
  await userEvent.selectOptions(dialog.getByLabelText("Price list"), "Friends");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Friends", { selector: "dd *" })).toBeTruthy();
  expect(server.received.find(({ call }) => call.startsWith("PUT"))?.body).toEqual({ priceListId: 2 });
});

test("with one price list there is nothing to choose", async () => {
  show({ "GET /api/admin/price-lists": () => [{ id: 1, name: "Standard", prices: [] }] });
  await screen.findByText("42.5", { selector: "dd *, dd" });
  await waitFor(() => expect(server.calls("GET /api/admin/price-lists")).toHaveLength(1));
  expect(screen.queryByText("Price list") === null).toBeTrue();
});
