import { afterEach, expect, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { exampleResellerKey } from "../../src/keys/model.ts";
import type { ResellerKey } from "../../src/keys/schema.ts";
import type { Rights } from "../../src/pages/page.ts";
import { startedKey } from "../../tests/key-times.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import Header from "../shell/header.tsx";
import { PanelState } from "../shell/root/panel-state.tsx";
import Sidebar from "../shell/sidebar.tsx";
import AdminOverview from "./admin-overview.tsx";
import Dashboard from "./dashboard.tsx";
import OwnKeys from "./own-keys.tsx";
import Resellers from "./resellers.tsx";

afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

const key: ResellerKey = {
  ...exampleResellerKey,
  ...startedKey,
  game: "PUBG MOBILE",
  status: "ACTIVE",
  orderId: 3,
  note: null,
};
const owl = {
  ...{ id: 2, username: "night.owl", registrationDate: key.createdAt, credits: 5, totalKeys: 1 },
  ...{ isActive: true, suspensionReason: null, priceListId: 1 },
};

/** Everything that these screens read; a call that is not stubbed fails. */
function show(rights: Rights, content: ReactNode): FetchStub {
  const server = stubFetch({
    "GET /api/reseller/profile": () => ({ username: "night.owl", credits: 173, registrationDate: key.createdAt }),
    "GET /api/reseller/keys": () => [key],
    "GET /api/reseller/pauses": () => [],
    "GET /api/games": () => [],
    "GET /api/admin/resellers": () => [owl],
  });
  render(<PanelState rights={rights}>{content}</PanelState>);
  return server;
}

const names = (role: "button" | "link") => screen.queryAllByRole(role).map(({ textContent }) => textContent);

test("a list of keys has only the actions for which its viewer has a right", async () => {
  show(["keys:read", "keys:order"], <OwnKeys search="" />);
  const row = within(await screen.findByRole("row", { name: /PBGM/ }));
  expect(row.getByRole("button", { name: "Extend" })).toBeTruthy();
  expect(row.queryByRole("button", { name: "Revoke" }) === null).toBeTrue();
  expect(screen.getByRole("link", { name: "Generate Keys" })).toBeTruthy();
});

test("without the right to order, neither a button nor a link leads there", async () => {
  show(["keys:read", "keys:manage"], <OwnKeys search="" />);
  const row = within(await screen.findByRole("row", { name: /PBGM/ }));
  expect(row.getByRole("button", { name: "Revoke" })).toBeTruthy();
  expect(row.queryByRole("button", { name: "Extend" }) === null).toBeTrue();
  expect(names("link")).not.toContain("Generate Keys");
});

test("resellers are only read, without an empty column of actions", async () => {
  show(["resellers:read"], <Resellers search="" />);
  await screen.findByText("night.owl");
  expect(screen.queryByRole("columnheader", { name: "Actions" }) === null).toBeTrue();
  expect(names("button")).not.toContain("Add Credit");
  expect(screen.queryByText("Edit prices") === null).toBeTrue();
});

test("an overview asks the server only for what its viewer may read", async () => {
  const server = show(["credits:read"], <Dashboard username="books" expiringKeys={0} pauses={[]} sharedKeys={0} />);
  await screen.findByText("173");
  expect(screen.queryByText("Active Keys") === null).toBeTrue();
  expect(server.calls().filter((call) => call.includes("/keys") || call.includes("/pauses"))).toEqual([]);
});

test("an overview on which there is nothing for its viewer says so", () => {
  const server = show(["tokens:manage"], <AdminOverview mayGuide={false} pauses={[]} sharedKeys={0} />);
  expect(screen.getByText("Your pages are in the navigation.")).toBeTruthy();
  expect(server.calls()).toEqual([]);
});

test("the navigation has only what opens, and the balance is for those who read or spend it", async () => {
  const helper = { id: 9, username: "helper", role: "reseller", owner: { id: 2, username: "night.owl" } } as const;
  const rights: Rights = ["keys:read"];
  const server = show(
    rights,
    <>
      <Header user={{ ...helper, rights: ["keys:read"] }} path="/reseller" name="Latchkey" logo="/mark.svg" />
      <Sidebar area="reseller" path="/reseller" supportLink={null} />
    </>,
  );
  const navigation = within(screen.getByRole("navigation", { name: "Reseller" }));
  expect(navigation.getAllByRole("link").map(({ textContent }) => textContent)).toEqual([
    ...["Overview", "Manage Keys", "API Documentation"],
  ]);
  expect(server.calls()).toEqual([]);
});

test("the command bar offers and finds nothing without a right for it", async () => {
  const helper = { id: 9, username: "helper", role: "admin", owner: null } as const;
  const server = show(
    ["tokens:manage"],
    <Header user={{ ...helper, rights: ["tokens:manage"] }} path="/admin" name="Latchkey" logo="/mark.svg" />,
  );
  await userEvent.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("combobox", { name: "Search pages" });
  expect(screen.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    ...["Overview", "Referral Tokens", "API Documentation", "Account", "OpenAPI (Swagger)"],
    ...["Generate New Token", "Two-Factor Sign-In", "Keyboard Shortcuts", "Logout"],
  ]);
  await userEvent.type(field, "PBGM-A1B2C");
  await screen.findAllByText("Nothing found");
  expect(server.calls()).toEqual([]);
});
