import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ResellerKey, ResellerKeyDetail } from "../../src/keys/schema.ts";
import type { Timeline } from "../../src/keys/timeline/timeline-schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { noKeyRefund, startedKey } from "../../tests/key-times.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { rowsPerPage } from "../api/paged-rows.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { sessionLost } from "../state/signals.ts";
import { currentToast } from "../ui/toast/store.ts";
import Keys from "./own-keys.tsx";

const active: ResellerKey = {
  id: 7,
  keyString: "PBGM-A1B2C-D3E4F-G5H6I",
  game: "PUBG MOBILE",
  status: "ACTIVE",
  createdAt: "2025-03-05T14:30:00.000Z",
  expiryDate: "2025-04-04T14:30:00.000Z",
  ...startedKey,
  deviceLimit: 100,
  devices: 2,
  orderId: null,
  note: null,
};
const expired: ResellerKey = { ...active, id: 8, keyString: "OLD-KEY", status: "EXPIRED", deviceLimit: 1, devices: 0 };
const devices = [
  { id: 1, deviceId: "phone-one", name: null, lastSeen: "2025-03-08", firstConnected: "2025-03-06T10:00:00.000Z" },
  { id: 2, deviceId: "phone-two", name: null, lastSeen: "2025-03-08", firstConnected: "2025-03-07T10:00:00.000Z" },
];

const timeline: Timeline = {
  answer: { code: "VALID", message: "Works. 2 of 100 devices connected.", advice: "Compare the game." },
  events: [],
};

/** The address of an unknown key may contain any text. */
function detailsOf(id: string): ResellerKeyDetail | Response {
  if (id === "7") return { ...active, deviceCount: 2, devices, ...noKeyRefund, pauseNote: null, pausedBy: null };
  if (id === "8")
    return {
      ...expired,
      deviceCount: 1,
      devices: devices.slice(0, 1),
      ...noKeyRefund,
      pauseNote: null,
      pausedBy: null,
    };
  return Response.json({ message: "There is no such key." }, { status: 404 });
}

let rows: ResellerKey[];
let server: FetchStub;
beforeEach(() => {
  keepSeededCatalogue();
  rows = [active, expired];
  server = stubFetch({
    "GET /api/reseller/keys": () => Response.json(rows, { headers: { "x-match-count": String(rows.length) } }),
    "GET /api/reseller/keys/:id": ({ params }) => detailsOf(params.id ?? ""),
    "GET /api/reseller/keys/:id/timeline": () => timeline,
  });
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  window.history.replaceState(null, "", "/");
  queryClient.clear();
});

function show(search = "") {
  window.history.replaceState(null, "", `/reseller/keys${search}`);
  render(
    <PanelState>
      <Keys search={search} />
    </PanelState>,
  );
}

const row = async (keyString: string) =>
  (await screen.findByText(keyString, { selector: ".sr-only" })).closest("tr") as HTMLElement;

test("a key is cut to 20 characters on the screen and whole for screen readers; 100 devices read Unlimited", async () => {
  show();
  const { textContent } = within(await row(active.keyString)).getAllByRole("cell")[0] as HTMLElement;
  expect(textContent).toBe("PBGM-A1B2C-D3E4F-G5H…PBGM-A1B2C-D3E4F-G5H6I");
  expect(within(await row(active.keyString)).getByText("2 / Unlimited")).toBeTruthy();
  expect(screen.getByText("Showing 2 of 2 keys")).toBeTruthy();
});

test("a key's note is below it, so that a search shows why the key was found", async () => {
  rows = [{ ...active, note: "For Ana" }, expired];
  show();
  const { textContent } = within(await row(active.keyString)).getAllByRole("cell")[0] as HTMLElement;
  expect(textContent).toEndWith(`${active.keyString}For Ana`);
});

test("a key that has not started says so instead of a date, and a paused one is PAUSED, which is a filter", async () => {
  const unstarted: ResellerKey = { ...active, starts: "first_use", startedAt: null, expiryDate: null };
  rows = [unstarted, { ...expired, status: "PAUSED", pausedAt: active.createdAt }];
  show();
  const cells = within(await row(active.keyString)).getAllByRole("cell");
  expect(cells.slice(2, 4).map(({ textContent }) => textContent)).toEqual([
    "Created03/05/2025 ·",
    "ExpiryStarts at first use · 30 days",
  ]);
  const badge = within(await row(expired.keyString))
    .getByText("PAUSED")
    .closest("[class]");
  expect(badge?.className).toContain("text-other");
  expect(within(await row(expired.keyString)).getByRole("button", { name: "Revoke" })).toBeTruthy();
  await userEvent.selectOptions(screen.getByLabelText("Status"), "PAUSED");
  await waitFor(() => expect(server.calls().at(-1)).toContain("status=PAUSED"));
});

