import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Catalogue } from "../../src/catalogue/schema.ts";
import type { Sale, ShopLink } from "../../src/shop-links/schema.ts";
import { presets } from "../../src/shop-links/shop-link-form.ts";
import { expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import ShopLinks from "./shop-links.tsx";

const at = "2025-03-05T12:00:00.000Z";
const url = "https://keys.example.com/api/shop/hK3vWq8ZsT2mXc7RbN4pLdY6";
const link: ShopLink = {
  ...{ id: 3, name: "Gold keys", url, game: "FREE FIRE", durationId: 4, deviceLimit: 2, starts: "first_use" },
  ...{ ...presets.sellix, maxQuantity: 5, creditsPerDay: 40, isActive: true, createdAt: at, lastSaleAt: null },
};
const catalogue: Catalogue = {
  games: [{ id: 2, name: "FREE FIRE", aliases: [], prefix: "FIRE", maintenance: null }],
  durations: [
    { id: 4, label: "30 days", hours: 720 },
    { id: 5, label: "60 days", hours: 1_440 },
  ],
  deviceLimits: [1, 2, 100],
  prices: [
    { gameId: 2, durationId: 4, deviceLimit: 1, credits: 3 },
    { gameId: 2, durationId: 4, deviceLimit: 2, credits: 5 },
  ],
};
const secret = "shs_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd";
const create = "POST /api/reseller/shop-links";
const change = "PUT /api/reseller/shop-links/:id";

let rows: ShopLink[];
let sales: Sale[];
let server: FetchStub;
let nowMs: number;
beforeEach(() => {
  rows = [link];
  sales = [];
  nowMs = performance.now();
  spyOn(performance, "now").mockImplementation(() => nowMs);
  server = stubFetch({
    "GET /api/reseller/shop-links": () => rows,
    "GET /api/admin/shop-links": () => rows,
    "GET /api/catalogue": () => catalogue,
    "GET /api/auth/two-factor": () => ({ enabled: false, recoveryCodesLeft: 0 }),
    "GET /api/reseller/shop-links/:id/sales": () => sales,
    [change]: () => link,
    [create]: () => Response.json({ ...link, secret }, { status: 201 }),
    "POST /api/reseller/shop-links/:id/secret": () => ({ secret }),
    "DELETE /api/reseller/shop-links/:id": () => {
      rows = [];
      return { message: "Shop link deleted" };
    },
  });
});
afterEach(() => {
  spyOn(performance, "now").mockRestore();
  restoreFetch();
  queryClient.clear();
});

function show(area: "admin" | "reseller" = "reseller") {
  render(
    <PanelState>
      <ShopLinks area={area} username="night.owl" />
    </PanelState>,
  );
  const user = userEvent.setup();
  return {
    user,
    press: async (name: string, within_: Pick<typeof screen, "findByRole"> = screen) => {
      nowMs += doublePressMs;
      await user.click(await within_.findByRole("button", { name }));
    },
    choose: async (item: string) => {
      nowMs += doublePressMs;
      await user.click(await screen.findByRole("button", { name: "More" }));
      await user.click(await screen.findByRole("menuitem", { name: item }));
    },
  };
}

const opened = async (name: string) => within(await screen.findByRole("dialog", { name }));
const bodyOf = (call: string) => server.received.filter((each) => each.call.startsWith(call)).at(-1)?.body;

/** Fills in what each link needs. */
async function fillIn({ user }: ReturnType<typeof show>, dialog: Awaited<ReturnType<typeof opened>>) {
  await user.type(dialog.getByLabelText("Name"), "Gold keys");
  await user.selectOptions(dialog.getByLabelText("Game"), "FREE FIRE");
  await user.selectOptions(dialog.getByLabelText("Duration"), "30 days (3 credits)");
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
}

test("a link for another shop is made of what the shop sends, and its address and secret are shown until they are saved", async () => {
  rows = [];
  const shown = show();
  const { user, press } = shown;
  await screen.findByText("No shop links yet");
  await press("New Shop Link");
  const dialog = await opened("New Shop Link");
  await user.selectOptions(dialog.getByLabelText("Shop"), "other");
  await fillIn(shown, dialog);
  const durations = within(dialog.getByLabelText("Duration"));
  expect(durations.queryByRole("option", { name: /60 days/ }) === null).toBeTrue();
  await user.selectOptions(dialog.getByLabelText("HMAC"), "SHA512");
  await user.type(dialog.getByLabelText("Sale ID"), "order.id, line.id");
  await user.type(dialog.getByLabelText("Quantity (optional)"), "line.count");
  rows = [link];
  await press("Save", dialog);
  const made = await opened("Gold keys");
  made.getByText(secret);
  made.getByText(url);
  await made.findByText("Waiting for the first sale");
  expect(bodyOf(create)).toEqual({
    ...{ name: "Gold keys", game: "FREE FIRE", deviceLimit: 1, durationId: 4, starts: "creation", maxQuantity: 10 },
    ...{ signature: { header: "X-Signature", algorithm: "sha512" }, saleId: ["order.id", "line.id"] },
    ...{ quantity: "line.count", creditsPerDay: null, password: "secret1" },
  });
  nowMs += doublePressMs;
  await press("I've saved it", made);
  await expectGone(() => screen.queryByRole("dialog"));
  await screen.findByText("FREE FIRE · 30 days from first use · 2 devices · at most 40 credits a day");
});

test("SellAuth's link has SellAuth's contract and secret, which is not shown again", async () => {
  const shown = show();
  await shown.press("New Shop Link");
  const dialog = await opened("New Shop Link");
  await fillIn(shown, dialog);
  await shown.user.type(dialog.getByLabelText("Secret"), "made-by-the-shop-1");
  await shown.press("Save", dialog);
  const made = await opened("Gold keys");
  expect(made.queryByText(secret) === null).toBeTrue();
  expect(bodyOf(create)).toMatchObject({ ...presets.sellauth, secret: "made-by-the-shop-1" });
  await shown.press("Close", made);
});

test("what the server refuses is said at the fields: shops with a preset have their own secret", async () => {
  const errors = [
    { path: "secret", message: "Secret must be 16 to 256 visible characters" },
    { path: "signature", message: "The header must be 1 to 64 letters" },
  ];
  const refusal = (code: string, more: object) =>
    Response.json({ code, message: "FREE FIRE is no longer sold.", ...more }, { status: 422 });
  server.responses[create] = () => refusal("INVALID", { errors });
  const shown = show();
  await shown.press("New Shop Link");
  const dialog = await opened("New Shop Link");
  await shown.press("Save", dialog);
  await dialog.findByText("Secret must be 16 to 256 visible characters");
  expect(bodyOf(create)).toMatchObject({ secret: "" });
  await shown.user.selectOptions(dialog.getByLabelText("Shop"), "other");
  await shown.press("Save", dialog);
  await dialog.findByText("The header must be 1 to 64 letters");
  expect(Object.keys(bodyOf(create) as object)).not.toContain("secret");
  server.responses[create] = () => refusal("NOT_SOLD", {});
  await shown.press("Save", dialog);
  await dialog.findByText("FREE FIRE is no longer sold.");
  expect(dialog.getByLabelText("Duration").getAttribute("aria-invalid")).toBe("true");
});

test("an edit begins with what was saved, and needs no password", async () => {
  const { user, press, choose } = show();
  await choose("Edit");
  const dialog = await opened("Edit Shop Link");
  const values = ["Shop", "Game", "Device Limit", "Duration", "Starts", "Keys per Sale"].map(
    (label) => dialog.getByLabelText<HTMLInputElement>(label).value,
  );
  expect(values).toEqual(["sellix", "FREE FIRE", "2", "4", "first_use", "5"]);
  expect(dialog.queryByLabelText("Your Password") === null).toBeTrue();
  await user.clear(dialog.getByLabelText("Name"));
  await user.type(dialog.getByLabelText("Name"), "Silver keys");
  await user.clear(dialog.getByLabelText("Credits per Day (optional)"));
  await press("Save", dialog);
  await expectGone(() => screen.queryByRole("dialog"));
  const { game, durationId, deviceLimit, starts, maxQuantity } = link;
  expect(bodyOf("PUT")).toEqual({
    ...{ name: "Silver keys", game, durationId, deviceLimit, starts, maxQuantity, creditsPerDay: null },
    ...presets.sellix,
  });
});

test("what is no longer sold is said, and nothing else is chosen for it", async () => {
  rows = [{ ...link, game: "OLD GAME", durationId: 9 }];
  const { choose } = show();
  await screen.findByText(/its duration is no longer sold/);
  await choose("Edit");
  const dialog = await opened("Edit Shop Link");
  for (const label of ["Game", "Duration"]) expect(dialog.getByLabelText<HTMLSelectElement>(label).value).toBe("");
});

test("admins choose any duration and have no limit of credits", async () => {
  const { press } = show("admin");
  await press("New Shop Link");
  const dialog = await opened("New Shop Link");
  expect(within(dialog.getByLabelText("Duration")).getAllByRole("option", { name: /days/ })).toHaveLength(2);
  expect(dialog.queryByLabelText("Credits per Day (optional)") === null).toBeTrue();
});

test("a link is switched off and on", async () => {
  const { choose } = show();
  server.responses[change] = () => {
    rows = [{ ...link, isActive: false }];
    return link;
  };
  await choose("Switch Off");
  await screen.findByText("Switched off");
  expect([bodyOf("PUT"), currentToast.value?.description]).toEqual([{ isActive: false }, "Gold keys is switched off"]);
  await choose("Switch On");
  expect(bodyOf("PUT")).toEqual({ isActive: true });
});

test("a new secret needs one's own password, and is shown only where the server made it", async () => {
  rows = [{ ...link, ...presets.other, saleId: ["id"] }];
  const { user, press, choose } = show();
  await choose("New Secret");
  const dialog = await opened("New Secret");
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  await press("Save", dialog);
  (await opened("Gold keys")).getByText(secret);
  expect(bodyOf("POST")).toEqual({ password: "secret1" });
});

test("a link is deleted after a question", async () => {
  const { press, choose } = show();
  await choose("Delete");
  const question = within(await screen.findByRole("alertdialog", { name: "Delete Shop Link" }));
  await press("Delete Shop Link", question);
  await screen.findByText("No shop links yet");
});

test("sales name their order, or the reason and what the shop did not send", async () => {
  const sale = { at, saleId: "8f1c:1", quantity: 2, count: 1 };
  const message = "data.quantity finds no number of keys.";
  sales = [
    { ...sale, id: 2, status: 422, code: "INVALID", message, orderId: null, saleId: null, quantity: null, count: 3 },
    { ...sale, id: 1, status: 200, code: null, message: null, orderId: 12 },
  ];
  const { press } = show();
  await screen.findByText("No sale yet");
  await press("Sales");
  const dialog = await opened("Gold keys");
  const order = await dialog.findByRole("link", { name: "Order 12, 2 keys" });
  expect(order.getAttribute("href")).toBe("/reseller/orders/12");
  const [refused, delivered] = dialog.getAllByRole("listitem").map((item) => item.textContent ?? "");
  for (const words of ["Sale ID not read", "Refused", `${message} (422 INVALID)`, "3 times"])
    expect(refused).toContain(words);
  for (const words of ["8f1c:1", "Delivered"]) expect(delivered).toContain(words);
  dialog.getByText(/A refused sale cost nothing/);
});

test("a link without a sale says what to do, until the first one comes by itself", async () => {
  const { press } = show();
  await press("Sales");
  const dialog = await opened("Gold keys");
  await dialog.findByText(/^In Sellix, make a product of the type Dynamic/);
  sales = [{ id: 1, at, saleId: "8f1c:1", quantity: 1, status: 200, code: null, message: null, orderId: 12, count: 1 }];
  await dialog.findByRole("link", { name: "Order 12, 1 key" }, { timeout: 20_000 });
  await expectGone(() => dialog.queryByText(/^In Sellix, make a product/));
});
