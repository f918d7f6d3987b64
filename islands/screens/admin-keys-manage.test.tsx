import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { AdminKey, AdminKeyDetail } from "../../src/keys/schema.ts";
import type { Timeline } from "../../src/keys/timeline/timeline-schema.ts";
import { noKeyRefund, startedKey } from "../../tests/key-times.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { rowsPerPage } from "../api/paged-rows.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import AdminKeysManage from "./admin-keys-manage.tsx";

const list = "GET /api/admin/keys/manage";
const key = (id: number, more: Partial<AdminKey> = {}): AdminKey => ({
  id,
  keyString: `FIRE-${id}`,
  game: "FREE FIRE",
  status: "ACTIVE",
  createdAt: "2025-03-05T12:00:00.000Z",
  expiryDate: "2025-04-04T12:00:00.000Z",
  ...startedKey,
  deviceLimit: 2,
  deviceCount: 1,
  isRevoked: false,
  daysRemaining: 30,
  orderId: null,
  note: null,
  ...more,
});
const revoked = key(8, { status: "REVOKED", isRevoked: true, deviceLimit: 100, daysRemaining: 0 });
const unnamed = { name: null, lastSeen: "2025-03-06" };
const details: AdminKeyDetail = {
  ...key(7),
  createdBy: "margaret",
  ownerId: null,
  owner: null,
  revokedAt: null,
  revokedBy: null,
  devices: [{ id: 3, deviceId: "a3f1c9d2-phone", ...unnamed, firstConnected: "2025-03-06T12:00:00.000Z" }],
  history: [],
  ...noKeyRefund,
  pauseNote: null,
  pausedBy: null,
};
const timeline: Timeline = {
  answer: { code: "VALID", message: "Works. 1 of 2 devices connected.", advice: "Compare the game." },
  events: [
    {
      at: details.createdAt,
      kind: "created",
      by: "margaret",
      deviceId: null,
      deviceName: null,
      code: null,
      count: null,
    },
  ],
};

