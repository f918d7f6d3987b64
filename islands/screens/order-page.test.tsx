import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ResellerKey } from "../../src/keys/schema.ts";
import type { ResellerOrderDetail } from "../../src/orders/schema.ts";
import { noRefund, startedKey, startedOrder } from "../../tests/key-times.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import OrderPage from "./order-page.tsx";

const opened = "GET /api/reseller/orders/:id";
const key = (id: number, more: Partial<ResellerKey> = {}): ResellerKey => ({
  ...{ id, keyString: `FIRE-${id}`, game: "FREE FIRE", status: "ACTIVE", deviceLimit: 2, devices: 0 },
  ...{
    createdAt: "2025-03-05T12:00:00.000Z",
    expiryDate: "2025-04-04T12:00:00.000Z",
    ...startedKey,
    orderId: 12,
    note: null,
  },
  ...more,
});
const order: ResellerOrderDetail = {
  ...{
    id: 12,
    at: "2025-03-05T12:00:00.000Z",
    game: "FREE FIRE",
    deviceLimit: 2,
    days: 30,
    count: 4,
    cost: 12,
    by: "night.owl",
    ...startedOrder,
  },
  ...{ note: null, externalId: null, shopLink: null, saleId: null },
  keys: [key(1, { devices: 1 }), key(2), key(3), key(4, { status: "REVOKED" })],
};

