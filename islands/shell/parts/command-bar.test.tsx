import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Role } from "../../../src/accounts/schema.ts";
import { exampleAdminKey } from "../../../src/keys/model.ts";
import type { AdminFindings } from "../../../src/search/schema.ts";
import { expectFocus, expectGone } from "../../../tests/expect-element.ts";
import { startedKey, startedOrder } from "../../../tests/key-times.ts";
import { restoreFetch, stubFetch } from "../../api/fetch-stub.ts";
import { SearchBox } from "../../ui/table/search-box.tsx";
import { PanelState } from "../root/panel-state.tsx";
import { CommandButton } from "./command-button.tsx";

const followed: string[] = [];
const nothing = { keys: [], resellers: [], tokens: [], orders: [] };
const key: AdminFindings["keys"][number] = {
  ...{ ...exampleAdminKey, game: "PUBG MOBILE", status: "ACTIVE", owner: null, orderId: null, note: null },
  ...{ close: false, foundBy: "text", ...startedKey },
};
const order: AdminFindings["orders"][number] = {
  ...{
    id: 12,
    at: exampleAdminKey.createdAt,
    game: "FREE FIRE",
    deviceLimit: 1,
    days: 5,
    count: 2,
    cost: 1,
    ...startedOrder,
  },
  ...{ note: null, externalId: null, shopLink: null, saleId: null, by: "night.owl", importId: null },
};

/** A link leads elsewhere by itself: here it is noted, and followed no further. */
function note(event: MouseEvent) {
  const link = (event.target as Element).closest("a");
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  followed.push(link.getAttribute("href") ?? "");
}

beforeEach(() => {
  followed.length = 0;
  localStorage.clear();
  window.history.replaceState(null, "", "/admin/api");
  window.addEventListener("click", note);
});

afterEach(() => {
  window.removeEventListener("click", note);
  restoreFetch();
});

function open(role: Role = "admin") {
  render(
    <PanelState>
      <CommandButton role={role} />
      <SearchBox label="Search keys" value="" onSearch={() => {}} />
    </PanelState>,
  );
}

async function bar() {
  await userEvent.keyboard("{Control>}k{/Control}");
  return screen.findByRole("combobox");
}

const labels = () => screen.getAllByRole("option").map(({ textContent }) => textContent);
const active = (field: HTMLElement) => document.getElementById(field.getAttribute("aria-activedescendant") ?? "");

test("Ctrl K opens it with the focus in its field, and Esc gives the focus back", async () => {
  open();
  const button = screen.getByRole("button", { name: "Search…" });
  button.focus();
  const field = await bar();
  await expectFocus(field);
  expect(within(screen.getByRole("listbox")).getAllByRole("group")).toHaveLength(2);
  await userEvent.keyboard("{Escape}");
  await expectFocus(button);
  await userEvent.click(button);
  expect(await screen.findByRole("combobox")).toBeTruthy();
});

test("Ctrl K also opens it from a field, which gets the focus back", async () => {
  open();
  const search = screen.getByRole("searchbox", { name: "Search keys" });
  search.focus();
  await expectFocus(await bar());
  await userEvent.keyboard("{Escape}");
  await expectFocus(search);
});

test("keys pressed alone do nothing in a field, and can be turned off", async () => {
  open();
  const search = screen.getByRole("searchbox", { name: "Search keys" });
  search.focus();
  await userEvent.keyboard("?");
  expect(screen.queryByRole("dialog") === null).toBeTrue();
  search.blur();
  await userEvent.keyboard("?");
  const list = await screen.findByRole("dialog", { name: "Keyboard Shortcuts" });
  await userEvent.click(within(list).getByRole("switch", { name: "Single-key shortcuts" }));
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  await userEvent.keyboard("?/");
  expect(screen.queryByRole("dialog") === null).toBeTrue();
  expect(document.activeElement === search).toBeFalse();
});

test("each role has its pages and actions, without duplicates", async () => {
  open("reseller");
  await bar();
  expect(labels()).toEqual([
    ...[
      "Overview",
      "Generate Keys",
      "Manage Keys",
      "API Documentation",
      "Orders",
      "Credits",
      "Keys That Seem Shared",
      "Blocked Devices",
      "Account",
      "API Keys",
      "Webhooks",
      "Shop Links",
      "Staff",
      "OpenAPI (Swagger)",
    ],
    ...["Export Keys", "Two-Factor Sign-In", "Keyboard Shortcuts", "Logout"],
  ]);
});

test("arrows cycle through the matches, and Enter follows one, which comes first the next time", async () => {
  open();
  const field = await bar();
  await userEvent.type(field, "token");
  expect(labels()).toEqual(["Referral Tokens", "Generate New Token"]);
  expect(active(field)?.textContent).toBe("Referral Tokens");
  await userEvent.keyboard("{ArrowUp}");
  expect(active(field)?.textContent).toBe("Generate New Token");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{Enter}");
  expect(followed).toEqual(["/admin/tokens#new"]);
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  await bar();
  expect(labels()[0]).toBe("Generate New Token");
  expect(screen.getByRole("group", { name: "Recent" })).toBeTruthy();
  expect(labels().filter((label) => label === "Generate New Token")).toHaveLength(1);
});

