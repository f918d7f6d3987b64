import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { AdminKey } from "../../src/keys/schema.ts";
import type { AdminKeyOrder } from "../../src/orders/schema.ts";
import type { Stats } from "../../src/reports/schema.ts";
import { expectFocus } from "../../tests/expect-element.ts";
import { startedKey } from "../../tests/key-times.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import AdminKeys from "./admin-keys.tsx";

const make = "POST /api/admin/keys/generate";
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

const stats: Stats = {
  ...{ totalResellers: 3, activeKeys: 172, availableTokens: 4, totalAdminKeys: 128 },
  ...{ activeOnlineUpdates: 1, inactiveOnlineUpdates: 2 },
};

let server: FetchStub;
beforeEach(() => {
  keepSeededCatalogue();
  server = stubFetch({
    "GET /api/admin/keys/manage": () => ({ keys: [key(7)], totalCount: 1, matchCount: 1, nextCursor: null }),
    "GET /api/admin/stats": () => stats,
  });
  currentToast.value = null;
  window.history.replaceState(null, "", "/admin/create-keys");
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
      <AdminKeys search={window.location.search} />
    </PanelState>,
  );
  return user;
}

const orders = () => server.received.filter(({ call }) => call === make);
const idempotencyKeys = () => orders().map(({ headers }) => headers.get("idempotency-key"));
const button = (name: string) => screen.getByRole("button", { name });
const says = (description: string) => waitFor(() => expect(currentToast.value?.description).toBe(description));

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const made = (count: number) => () => ({
  ...{ orderId: 12, cost: 0 },
  keys: Array.from({ length: count }, (_, id) => key(id)),
});

async function fill(user: ReturnType<typeof show>, texts: Record<string, string>) {
  for (const [label, text] of Object.entries(texts)) {
    await user.clear(field(label));
    if (text !== "") await user.type(field(label), text);
  }
}

test("begins with no game, 1 device, 30 days and 1 key, and loads no list of keys", async () => {
  show();
  expect(["Game", "Device Limit", "Days Valid", "Number of Keys"].map((label) => field(label).value)).toEqual([
    "",
    "1",
    "30",
    "1",
  ]);
  const limits = [...field("Device Limit").querySelectorAll("option")].map(({ textContent }) => textContent);
  expect(limits).toEqual(["1 device", "2 devices", "5 devices", "10 devices", "Unlimited"]);
  expect(screen.getByText("As an admin, you can generate unlimited keys.")).toBeTruthy();
  expect(server.calls()).toEqual([]);
});

test("each invalid field has a message, the first is focused, and nothing is sent", async () => {
  const user = show();
  await fill(user, { "Days Valid": "0", "Number of Keys": "101", "Custom Key (optional)": "a b" });
  await user.click(button("Generate Keys"));
  for (const message of [
    "Game selection is required",
    "Must be at least 1 day",
    "Must generate at most 100 keys",
    "Custom key must be 4 to 64 letters, digits, hyphens or underscores",
  ]) {
    expect(screen.getByText(message)).toBeTruthy();
  }
  await expectFocus(field("Game"));
  await fill(user, { "Number of Keys": "0" });
  await user.click(button("Generate Key"));
  expect(screen.getByText("Must generate at least 1 key")).toBeTruthy();
  expect(server.calls()).toEqual([]);
});

test("Random needs a game, and fills in a key of that game", async () => {
  const user = show();
  await user.click(button("Random"));
  expect(screen.getByText("Please select a game first")).toBeTruthy();
  await user.selectOptions(field("Game"), "LAST ISLAND OF SURVIVAL");
  expect(screen.queryByText("Please select a game first") === null).toBeTrue();
  await user.click(button("Random"));
  expect(field("Custom Key (optional)").value).toMatch(/^LIOS(-[A-Z0-9]{5}){3}$/);
});