let server: FetchStub;
beforeEach(() => {
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show(responses: Responses = {}) {
  server = stubFetch({ [opened]: () => order, ...responses });
  return render(
    <PanelState>
      <OrderPage area="reseller" id="12" />
    </PanelState>,
  );
}

test("an order of a shop names its link and the sale", async () => {
  show({ [opened]: () => ({ ...order, shopLink: { id: 3, name: "Gold keys" }, saleId: "8e32:77" }) });
  expect((await screen.findByText("Sale in Gold keys")).parentElement?.textContent).toBe("Sale in Gold keys8e32:77");
});

test("an order shows what was bought, and the current state of its keys", async () => {
  show();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Order 12");
  await screen.findByText("30 days · 2 devices");
  const facts = [...document.querySelectorAll("dl > div")].map(({ textContent }) => textContent);
  expect(facts.slice(1)).toEqual([
    "GameFREE FIRE",
    "Keys4",
    "Each key30 days · 2 devices",
    "Expires04/04/2025",
    "Cost12 credits",
    "NoteNone",
  ]);
  expect(screen.getByText("3 active, 1 revoked; 2 keys not used yet")).toBeTruthy();
  const cells = within((await screen.findByText("FIRE-1")).closest("tr") as HTMLElement).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual(["FIRE-1", "Devices1 / 2", "StatusACTIVE", "View"]);
  expect(screen.getByRole("button", { name: "Copy All" })).toBeTruthy();
});

test("keys of an order are selected on its page and extended, and a link leads to them in Manage Keys", async () => {
  const counts = { mark: "m", newestId: 4, selected: 4, unused: 2, connected: 1, expired: 0, revoked: 1 };
  show({
    "POST /api/reseller/keys/selected": () => ({ ...counts, toRevoke: 3, toNote: 0, ...noRefund }),
    "GET /api/catalogue": () => new Response("", { status: 500 }),
  });
  const link = await screen.findByRole("link", { name: "View in Manage Keys" });
  expect(link.getAttribute("href")).toBe("/reseller/keys?order=12");
  // The checkboxes come with the first sign of a user.
  await userEvent.keyboard("{Shift}");
  await userEvent.click(await screen.findByRole("checkbox", { name: "Select FIRE-1" }));
  const bar = within(await screen.findByRole("region", { name: "Selected keys" }));
  expect(bar.getByRole("button", { name: "Extend 1 key" })).toBeTruthy();
  await userEvent.click(bar.getByRole("button", { name: "Select all that match" }));
  await userEvent.click(await bar.findByRole("button", { name: "Extend 4 keys" }));
  await screen.findByRole("dialog", { name: "Extend Selected Keys" });
  expect(server.received.filter(({ call }) => call.startsWith("POST")).map(({ body }) => body)).toEqual([
    { orderId: 12 },
    { orderId: 12, mark: "m" },
  ]);
});

test("an order says when its keys start, and each key its expiry where they differ", async () => {
  const [first, second] = [key(1, { devices: 1 }), key(2, { expiryDate: null })];
  show({ [opened]: () => ({ ...order, starts: "first_use", durationHours: 36, keys: [first, second] }) });
  await screen.findByText("36 hours from first use · 2 devices");
  const facts = [...document.querySelectorAll("dl > div")].map(({ textContent }) => textContent);
  expect(facts[4]).toBe("ExpiresDiffers by key");
  const cells = within((await screen.findByText("FIRE-2")).closest("tr") as HTMLElement).getAllByRole("cell");
  expect(cells[1]?.textContent).toBe("ExpiresStarts at first use · 30 days");
  expect(screen.getByRole("link", { name: "Buy again" }).getAttribute("href")).toBe(
    "/reseller/generate?game=FREE+FIRE&deviceLimit=2&hours=36&starts=first_use&count=4",
  );
});

test("an import shows what its keys have in common, and only the first of very many", async () => {
  const shared = { kind: "import" as const, game: null, deviceLimit: 2, days: null, durationHours: null, cost: 0 };
  show({ [opened]: () => ({ ...order, ...shared, count: 1_200 }) });
  await screen.findByText("The first 4 keys: 3 active, 1 revoked");
  const facts = [...document.querySelectorAll("dl > div")].map(({ textContent }) => textContent);
  expect(facts.slice(1, 6)).toEqual([
    ...["GameSeveral games", "Keys1,200", "Each key2 devices", "ExpiresDiffers by key", "CostNothing"],
  ]);
  expect(screen.getByText("Keys that were imported together.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Copy All" })).toBeNull();
  expect(screen.getByText("Buy again").closest("a")?.className).toContain("invisible");
});

test("an undone import says so, and has nothing to copy or to buy again", async () => {
  const undoneAt = "2025-03-06T12:00:00.000Z";
  const shared = { kind: "import" as const, game: "FREE FIRE", cost: 0, count: 0, keys: [], undoneAt };
  show({ [opened]: () => ({ ...order, ...shared }) });
  expect(await screen.findAllByText("Import, undone")).toHaveLength(2);
  expect(screen.getByText("Its keys were deleted.")).toBeTruthy();
  for (const name of ["Copy All", "Download"]) expect(screen.queryByRole("button", { name })).toBeNull();
  expect(screen.getByText("Buy again").closest("a")?.className).toContain("invisible");
});

test("an order that fails to load can be retried, and one that does not exist says so", async () => {
  show({ [opened]: () => new Response("", { status: 500 }) });
  await screen.findByRole("alert");
  server.responses[opened] = () =>
    Response.json({ code: "NOT_FOUND", message: "There is no such order." }, { status: 404 });
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  await screen.findByText("There is no such order.");
});

test("a note is written in a dialog, and is on the page once it is saved", async () => {
  let note: string | null = null;
  show({
    [opened]: () => ({ ...order, note }),
    "PUT /api/reseller/orders/:id/note": ({ body }) => {
      note = body.note ?? null;
      return { message: "Note saved", order: { ...order, note } };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Change note" }));
  const dialog = await screen.findByRole("dialog", { name: "Note" });
  await userEvent.type(within(dialog).getByLabelText("Note"), "For Ana{Enter}");
  await screen.findByText("For Ana");
  expect(currentToast.value).toMatchObject({ title: "Success", description: "Note saved" });
});

test("unused keys are revoked once their number is typed, and an outdated number is reported", async () => {
  let refuses = true;
  show({
    "GET /api/games": () => [
      { id: 1, name: "FREE FIRE", isRetired: false, leaseHours: 48 },
      { id: 2, name: "Chess", isRetired: false, leaseHours: 100 },
    ],
    "POST /api/reseller/orders/:id/revoke-unused": ({ body }) => {
      if (!refuses) return { message: "", revokedCount: body.count, refund: 0 };
      refuses = false;
      return Response.json({ code: "COUNT_CHANGED", message: "The order now has 1 unused key." }, { status: 409 });
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Revoke Unused" }));
  const question = await screen.findByRole("alertdialog", { name: "Revoke Unused Keys" });
  expect(question.textContent).toContain("2 keys of this order are active with no device connected.");
  await waitFor(() => expect(question.textContent).toContain("Offline games stop within 48 hours."));
  const confirm = within(question).getByRole("button", { name: "Revoke 2 keys" });
  expect((confirm as HTMLButtonElement).disabled).toBe(true);
  server.responses[opened] = () => ({ ...order, keys: [key(1, { devices: 1 }), key(2), key(3, { devices: 1 })] });
  await userEvent.type(within(question).getByRole("textbox"), "2{Enter}");
  await waitFor(() => expect(currentToast.value?.description).toBe("The order now has 1 unused key."));
  await waitFor(() => expect(question.textContent).toContain("1 key of this order is active"));
  await userEvent.clear(within(question).getByRole("textbox"));
  await userEvent.type(within(question).getByRole("textbox"), "1{Enter}");
  await waitFor(() => expect(currentToast.value?.description).toBe("Revoked 1 key successfully"));
  const bodies = server.received.filter(({ call }) => call.startsWith("POST")).map(({ body }) => body);
  expect(bodies).toEqual([{ count: 2 }, { count: 1 }]);
});