test("a row is extended between View and Revoke, says how many days are left, and a revoked key has neither", async () => {
  const expiryDate = new Date(Date.now() + 3 * 86_400_000).toISOString();
  rows = [
    { ...active, expiryDate },
    { ...expired, status: "REVOKED", expiryDate },
  ];
  server.responses["GET /api/reseller/profile"] = () => ({ username: "night.owl", credits: 10, registrationDate: "" });
  server.responses["POST /api/reseller/keys/:id/extend"] = () => {
    rows = [expired];
    return { message: "", key: expired, cost: 3, credits: 7 };
  };
  show();
  const first = within(await row(active.keyString));
  expect(first.getByText("3 days left")).toBeTruthy();
  const buttons = first.getAllByRole("button").map(({ textContent }) => textContent);
  expect(buttons.slice(-4)).toEqual(["View", "Extend", "Revoke", ""]);
  expect(first.getByRole("button", { name: "More" })).toBeTruthy();
  const revoked = within(await row(expired.keyString));
  expect(revoked.queryByText("3 days left")).toBeNull();
  expect(revoked.queryByRole("button", { name: "Extend" })).toBeNull();
  await userEvent.click(first.getByRole("button", { name: "Extend" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Extend Key" }));
  await userEvent.click(await dialog.findByRole("button", { name: "Extend for 3 credits" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Key extended successfully"));
  expect(server.calls("POST")).toEqual(["POST /api/reseller/keys/7/extend"]);
  await expectGone(() => screen.queryByText(active.keyString, { selector: "td *" }));
});

test("an order in the address narrows the list, and one press shows all orders again", async () => {
  show("?order=12");
  await row(active.keyString);
  expect(server.calls()[0]).toContain("orderId=12");
  await userEvent.click(screen.getByRole("button", { name: "Order 12: show all keys" }));
  await waitFor(() => expect(server.calls().at(-1)).not.toContain("orderId"));
  expect(window.location.search).toBe("");
});

test("only an ACTIVE key can be revoked", async () => {
  show();
  expect(within(await row(active.keyString)).getByRole("button", { name: "Revoke" })).toBeTruthy();
  expect(within(await row(expired.keyString)).queryByRole("button", { name: "Revoke" }) === null).toBeTrue();
});

test("the server searches and filters, and the address has the filters", async () => {
  show("?game=FREE+FIRE");
  await row(active.keyString);
  await userEvent.type(screen.getByRole("searchbox"), "pb{Enter}");
  await userEvent.selectOptions(screen.getByLabelText("Status"), "ACTIVE");
  await waitFor(() =>
    expect(server.calls().at(-1)).toBe(
      `GET /api/reseller/keys?search=pb&game=FREE+FIRE&status=ACTIVE&sort=created&order=desc&count=true&limit=${rowsPerPage}`,
    ),
  );
  expect(window.location.search).toBe("?game=FREE+FIRE&search=pb&status=ACTIVE");
});

test("no keys and no match have different messages", async () => {
  rows = [];
  show();
  const empty = (await screen.findByText("No keys found.")).parentElement as HTMLElement;
  expect(within(empty).getByRole("link", { name: "Generate Keys" }).getAttribute("href")).toBe("/reseller/generate");
  expect(screen.queryByText("Try changing your search filters.") === null).toBeTrue();
  await userEvent.selectOptions(screen.getByLabelText("Game"), "FREE FIRE");
  expect(await screen.findByText("Try changing your search filters.")).toBeTruthy();
  expect(screen.getByText("No keys found.")).toBeTruthy();
});

test("revoking asks with the specified text, and shows the row as the server returned it", async () => {
  show();
  const revoked: ResellerKey = { ...active, status: "REVOKED" };
  server.responses["POST /api/reseller/keys/:id/revoke"] = () => ({ message: "ok", key: revoked, refund: 0 });
  await userEvent.click(within(await row(active.keyString)).getByRole("button", { name: "Revoke" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Revoke License Key" });
  expect(
    within(dialog).getByText(
      "Are you sure you want to revoke this key? This action cannot be undone. Users will no longer be able to use this license key after revocation.",
    ),
  ).toBeTruthy();
  expect(within(dialog).getByText(active.keyString)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(server.calls("POST")).toEqual([]);

  rows = [revoked, expired];
  await userEvent.click(within(await row(active.keyString)).getByRole("button", { name: "Revoke" }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke Key" }));
  await expectGone(() => screen.queryByRole("alertdialog"));
  expect(server.calls("POST")).toEqual(["POST /api/reseller/keys/7/revoke"]);
  expect(currentToast.value).toMatchObject({
    title: "Key Revoked",
    description: "The key has been successfully revoked",
  });
  expect(within(await row(active.keyString)).getByText("REVOKED")).toBeTruthy();
});

test("a revocation that fails says why, and the dialog stays", async () => {
  show();
  server.responses["POST /api/reseller/keys/:id/revoke"] = () => new Response("", { status: 500 });
  await userEvent.click(within(await row(active.keyString)).getByRole("button", { name: "Revoke" }));
  await userEvent.click(await screen.findByRole("button", { name: "Revoke Key" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to revoke key"));
  expect(screen.getByRole("alertdialog")).toBeTruthy();
});

test("View opens the key's details, which are in the address", async () => {
  show();
  await userEvent.click(within(await row(active.keyString)).getByRole("button", { name: "View" }));
  const dialog = await screen.findByRole("dialog", { name: "Key Details" });
  expect(await within(dialog).findByText("phone-two")).toBeTruthy();
  expect(dialog.textContent).toContain("First connected 03/06/2025");
  expect(window.location.search).toBe("?key=7");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(window.location.search).toBe(""));
});

test("a device has its name above its id, and the UTC day on which it was last seen", async () => {
  const [phone] = devices as [(typeof devices)[number]];
  const named = [{ ...phone, name: "Ana's phone", firstConnected: "2025-03-06T10:00:00.000Z", lastSeen: "2025-03-09" }];
  server.responses["GET /api/reseller/keys/:id"] = () => ({
    ...active,
    deviceCount: 1,
    devices: named,
    ...noKeyRefund,
    pauseNote: null,
    pausedBy: null,
  });
  show("?key=7");
  const name = await screen.findByText("Ana's phone");
  expect(name.closest("li")?.textContent).toMatch(
    /^Ana's phonephone-oneFirst connected 03\/06\/2025 · \d+ y agoLast seen 03\/09\/2025/,
  );
  expect(screen.getByRole("button", { name: "Remove Device Ana's phone phone-one" })).toBeTruthy();
});

test("a device id that many devices share is called a placeholder", async () => {
  const shared = [
    ...devices,
    { id: 3, deviceId: "Unknown", name: null, lastSeen: "2025-03-08", firstConnected: "2025-03-08T10:00:00.000Z" },
  ];
  server.responses["GET /api/reseller/keys/:id"] = () => ({
    ...active,
    deviceCount: 3,
    devices: shared,
    ...noKeyRefund,
    pauseNote: null,
    pausedBy: null,
  });
  show("?key=7");
  const id = await screen.findByText("Unknown");
  const notes = await screen.findAllByText(/^A placeholder, not a real ID/);
  expect(notes.map((note) => note.closest("li") === id.closest("li"))).toEqual([true]);
});

test("a device is removed from an ACTIVE key at once, and a removal that fails says so", async () => {
  show("?key=7");
  server.responses["POST /api/reseller/keys/:id/devices/:deviceId/remove"] = ({ params }) => {
    const left = devices.filter(({ id }) => String(id) !== params.deviceId);
    server.responses["GET /api/reseller/keys/:id"] = () => ({
      ...active,
      deviceCount: left.length,
      devices: left,
      ...noKeyRefund,
      pauseNote: null,
      pausedBy: null,
    });
    return { message: "ok" };
  };
  const remove = await screen.findByRole("button", { name: "Remove Device phone-one" });
  await userEvent.click(remove);
  await waitFor(() => expect(remove.textContent).toBe("Removed"));
  await expectFocus(remove);
  expect(currentToast.value).toMatchObject({ title: "Success", description: "Device removed successfully" });
  server.responses["POST /api/reseller/keys/:id/devices/:deviceId/remove"] = () => new Response("", { status: 500 });
  await userEvent.click(screen.getByRole("button", { name: "Remove Device phone-two" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to remove device"));
  expect(screen.getByRole("button", { name: "Remove Device phone-two" })).toBeTruthy();
});

test("a removed device keeps its row until the dialog closes, so that a second press removes no other", async () => {
  show("?key=7");
  server.responses["POST /api/reseller/keys/:id/devices/:deviceId/remove"] = ({ params }) => {
    const left = devices.filter(({ id }) => String(id) !== params.deviceId);
    server.responses["GET /api/reseller/keys/:id"] = () => ({
      ...active,
      deviceCount: left.length,
      devices: left,
      ...noKeyRefund,
      pauseNote: null,
      pausedBy: null,
    });
    return { message: "ok" };
  };
  const remove = await screen.findByRole("button", { name: "Remove Device phone-one" });
  await userEvent.dblClick(remove);
  await waitFor(() => expect(remove.textContent).toBe("Removed"));
  await userEvent.click(remove);
  expect(server.calls("POST")).toEqual(["POST /api/reseller/keys/7/devices/1/remove"]);
  const rows = within(screen.getByRole("dialog")).getAllByRole("listitem");
  expect(rows.map((device) => device.querySelector(".key-text")?.textContent)).toEqual(["phone-one", "phone-two"]);
  await userEvent.keyboard("{Escape}");
  await userEvent.click(within(await row(active.keyString)).getByRole("button", { name: "View" }));
  expect(await screen.findByText("phone-two")).toBeTruthy();
  expect(screen.queryByText("phone-one") === null).toBeTrue();
});

test("while the devices load there is room for as many as the list counts", async () => {
  const detail = Promise.withResolvers<ResellerKeyDetail>();
  server.responses["GET /api/reseller/keys/:id"] = () => detail.promise;
  show();
  await userEvent.click(within(await row(active.keyString)).getByRole("button", { name: "View" }));
  expect((await screen.findByRole("status", { name: "Loading the connected devices" })).children).toHaveLength(2);
  detail.resolve({ ...active, deviceCount: 2, devices, ...noKeyRefund, pauseNote: null, pausedBy: null });
  expect(await screen.findByText("phone-two")).toBeTruthy();
});

test("details that fail because of a lost session lead to the login", async () => {
  server.responses["GET /api/reseller/keys/:id"] = () =>
    Response.json({ message: "Please sign in first.", code: "NOT_SIGNED_IN" }, { status: 401 });
  show("?key=7");
  const dialog = await screen.findByRole("dialog");
  expect((await within(dialog).findByRole("link", { name: /^Log in again/ })).getAttribute("href")).toBe("/");
  sessionLost.value = false;
});

test("a key that is no longer ACTIVE shows its devices without a way to remove them", async () => {
  show("?key=8");
  expect(await screen.findByText("phone-one")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Remove Device/ }) === null).toBeTrue();
});

test.each([
  ["an Unlimited key", { deviceLimit: 100 }, 1],
  ["a key for fewer devices", { deviceLimit: 2 }, 0],
  ["a revoked key", { deviceLimit: 100, status: "REVOKED" as const }, 0],
])("only an ACTIVE key for many devices says how fast new ones connect: %s", async (_what, fields, hints) => {
  server.responses["GET /api/reseller/keys/:id"] = () => ({
    ...active,
    ...fields,
    deviceCount: 2,
    devices,
    ...noKeyRefund,
    pauseNote: null,
    pausedBy: null,
  });
  show("?key=7");
  expect(await screen.findByText("phone-one")).toBeTruthy();
  const hint = "At most 10 new devices per minute and 60 per hour can connect from one address.";
  expect(screen.queryAllByText(hint)).toHaveLength(hints);
});

test("a key without devices and an unknown key say so", async () => {
  server.responses["GET /api/reseller/keys/:id"] = ({ params }) =>
    params.id === "7"
      ? { ...active, deviceCount: 0, devices: [], ...noKeyRefund, pauseNote: null, pausedBy: null }
      : detailsOf("another reseller's");
  show("?key=7");
  expect(await screen.findByText("No devices connected to this key yet")).toBeTruthy();
  act(() => {
    window.history.replaceState(null, "", "/reseller/keys?key=nonsense");
    window.dispatchEvent(new PopStateEvent("popstate"));
  });
  expect(await screen.findByText("Key details not found")).toBeTruthy();
});

test("an address with an invalid status or order lists the keys without it", async () => {
  show("?status=bar&sort=bad&descending=maybe");
  await row(active.keyString);
  expect(server.calls()).toEqual([`GET /api/reseller/keys?sort=created&order=desc&count=true&limit=${rowsPerPage}`]);
  expect(screen.queryByRole("button", { name: "Clear Filters" }) === null).toBeTrue();
});
