import { afterEach, expect, test } from "bun:test";
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { LedgerEntry } from "../../src/resellers/ledger-schema.ts";
import { profileQuery } from "../api/calls/session.ts";
import { restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient, refresh } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import OwnCredits from "./own-credits.tsx";

afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

const bonus: LedgerEntry = {
  ...{ id: 1, at: "2025-03-05T12:00:00.000Z", reason: "token_bonus", amount: 10, balance: 10 },
  ...{ orderId: null, keyId: null, by: "night.owl", note: null, grantId: null, externalId: null, left: null },
};

test("a grant while the page is open is listed without a reload; an unchanged balance fetches nothing", async () => {
  let entries = [bonus];
  const server = stubFetch({
    "GET /api/reseller/profile": () => ({
      username: "night.owl",
      credits: entries.at(0)?.balance ?? 0,
      registrationDate: "",
    }),
    "GET /api/reseller/ledger": () => entries,
  });
  render(
    <PanelState>
      <OwnCredits search="" />
    </PanelState>,
  );
  await screen.findByText("Token bonus");
  await act(() => refresh(profileQuery));
  expect(server.calls("GET /api/reseller/ledger")).toHaveLength(1);
  entries = [{ ...bonus, id: 2, reason: "admin_grant", amount: 5, balance: 15, note: "Paid in cash" }, bonus];
  await act(() => refresh(profileQuery));
  await waitFor(() => expect(screen.getByText("Paid in cash")).toBeTruthy());
  expect(server.calls("GET /api/reseller/ledger")).toHaveLength(2);
});

test("ten keys extended in one act are one line, which opens", async () => {
  const extension: LedgerEntry = { ...bonus, reason: "key_extension", amount: -2.1, orderId: 12 };
  const ten = Array.from({ length: 10 }, (_, nth) => ({ ...extension, id: 20 - nth, keyId: nth + 1, balance: nth }));
  const others = [
    { ...extension, id: 9, keyId: 30, amount: -3 },
    { ...extension, id: 8, keyId: 30, by: "first.admin" },
    { ...extension, id: 7, keyId: 30, at: "2025-03-05T11:59:59.999Z" },
  ];
  stubFetch({
    "GET /api/reseller/profile": () => ({ username: "night.owl", credits: 10, registrationDate: "" }),
    "GET /api/reseller/ledger": () => [...ten, ...others, bonus, { ...bonus, id: 0 }],
  });
  render(
    <PanelState>
      <OwnCredits search="" />
    </PanelState>,
  );
  const line = await screen.findByRole("button", { name: "10 keys extended" });
  const rows = () => screen.getAllByRole("row").slice(1);
  expect(rows()).toHaveLength(6);
  expect(rows()[0]?.textContent).toContain("−21");
  await userEvent.click(line);
  expect(line.getAttribute("aria-expanded")).toBe("true");
  expect(rows()).toHaveLength(16);
  expect(rows()[1]?.textContent).toContain("Key extendedView key · Order 12");
  await userEvent.click(line);
  expect(rows()).toHaveLength(6);
});

test("what was paid or given back for one key names that key and its order", async () => {
  const reasons = ["key_extension", "device_limit_change", "key_refund"] as const;
  stubFetch({
    "GET /api/reseller/profile": () => ({ username: "night.owl", credits: 10, registrationDate: "" }),
    "GET /api/reseller/ledger": () => reasons.map((reason, id) => ({ ...bonus, id, reason, keyId: 7, orderId: 12 })),
  });
  render(
    <PanelState>
      <OwnCredits search="" />
    </PanelState>,
  );
  await screen.findByText("Key extended", { selector: "td *" });
  const types = screen.getAllByRole("row").map((row) => row.querySelector("td")?.textContent);
  expect(types.slice(1)).toEqual([
    "Key extendedView key · Order 12",
    "Device limit raisedView key · Order 12",
    "Key refundedView key · Order 12",
  ]);
  const links = screen.getAllByRole("link", { name: "View key" }).map((link) => link.getAttribute("href"));
  expect(links).toEqual(["/reseller/keys/7", "/reseller/keys/7", "/reseller/keys/7"]);
});
