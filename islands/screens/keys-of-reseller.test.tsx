import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { AdminKey, KeyStatus } from "../../src/keys/schema.ts";
import { expectGone } from "../../tests/expect-element.ts";
import { startedKey } from "../../tests/key-times.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { rowsPerPage } from "../api/paged-rows.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import ResellerKeys from "./keys-of-reseller.tsx";

function key(id: number, status: KeyStatus): AdminKey {
  return {
    ...{ id, status, keyString: `PBGM-A1B2C-D3E4F-G5H6${id}`, game: "PUBG MOBILE", deviceCount: 3, deviceLimit: 100 },
    ...{ orderId: null, note: null },
    ...{ createdAt: "2025-03-05T12:00:00.000Z", expiryDate: "2025-04-04T12:00:00.000Z", ...startedKey },
    ...{ isRevoked: status === "REVOKED", daysRemaining: status === "ACTIVE" ? 30 : 0 },
  };
}

let server: FetchStub;
beforeEach(() => {
  keepSeededCatalogue();
  currentToast.value = null;
  window.history.replaceState(null, "", "/admin/resellers/2/keys");
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show(responses: Responses = {}, username: string | null = "night.owl") {
  server = stubFetch({ "GET /api/admin/resellers/:id/keys": () => keys, ...responses });
  return render(
    <PanelState>
      <ResellerKeys resellerId="2" username={username} search={window.location.search} />
    </PanelState>,
  );
}

async function rowOf(text: string): Promise<HTMLElement> {
  return (await screen.findByText(text)).closest("tr") as HTMLElement;
}

const keys = [key(1, "ACTIVE"), key(2, "EXPIRED"), key(3, "REVOKED")];

test("the page names the reseller, and links back to the resellers", async () => {
  show();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Manage Keys");
  expect(screen.getByText("night.owl")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to resellers" }).getAttribute("href")).toBe("/admin/resellers");
});

test("a row has the specified columns, and every key but a revoked one can be revoked", async () => {
  show();
  const cells = within(await rowOf("PBGM-A1B2C-D3E4F-G5H61")).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "PBGM-A1B2C-D3E4F-G5H61",
    "GamePUBG MOBILE ·",
    "Created03/05/2025 –",
    "Expires04/04/2025last day",
    "Devices3 / Unlimited",
    "StatusACTIVE",
    "ExtendRevoke",
  ]);
  expect(within(await rowOf("PBGM-A1B2C-D3E4F-G5H62")).getByRole("button", { name: "Revoke" })).toBeTruthy();
  expect(within(await rowOf("PBGM-A1B2C-D3E4F-G5H63")).queryByRole("button", { name: "Revoke" }) === null).toBeTrue();
});

test("a key leads to its page", async () => {
  show();
  const link = await screen.findByRole("link", { name: "PBGM-A1B2C-D3E4F-G5H61" });
  expect(link.getAttribute("href")).toBe("/admin/keys/1");
});

test("the newest come first, and the server filters", async () => {
  show();
  await rowOf("PBGM-A1B2C-D3E4F-G5H61");
  expect(server.calls()[0]).toBe(`GET /api/admin/resellers/2/keys?sort=created&order=desc&limit=${rowsPerPage}`);
  await userEvent.selectOptions(screen.getByLabelText("Game"), "FREE FIRE");
  await userEvent.selectOptions(screen.getByLabelText("Status"), "EXPIRED");
  await waitFor(() => expect(server.calls().at(-1)).toContain("?game=FREE+FIRE&status=EXPIRED&"));
  expect(window.location.search).toBe("?game=FREE+FIRE&status=EXPIRED");
});

test("a key is revoked after a confirmation", async () => {
  let revoked = false;
  show({
    "DELETE /api/admin/keys/:id": ({ params }) => {
      revoked = true;
      return { message: "", key: key(Number(params.id), "REVOKED"), refund: 0 };
    },
    "GET /api/admin/resellers/:id/keys": () => [key(1, revoked ? "REVOKED" : "ACTIVE")],
  });
  const row = await rowOf("PBGM-A1B2C-D3E4F-G5H61");
  await userEvent.click(within(row).getByRole("button", { name: "Revoke" }));
  const confirmation = await screen.findByRole("alertdialog", { name: "Revoke License Key" });
  expect(confirmation.textContent).toContain("This action cannot be undone.");
  expect(confirmation.textContent).toContain("PBGM-A1B2C-D3E4F-G5H61");
  expect(server.calls("DELETE")).toEqual([]);
  await userEvent.click(within(confirmation).getByRole("button", { name: "Revoke Key" }));
  await waitFor(() =>
    expect(currentToast.value).toMatchObject({
      title: "Key Revoked",
      description: "The key has been successfully revoked",
    }),
  );
  await expectGone(() => within(row).queryByRole("button", { name: "Revoke" }));
  expect(within(row).getByText("REVOKED")).toBeTruthy();
});

test("a refusal keeps the dialog open, with the server's sentence or the screen's text", async () => {
  show({ "DELETE /api/admin/keys/:id": () => new Response("", { status: 500 }) });
  await userEvent.click(within(await rowOf("PBGM-A1B2C-D3E4F-G5H61")).getByRole("button", { name: "Revoke" }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke Key" }));
  await waitFor(() =>
    expect(currentToast.value).toMatchObject({ title: "Error", description: "Failed to revoke key" }),
  );
  expect(screen.getByRole("alertdialog")).toBeTruthy();
});

test("a key that another session has revoked meanwhile is reported, and closes the dialog", async () => {
  const message = "It was already revoked.";
  let fetches = 0;
  show({
    "DELETE /api/admin/keys/:id": () =>
      Response.json({ message: "The key is already revoked.", code: "KEY_ALREADY_REVOKED" }, { status: 409 }),
    "GET /api/admin/resellers/:id/keys": () => [key(1, fetches++ > 0 ? "REVOKED" : "ACTIVE")],
  });
  const row = await rowOf("PBGM-A1B2C-D3E4F-G5H61");
  await userEvent.click(within(row).getByRole("button", { name: "Revoke" }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke Key" }));
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Error", description: message }));
  await waitFor(() => expect(screen.queryByRole("alertdialog") === null).toBeTrue());
  expect(await within(row).findByText("REVOKED")).toBeTruthy();
});

test("no keys, no match and a failed list have different messages", async () => {
  const empty = show({ "GET /api/admin/resellers/:id/keys": () => [] });
  expect(await screen.findByText("No keys found for this reseller")).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Status"), "ACTIVE");
  expect(await screen.findByText("No keys found")).toBeTruthy();
  empty.unmount();
  queryClient.clear();
  window.history.replaceState(null, "", "/admin/resellers/2/keys");
  show({ "GET /api/admin/resellers/:id/keys": () => new Response("out of order", { status: 500 }) });
  expect((await screen.findByRole("alert")).textContent).toContain("500: out of order");
});

test("a reseller that does not exist is reported, and nothing is fetched", () => {
  show({}, null);
  expect(screen.getByText("There is no such reseller.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Manage Resellers" }).getAttribute("href")).toBe("/admin/resellers");
  expect(server.calls()).toEqual([]);
});