test("the form warns of a custom key that can be guessed", async () => {
  const user = show();
  await fill(user, { "Custom Key (optional)": "AB12" });
  expect(screen.getByText(/^Easy to guess/)).toBeTruthy();
});

test("an order is sent with a date, its keys are shown, and the next order has another Idempotency-Key", async () => {
  server.responses[make] = made(2);
  const user = show();
  await user.selectOptions(field("Game"), "FREE FIRE");
  await user.selectOptions(field("Device Limit"), "Unlimited");
  await fill(user, { "Days Valid": "10", "Number of Keys": "2", "Custom Key (optional)": "MINE-1" });
  await user.click(button("Generate Keys"));
  await says("Generated 2 admin key(s) successfully");
  const { expiryDate, ...order } = (orders()[0]?.body ?? {}) as Partial<AdminKeyOrder>;
  expect(order).toEqual({ game: "FREE FIRE", deviceLimit: 100, count: 2, keyString: "MINE-1" });
  const days = (Date.parse(`${expiryDate}T00:00:00Z`) - Date.now()) / 86_400_000;
  expect(Math.ceil(days)).toBe(10);
  expect([field("Custom Key (optional)").value, field("Number of Keys").value]).toEqual(["", "1"]);
  const list = within(await screen.findByRole("region", { name: "Generated Keys" }));
  await expectFocus(screen.getByRole("region", { name: "Generated Keys" }));
  await user.click(list.getAllByRole("button", { name: "Copy Key" })[1] as HTMLElement);
  await says("Copied! Key copied to clipboard");
  expect(await navigator.clipboard.readText()).toBe("FIRE-1");
  // Right after it the same press again would be the second one of a double click.
  const realNow = performance.now.bind(performance);
  const later = spyOn(performance, "now").mockImplementation(() => realNow() + doublePressMs);
  expect(screen.queryByRole("button", { name: /^generate keys?$/i }) === null).toBeTrue();
  await user.click(button("Generate More"));
  await fill(user, { "Number of Keys": "2" });
  await user.click(button("Generate Keys"));
  await waitFor(() => expect(orders()).toHaveLength(2));
  later.mockRestore();
  const [first, second] = idempotencyKeys();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first as string);
});

test("keys that start at first use are ordered by their days or hours instead of a date", async () => {
  server.responses[make] = made(1);
  const user = show();
  await user.selectOptions(field("Game"), "FREE FIRE");
  await user.selectOptions(field("Starts"), "At first use");
  expect(screen.getByText("1 to 365, from when the first device connects")).toBeTruthy();
  await user.selectOptions(field("Unit"), "Hours");
  expect(screen.getByText("1 to 8,760, from when the first device connects")).toBeTruthy();
  for (const [text, message] of [
    ["0", "Must be at least 1 hour"],
    ["8761", "Must be at most 8,760 hours"],
    ["1.5", "Must be a whole number"],
  ] as const) {
    await fill(user, { Duration: text });
    await user.click(button("Generate Key"));
    expect(screen.getByText(message)).toBeTruthy();
  }
  await fill(user, { Duration: "36" });
  await user.click(button("Generate Key"));
  await says("Generated 1 admin key(s) successfully");
  expect(orders().map(({ body }) => body)).toEqual([
    { game: "FREE FIRE", deviceLimit: 1, starts: "first_use", durationHours: 36, count: 1 },
  ]);
});

test("an order whose response was lost is sent again with the same Idempotency-Key", async () => {
  const user = show();
  await user.selectOptions(field("Game"), "FREE FIRE");
  await user.click(button("Generate Key"));
  await says("Failed to generate key");
  server.responses[make] = made(1);
  await user.click(button("Generate Key"));
  await says("Generated 1 admin key(s) successfully");
  const [first, second] = idempotencyKeys();
  expect(second).toBe(first as string);
});