test("it also opens the list of shortcuts, once it is closed, for users without a keyboard", async () => {
  open();
  await userEvent.click(screen.getByRole("button", { name: "Search…" }));
  await userEvent.click(await screen.findByRole("option", { name: "Keyboard Shortcuts" }));
  const list = await screen.findByRole("dialog", { name: "Keyboard Shortcuts" });
  expect(list.textContent).toContain("CtrlK");
  expect(screen.getAllByRole("dialog")).toHaveLength(1);
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
});

test("records are found by their text once the typing rests, and similar ones are marked", async () => {
  const server = stubFetch({
    "GET /api/admin/search": ({ query }) =>
      query.get("q") === "g5h6i" ? { ...nothing, keys: [{ ...key, close: true }] } : nothing,
  });
  open();
  const field = await bar();
  await userEvent.type(field, "g5h6i");
  const found = await screen.findByRole("option", { name: /PBGM-A1B2C-D3E4F-G5H6I/ });
  expect(found.textContent).toContain("Looks alike");
  expect(found.getAttribute("href")).toBe(`/admin/keys/${key.id}`);
  expect(server.calls()).toEqual(["GET /api/admin/search?q=g5h6i"]);
  await userEvent.type(field, "x");
  expect((await screen.findAllByText("Nothing found")).length).toBeGreaterThan(0);
});

test("the group with a name that begins with the text comes first, and then Enter means it", async () => {
  const owl = {
    ...{ id: 7, username: "night.owl", registrationDate: order.at, credits: 5, totalKeys: 1 },
    ...{ isActive: true, suspensionReason: null, priceListId: 1 },
  };
  stubFetch({
    "GET /api/admin/search": () => ({ ...nothing, keys: [key], resellers: [owl], orders: [order] }),
  });
  open();
  const field = await bar();
  const groups = async (typed: string, first: RegExp) => {
    await userEvent.clear(field);
    await userEvent.type(field, typed);
    await waitFor(() => expect(active(field)?.textContent).toMatch(first));
    return screen.getAllByRole("group").map((group) => group.firstChild?.textContent);
  };
  expect(await groups("NIGHT", /^night.owl5 credits· \d+ y ago$/)).toEqual(["Resellers", "Keys", "Orders"]);
  expect(await groups("#12", /^Order #12/)).toEqual(["Orders", "Keys", "Resellers"]);
  expect(await groups("pbgm a1", /^PBGM-A1/)).toEqual(["Keys", "Resellers", "Orders"]);
});

test("a key and an order that were found by their note show it, from just before the match", async () => {
  stubFetch({
    "GET /api/admin/search": () => ({
      ...nothing,
      keys: [{ ...key, foundBy: "note", note: `Paid ${"and ".repeat(9)}sent to İnci and her cousin` }],
      orders: [{ ...order, note: "For INCI" }],
    }),
  });
  open();
  await userEvent.type(await bar(), "inci");
  const found = await screen.findAllByRole("option");
  expect(found.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining(`${key.keyString}…sent to İnci and her cousin`),
    expect.stringMatching(/^Order #12For INCI2 keys, FREE FIRE· \d+ y ago$/),
    // What can be done with the only key.
    ...["Extend", "Revoke", "Remove Devices", "Block a Device"],
  ]);
});

test("a device that was found is blocked on its key's page", async () => {
  const found = { ...key, foundBy: "device" } as const;
  stubFetch({ "GET /api/admin/search": () => ({ ...nothing, keys: [found] }) });
  open();
  await userEvent.type(await bar(), "block a3+f1 ");
  await userEvent.click(await screen.findByRole("option", { name: key.keyString }));
  expect(followed).toEqual([`/admin/keys/${key.id}#block-device=a3%2Bf1`]);
});

test("a token that was found shows its label, whether it is used, and how long ago it was made", async () => {
  const free = { id: 5, token: "hK3vWq8ZsT2mXc7RbN4pLd", createdAt: exampleAdminKey.createdAt, credits: 10 };
  const used = { ...free, id: 4, usedBy: "night.owl", isUsed: true, label: null };
  const tokens = [{ ...free, usedBy: null, isUsed: false, label: "for Ana" }, used];
  stubFetch({ "GET /api/admin/search": () => ({ ...nothing, tokens }) });
  open();
  await userEvent.type(await bar(), "hk3v");
  const found = await screen.findAllByRole("option", { name: /hK3vWq8Z/ });
  expect(found.map(({ textContent }) => textContent?.replace(free.token, ""))).toEqual([
    expect.stringMatching(/^for Ana · Available· \d+ y ago$/),
    expect.stringMatching(/^Used· \d+ y ago$/),
  ]);
});

test("a search that fails says so, and the pages stay", async () => {
  stubFetch({});
  open();
  await userEvent.type(await bar(), "token");
  expect((await screen.findAllByText(/^The search failed/)).length).toBeGreaterThan(0);
  expect(labels()).toContain("Referral Tokens");
});