let server: FetchStub;
beforeEach(() => {
  keepSeededCatalogue();
  server = stubFetch({
    "GET /api/admin/keys/manage": () => ({
      keys: [key(7), revoked],
      totalCount: 1_200,
      matchCount: 2,
      nextCursor: null,
    }),
    "GET /api/admin/keys/:id/details": () => details,
    "GET /api/admin/keys/:id/timeline": () => timeline,
  });
  currentToast.value = null;
  window.history.replaceState(null, "", "/admin/create-keys?tab=manage");
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show() {
  // Set up first: it brings a clipboard, which happy-dom's page may not use otherwise.
  const user = userEvent.setup();
  render(
    <PanelState>
      <AdminKeysManage search={window.location.search} />
    </PanelState>,
  );
  return user;
}

const button = (name: string) => screen.getByRole("button", { name });
const says = (description: string) => waitFor(() => expect(currentToast.value?.description).toBe(description));

const rowOf = async (keyString: string) => within((await screen.findByText(keyString)).closest("tr") as HTMLElement);

test("shows dates in words, 100 devices as Unlimited, and no Revoke once a key is REVOKED", async () => {
  show();
  const row = await rowOf("FIRE-8");
  expect(row.getAllByText(/^(Mar|Apr) 0\d, 2025$/)).toHaveLength(2);
  expect(row.getByText("1 / Unlimited")).toBeTruthy();
  expect(row.getByRole("button", { name: "Details" })).toBeTruthy();
  expect(row.queryByRole("button", { name: "Revoke" }) === null).toBeTrue();
  expect(screen.getByText("Showing 2 of 1,200 total admin keys")).toBeTruthy();
});

test("the server filters by search, game and status; Clear Filters resets them, and stays on the tab", async () => {
  const user = show();
  await rowOf("FIRE-7");
  expect(server.calls()).toEqual([`${list}?sort=created&order=desc&limit=${rowsPerPage}`]);
  await user.selectOptions(screen.getByLabelText("Game"), "FREE FIRE");
  await user.selectOptions(screen.getByLabelText("Status"), "EXPIRED");
  await user.type(screen.getByLabelText("Search keys"), "7{Enter}");
  await waitFor(() =>
    expect(server.calls().at(-1)).toBe(
      `${list}?search=7&game=FREE+FIRE&status=EXPIRED&sort=created&order=desc&limit=${rowsPerPage}`,
    ),
  );
  await user.click(button("Clear Filters"));
  expect(window.location.search).toBe("?tab=manage");
  expect(screen.queryByRole("button", { name: "Clear Filters" }) === null).toBeTrue();
});

test("a list that fails shows its status, and loads on Retry", async () => {
  const listed = server.responses[list];
  server.responses[list] = () => Response.json({ message: "Busy." }, { status: 503 });
  const user = show();
  expect(await screen.findByText("HTTP error! status: 503")).toBeTruthy();
  server.responses[list] = listed;
  await user.click(button("Retry"));
  await rowOf("FIRE-7");
});

test("without keys there is a link to the other tab, and no match says so", async () => {
  server.responses[list] = () => ({ keys: [], totalCount: 0, matchCount: 0, nextCursor: null });
  const user = show();
  expect(await screen.findByText("No admin keys yet")).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Status"), "EXPIRED");
  expect(await screen.findByText("Try changing your search filters.")).toBeTruthy();
  await user.click(button("Clear Filters"));
  await user.click(await screen.findByRole("button", { name: "Generate Keys" }));
  expect(await screen.findByText("Admin Key Generation")).toBeTruthy();
});

test("Details show whether the key works, then who made it, its devices and its timeline", async () => {
  const user = show();
  await user.click((await rowOf("FIRE-7")).getByRole("button", { name: "Details" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Key Details" }));
  expect(await dialog.findByText("margaret")).toBeTruthy();
  expect(dialog.getByText("Admins")).toBeTruthy();
  expect(dialog.getByText("a3f1c9d2-phone")).toBeTruthy();
  expect(dialog.getByText("Works. 1 of 2 devices connected.")).toBeTruthy();
  expect(await dialog.findByText("Key generated by margaret")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "View in the audit log" }).getAttribute("href")).toBe(
    "/admin/audit?search=key+7+%E2%80%A6-7",
  );
});

test("a device is removed from an ACTIVE key, and its row stays until the dialog closes", async () => {
  const user = show();
  server.responses["POST /api/admin/keys/:id/devices/:deviceId/remove"] = () => {
    server.responses["GET /api/admin/keys/:id/details"] = () => ({ ...details, deviceCount: 0, devices: [] });
    return { message: "ok" };
  };
  await user.click((await rowOf("FIRE-7")).getByRole("button", { name: "Details" }));
  const remove = await screen.findByRole("button", { name: "Remove Device a3f1c9d2-phone" });
  await user.click(remove);
  await waitFor(() => expect(remove.textContent).toBe("Removed"));
  await says("Device removed successfully");
  expect(server.calls("POST")).toEqual(["POST /api/admin/keys/7/devices/3/remove"]);
  expect(server.calls().filter((call) => call.startsWith(list))).toHaveLength(2);
});

test("Details that fail to load say so, and keep what the list knows", async () => {
  server.responses["GET /api/admin/keys/:id/details"] = () => new Response("", { status: 500 });
  const user = show();
  await user.click((await rowOf("FIRE-7")).getByRole("button", { name: "Details" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("The key's devices and history could not be loaded.")).toBeTruthy();
  expect(dialog.getByText("1 / 2")).toBeTruthy();
});

test("revoking asks first, and the row shows the result at once", async () => {
  const after = key(7, { status: "REVOKED", isRevoked: true });
  server.responses["DELETE /api/admin/keys/:id"] = () => ({
    message: "Key revoked successfully",
    key: after,
    refund: 0,
  });
  const user = show();
  await user.click((await rowOf("FIRE-7")).getByRole("button", { name: "Revoke" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText(/This action cannot be undone\./)).toBeTruthy();
  server.responses[list] = () => ({ keys: [after, revoked], totalCount: 2, matchCount: 2, nextCursor: null });
  await user.click(question.getByRole("button", { name: "Revoke Key" }));
  await says("Key revoked successfully");
  expect(currentToast.value?.title).toBe("Success");
  expect((await rowOf("FIRE-7")).getByText("REVOKED")).toBeTruthy();
  expect(server.calls("DELETE")).toEqual(["DELETE /api/admin/keys/7"]);
});

test("a revocation that fails shows the screen's text, and fetches the list again", async () => {
  server.responses["DELETE /api/admin/keys/:id"] = () => new Response("", { status: 500 });
  const user = show();
  await user.click((await rowOf("FIRE-7")).getByRole("button", { name: "Revoke" }));
  await user.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "Revoke Key" }));
  await says("Failed to revoke key");
  await waitFor(() => expect(server.calls(list)).toHaveLength(2));
});