test("a custom key that is taken is reported at its field, and stays there", async () => {
  const message = "The key MINE-1 is already taken.";
  server.responses[make] = () => Response.json({ message, code: "KEY_TAKEN" }, { status: 409 });
  const user = show();
  await user.selectOptions(field("Game"), "FREE FIRE");
  await fill(user, { "Custom Key (optional)": "MINE-1" });
  await user.click(button("Generate Key"));
  await says(message);
  expect(screen.getByText(message)).toBeTruthy();
  await expectFocus(field("Custom Key (optional)"));
  expect(field("Custom Key (optional)").value).toBe("MINE-1");
});

test("the server's objection to the date is shown at the days", async () => {
  const message = "The expiry date must be at most 366 days away.";
  const errors = [{ path: "expiryDate", message }];
  server.responses[make] = () => Response.json({ message, code: "INVALID", errors }, { status: 422 });
  const user = show();
  await user.selectOptions(field("Game"), "FREE FIRE");
  await user.click(button("Generate Key"));
  expect(await screen.findByText(message)).toBeTruthy();
  expect(field("Days Valid").getAttribute("aria-invalid")).toBe("true");
  await expectFocus(field("Days Valid"));
});

test("an emptied field is still empty after a visit to the other tab", async () => {
  const user = show();
  await fill(user, { "Days Valid": "", "Custom Key (optional)": "MINE-1" });
  await user.click(screen.getByRole("tab", { name: "Manage" }));
  expect(await screen.findByText("FIRE-7")).toBeTruthy();
  await user.click(screen.getByRole("tab", { name: "Generate" }));
  expect([field("Game").value, field("Days Valid").value, field("Custom Key (optional)").value]).toEqual([
    "",
    "",
    "MINE-1",
  ]);
});

test("typed text and generated keys are still there after a visit to the other tab", async () => {
  server.responses[make] = made(1);
  const user = show();
  await user.selectOptions(field("Game"), "FREE FIRE");
  await user.click(button("Generate Key"));
  await says("Generated 1 admin key(s) successfully");
  await fill(user, { "Days Valid": "77" });
  await user.click(screen.getByRole("tab", { name: "Manage" }));
  expect(await screen.findByText("FIRE-7")).toBeTruthy();
  expect(window.location.search).toBe("?tab=manage");
  await user.click(screen.getByRole("tab", { name: "Generate" }));
  expect([field("Game").value, field("Days Valid").value]).toEqual(["FREE FIRE", "77"]);
  expect(screen.getByRole("region", { name: "Generated Keys" })).toBeTruthy();
  expect(window.location.search).toBe("");
});

test("RESET ALL KEYS says how many keys there are, needs the word, and reports how many had devices", async () => {
  server.responses["POST /api/admin/keys/reset-devices"] = () => ({ resetCount: 12 });
  const user = show();
  await user.click(button("RESET ALL KEYS"));
  const question = within(await screen.findByRole("alertdialog"));
  expect(await question.findByText(/172 active keys/)).toBeTruthy();
  expect(question.getByText(/This cannot be undone\./)).toBeTruthy();
  const confirm = question.getByRole<HTMLButtonElement>("button", { name: "RESET ALL KEYS" });
  await user.type(question.getByRole("textbox"), "reset");
  expect(confirm.disabled).toBeTrue();
  await user.clear(question.getByRole("textbox"));
  await user.type(question.getByRole("textbox"), "RESET");
  await user.click(confirm);
  await says("Reset devices for 12 keys successfully");
});

test("a refused reset and one without a response have different messages", async () => {
  const user = show();
  await user.click(button("RESET ALL KEYS"));
  const question = within(await screen.findByRole("alertdialog"));
  await user.type(question.getByRole("textbox"), "RESET");
  await user.click(question.getByRole("button", { name: "RESET ALL KEYS" }));
  await says("Failed to reset all devices");
  server.responses["POST /api/admin/keys/reset-devices"] = () => new Response("", { status: 500 });
  await user.click(await question.findByRole("button", { name: "RESET ALL KEYS" }));
  await says("Failed to reset devices");
});
