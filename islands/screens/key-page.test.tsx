import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Role } from "../../src/accounts/schema.ts";
import { exampleAdminKeyDetail, exampleResellerKeyDetail } from "../../src/keys/model.ts";
import type { AdminKeyDetail, Device, ResellerKeyDetail } from "../../src/keys/schema.ts";
import type { Timeline } from "../../src/keys/timeline/timeline-schema.ts";
import { expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import KeyPage from "./key-page.tsx";

const own = { ...exampleResellerKeyDetail, note: "for Ana" } as ResellerKeyDetail;
const resellers = { ...exampleAdminKeyDetail, owner: "night.owl", ownerId: 2 } as AdminKeyDetail;
const admins = { ...resellers, createdBy: "margaret", owner: null, ownerId: null } as AdminKeyDetail;
const timeline = {
  answer: { code: "VALID", message: "Works. 1 of 2 devices connected.", advice: "Compare the game." },
  events: [{ at: own.createdAt, kind: "created", by: "night.owl", deviceId: null, code: null, count: null }],
};

let server: FetchStub;
beforeEach(() => {
  currentToast.value = null;
  document.title = "Key · Latchkey";
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

async function show(area: Role, key: AdminKeyDetail | ResellerKeyDetail, responses: Responses = {}) {
  server = stubFetch({
    "GET /api/admin/keys/:id/details": () => key as AdminKeyDetail,
    "GET /api/reseller/keys/:id": () => key as ResellerKeyDetail,
    [`GET /api/${area}/keys/:id/timeline`]: () => timeline,
    ...responses,
  });
  render(
    <PanelState>
      <KeyPage area={area} id={String(key.id)} />
    </PanelState>,
  );
  await screen.findByRole("heading", { level: 1, name: key.keyString });
}

test("the key is the heading, then come the verdict, the devices, the facts and the timeline", async () => {
  await show("reseller", own);
  const page = document.body.textContent ?? "";
  const parts = [own.keyString, "for Ana", timeline.answer.message, "Remove Device", "Order 12", "Key generated"];
  const places = parts.map((part) => page.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
});

test("the timeline names devices, and the address at which players free them can be copied", async () => {
  const device = { deviceId: "a3f1", deviceName: "Pixel 8" };
  const connected = { at: own.createdAt, kind: "device_connected", by: null, ...device, code: null, count: null };
  const response = { ...timeline, events: [connected] } as Timeline;
  await show("reseller", own, { "GET /api/reseller/keys/:id/timeline": () => response });
  const [newest] = within(screen.getByRole("list", { name: "History" })).getAllByRole("listitem");
  expect(newest?.textContent).toStartWith("Device connectedPixel 8a3f1");
  await userEvent.click(screen.getByRole("button", { name: "Copy Address" }));
  expect(await navigator.clipboard.readText()).toBe(`${window.location.origin}/k`);
});

const phones = ["a-phone", "b-phone"].map(
  (deviceId, id) => ({ ...own.devices[0], id, deviceId, name: null }) as Device,
);

test.each([
  ["#block-device=B-ph", "b-phone"],
  ["#block-device=phone", null],
  ["#block-device=", null],
])("a link that ends with %s opens the dialog for the only device that it can mean", async (hash, deviceId) => {
  window.location.hash = hash;
  await show("reseller", { ...own, devices: phones });
  expect(window.location.hash).toBe("");
  if (deviceId === null) return expect(document.activeElement?.textContent).toBe("Block");
  const dialog = within(await screen.findByRole("dialog", { name: "Block Device" }));
  expect(dialog.getByLabelText("Device ID")).toHaveProperty("value", deviceId);
});

test.each<[string, Partial<ResellerKeyDetail>]>([
  ["without devices", { devices: [] }],
  ["of fewer than 12 characters", { keyString: "ANA-AND-BOB" }],
  ["that is not ACTIVE", { status: "EXPIRED" }],
])("a key %s has nothing that players could free", async (_, fields) => {
  await show("reseller", { ...own, ...fields });
  expect(screen.queryByRole("button", { name: "Copy Address" }) === null).toBeTrue();
});

const factsShown = () => [...document.querySelectorAll("dl > div")].map(({ textContent }) => textContent);

test("a key says when its time starts, since when it is paused, and what is left of it", async () => {
  await show("admin", { ...admins, starts: "first_use", startedAt: null, expiryDate: null });
  expect(factsShown().slice(1, 7)).toEqual([
    "Remaining–",
    "CreatedMar 05, 2025",
    "ExpiresStarts at first use · 30 days",
    "StartsAt first use",
    "StartedNot yet",
    "Duration30 days",
  ]);
  cleanup();
  const pausedAt = "2025-03-14T14:30:00.000Z";
  await show("admin", { ...admins, id: 8, starts: "first_use", status: "PAUSED", pausedAt });
  expect(factsShown().slice(1, 8)).toEqual([
    "Remaining21 days left",
    "CreatedMar 05, 2025",
    "ExpiresApr 04, 2025",
    "StartsAt first use",
    "StartedMar 05, 2025",
    "Duration30 days",
    "PausedMar 14, 2025, 14:30",
  ]);
});

test("a bar says how much of a started key's time is used, which a pause stops", async () => {
  await show("admin", { ...admins, status: "PAUSED", pausedAt: "2025-03-28T20:30:00.000Z" });
  expect(screen.getByText("23 of 30 days")).toBeTruthy();
  cleanup();
  await show("admin", { ...admins, id: 8, status: "EXPIRED", expiryDate: "2025-03-05T20:30:00.000Z" });
  expect(screen.getByText("6 of 6 hours")).toBeTruthy();
  cleanup();
  await show("admin", { ...admins, id: 9, startedAt: null, expiryDate: null });
  expect(screen.queryByText(/ of \d+ days/)).toBeNull();
});

test("the title has the key's last five characters", async () => {
  await show("reseller", own);
  expect(document.title).toBe(`Key …${own.keyString.slice(-5)} · Latchkey`);
});

test("a revoked key has no Revoke any more", async () => {
  await show("reseller", own, {
    "GET /api/games": () => [{ id: 1, name: own.game, isRetired: false, leaseHours: 24 }],
    "POST /api/reseller/keys/:id/revoke": () => {
      server.responses["GET /api/reseller/keys/:id"] = () => ({ ...own, status: "REVOKED" });
      return { message: "ok", key: { ...own, status: "REVOKED", devices: 1 }, refund: 0 };
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Revoke" }));
  const question = await screen.findByRole("alertdialog", { name: "Revoke License Key" });
  expect(within(question).getByText(own.keyString)).toBeTruthy();
  expect(await within(question).findByText("Offline games stop within 24 hours.")).toBeTruthy();
  await userEvent.click(within(question).getByRole("button", { name: "Revoke Key" }));
  await expectGone(() => screen.queryByRole("button", { name: "Revoke" }));
  expect(await screen.findByText("REVOKED")).toBeTruthy();
});

test("the note is changed in a dialog", async () => {
  await show("reseller", own, {
    "PUT /api/reseller/keys/:id/note": ({ body }) => {
      server.responses["GET /api/reseller/keys/:id"] = () => ({ ...own, ...(body as object) });
      return { message: "ok", key: { ...own, devices: 1 } };
    },
  });
  await userEvent.click(screen.getByRole("button", { name: "Note" }));
  const field = await screen.findByRole("textbox", { name: "Note" });
  await userEvent.clear(field);
  await userEvent.type(field, "for Rui{Enter}");
  expect(await screen.findByText("for Rui")).toBeTruthy();
});

test("an admin may revoke a reseller's key, but the note is the reseller's", async () => {
  await show("admin", resellers);
  expect(screen.getByRole("button", { name: "Revoke" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Note" }) === null).toBeTrue();
  expect(screen.getByRole("link", { name: "night.owl" }).getAttribute("href")).toBe("/admin/resellers/2");
  expect(screen.getByRole("link", { name: "Order 12" }).getAttribute("href")).toBe("/admin/orders/12");
});

test("Share is there where the browser has it, on a touch screen", async () => {
  const shared: ShareData[] = [];
  Object.assign(navigator, { share: async (data: ShareData) => void shared.push(data) });
  const touch = spyOn(window, "matchMedia").mockImplementation((query) => ({ matches: /coarse/.test(query) }) as never);
  try {
    await show("reseller", own);
    await userEvent.click(screen.getByRole("button", { name: "Share" }));
    expect(shared).toEqual([{ text: own.keyString }]);
  } finally {
    touch.mockRestore();
    Reflect.deleteProperty(navigator, "share");
  }
});

test.each<[string, Role, AdminKeyDetail | ResellerKeyDetail, string]>([
  ["own keys", "reseller", own, "/reseller/keys"],
  ["admin keys", "admin", admins, "/admin/create-keys?tab=manage"],
  ["the reseller's keys", "admin", resellers, "/admin/resellers/2/keys"],
])("without a page before, Back leads to %s", async (_list, area, key, href) => {
  await show(area, key);
  expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe(href);
});

test("a key that does not exist is reported", async () => {
  const missing = () => Response.json({ message: "There is no such key.", code: "NOT_FOUND" }, { status: 404 });
  stubFetch({ "GET /api/reseller/keys/:id": missing, "GET /api/reseller/keys/:id/timeline": missing });
  render(
    <PanelState>
      <KeyPage area="reseller" id="7" />
    </PanelState>,
  );
  expect(await screen.findByText("Key details not found")).toBeTruthy();
  await waitFor(() => expect(document.title).toBe("Key · Latchkey"));
});
