import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ResellerKey } from "../../src/keys/schema.ts";
import type { BoughtKeys, KeyPurchase } from "../../src/orders/schema.ts";
import { expectFocus } from "../../tests/expect-element.ts";
import { startedKey } from "../../tests/key-times.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { sessionLost } from "../state/signals.ts";
import { currentToast } from "../ui/toast/store.ts";
import GenerateKeys from "./generate-keys.tsx";

const buy = "POST /api/reseller/keys/generate";
let credits: number;
let server: FetchStub;

function bought({ body: { count } }: { body: Pick<KeyPurchase, "count"> }): BoughtKeys {
  const key = (id: number): ResellerKey => ({
    ...{ id, keyString: `FIRE-${id}`, game: "FREE FIRE", status: "ACTIVE", deviceLimit: 1, devices: 0, orderId: 12 },
    note: null,
    ...{ createdAt: "2025-03-05T14:30:00.000Z", expiryDate: "2025-03-10T14:30:00.000Z", ...startedKey },
  });
  return { orderId: 12, cost: 2 * count, keys: Array.from({ length: count }, (_, id) => key(id)), credits };
}

beforeEach(() => {
  keepSeededCatalogue();
  credits = 10;
  const user = { id: 2, username: "night.owl", role: "reseller", rights: null, owner: null } as const;
  server = stubFetch({
    "GET /api/auth/session": () => ({ isAuthenticated: true, user }),
    "GET /api/reseller/profile": () => ({ username: "night.owl", credits, registrationDate: "" }),
    [buy]: bought,
  });
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  sessionLost.value = false;
  queryClient.clear();
});

async function show(search = "") {
  render(
    <PanelState>
      <GenerateKeys resellerId={2} search={search} />
    </PanelState>,
  );
  await waitFor(() => expect(line("Credits available")).toBe(String(credits)));
}

const line = (name: string) => screen.getByText(name).parentElement?.querySelector("dd")?.textContent;
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () =>
  screen.getByRole<HTMLButtonElement>("button", { name: /^generate (keys|\d+ key)|generating|insufficient/i });
const random = () => screen.getByRole("button", { name: "Random" });
const chooseGame = () => userEvent.selectOptions(field("Game"), "FREE FIRE");

const orders = () => server.received.filter(({ call }) => call === buy);

async function type(label: string, text: string) {
  await userEvent.clear(field(label));
  if (text !== "") await userEvent.type(field(label), text);
}

const orderLabels = ["Game", "Device Limit", "Duration & Cost", "Number of Keys"];
const filledIn = () => orderLabels.map((label) => field(label).value);

test("the form is filled in from the address, without what it does not offer", async () => {
  await show("?game=FREE+FIRE&deviceLimit=2&hours=7&starts=first_use&count=101");
  expect([...filledIn(), field("Starts").value]).toEqual(["FREE FIRE", "2", "4", "1", "first_use"]);
});

test("the form begins with no game, 1 device, 30 days and 1 key", async () => {
  await show("?hours=480");
  expect([...filledIn(), field("Starts").value]).toEqual(["", "1", "3", "1", "creation"]);
  const labels = (of: string) =>
    [...field(of).querySelectorAll("option:not([hidden])")].map((option) => option.textContent);
  expect(labels("Device Limit")).toEqual(["1 device", "2 devices", "Unlimited"]);
  expect(labels("Duration & Cost")).toEqual([
    "5 days (0.5 credits)",
    "10 days (1 credit)",
    "20 days (2 credits)",
    "30 days (3 credits)",
    "60 days (6 credits)",
  ]);
});

test("the cost follows the typing, and missing credits disable the button", async () => {
  await show();
  await type("Number of Keys", "3");
  expect([line("Cost per key"), line("Total cost"), submit().textContent]).toEqual([
    "3 credits",
    "9 credits",
    "Generate 3 keys for 9 credits",
  ]);
  await type("Number of Keys", "5");
  expect(line("Total cost")).toBe("15 credits");
  expect([submit().textContent, submit().disabled]).toEqual(["INSUFFICIENT CREDITS", true]);
  expect(screen.getByText("Insufficient Credits!")).toBeTruthy();
  expect(screen.getByText("You need 5.0 more credits to generate 5 key(s).")).toBeTruthy();
  await userEvent.selectOptions(field("Duration & Cost"), "5 days (0.5 credits)");
  expect([line("Total cost"), submit().disabled]).toEqual(["2.5 credits", false]);
});

test("more keys than a batch holds are refused at the field while typing, even if credits are missing too", async () => {
  await show();
  await type("Number of Keys", "1000");
  expect(submit().textContent).toBe("INSUFFICIENT CREDITS");
  const count = field("Number of Keys");
  expect(document.getElementById(count.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
    "Must generate at most 100 keys",
  );
  await type("Number of Keys", "100");
  expect(count.getAttribute("aria-invalid")).toBeNull();
});

test("each invalid field has a message, the first is focused, and nothing is sent", async () => {
  await show();
  await type("Number of Keys", "0");
  await userEvent.click(submit());
  expect(screen.getByText("Game selection is required")).toBeTruthy();
  expect(screen.getByText("Must generate at least 1 key")).toBeTruthy();
  await expectFocus(field("Game"));
  await type("Number of Keys", "101");
  await userEvent.selectOptions(field("Duration & Cost"), "5 days (0.5 credits)");
  await type("Number of Keys", "1.5");
  await userEvent.click(submit());
  expect(screen.getByText("Number of keys must be a whole number")).toBeTruthy();
  await chooseGame();
  expect(screen.queryByText("Game selection is required") === null).toBeTrue();
  expect(orders()).toEqual([]);
});

test("Random needs a game, and fills in a key with that game's letters", async () => {
  await show();
  await userEvent.click(random());
  expect(screen.getByText("Please select a game first")).toBeTruthy();
  expect(field("Custom Key (optional)").value).toBe("");
  await expectFocus(field("Game"));
  await chooseGame();
  await userEvent.click(random());
  expect(field("Custom Key (optional)").value).toMatch(/^FIRE(-[A-Z0-9]{5}){3}$/);
});

test("the form warns of a custom key that can be guessed, until Random replaces it", async () => {
  await show();
  await chooseGame();
  await type("Custom Key (optional)", "NIGHTOWL-2748");
  expect(screen.getByText(/^Easy to guess/)).toBeTruthy();
  await userEvent.click(random());
  expect(screen.queryByText(/Easy to guess/) === null).toBeTrue();
});

test("the session is checked before keys are generated, and list and profile are fetched again afterwards", async () => {
  await show();
  await chooseGame();
  await type("Number of Keys", "2");
  await type("Custom Key (optional)", "SUMMER-2025");
  const before = server.calls().length;
  await userEvent.click(submit());
  const batch = await screen.findByRole("region", { name: "Generated Keys" });
  expect(server.calls().slice(before, before + 3)).toEqual([
    "GET /api/auth/session",
    "POST /api/reseller/keys/generate",
    "GET /api/reseller/profile",
  ]);
  expect(orders()[0]?.body).toEqual({
    cost: 6,
    game: "FREE FIRE",
    deviceLimit: 1,
    days: 30,
    count: 2,
    keyString: "SUMMER-2025",
    resellerId: 2,
  });
  expect(currentToast.value).toMatchObject({ title: "Success", description: "Generated 2 key(s) successfully" });
  expect(within(batch).getAllByRole("button", { name: "Copy Key" })).toHaveLength(2);
  expect(batch.textContent).toContain("Keep your keys secure");
  expect(batch.textContent).toContain("4 credits paid, 10 left");
  expect(within(batch).getByRole("link", { name: "Order 12" }).getAttribute("href")).toBe("/reseller/orders/12");
  await expectFocus(batch);
  expect([field("Custom Key (optional)").value, field("Number of Keys").value]).toEqual(["", "1"]);
});

test("keys that start at first use are sold by a choice, which the hint, the cost and the receipt repeat", async () => {
  server.responses[buy] = (sent) => {
    const { keys, ...rest } = bought(sent as Parameters<typeof bought>[0]);
    return { ...rest, keys: keys.map((key) => ({ ...key, starts: "first_use", startedAt: null, expiryDate: null })) };
  };
  await show();
  await chooseGame();
  expect(screen.getByText("Counts from when the key is generated")).toBeTruthy();
  await userEvent.selectOptions(field("Starts"), "At first use");
  expect(screen.getByText("Counts from when the first device connects")).toBeTruthy();
  expect(document.querySelector("dl")?.textContent).toContain("StartsAt first use");
  await userEvent.click(submit());
  const batch = await screen.findByRole("region", { name: "Generated Keys" });
  expect(batch.textContent).toContain("1 key for FREE FIRE, 1 device each, 30 days from first use");
  expect(orders()[0]?.body).toMatchObject({ days: 30, starts: "first_use" });
});

test("after a purchase the form is folded, without a warning about credits, until Generate More", async () => {
  await show();
  await chooseGame();
  await type("Number of Keys", "3");
  credits = 1;
  await userEvent.click(submit());
  await screen.findByRole("region", { name: "Generated Keys" });
  await waitFor(() => expect(line("Credits available")).toBe("1"));
  expect(screen.queryByRole("button", { name: /^generate \d+ key|insufficient credits/i }) === null).toBeTrue();
  await userEvent.click(screen.getByRole("button", { name: "Generate More" }));
  await expectFocus(field("Game"));
  expect([field("Game").value, field("Number of Keys").value]).toEqual(["FREE FIRE", "1"]);
  expect([submit().textContent, submit().disabled]).toEqual(["INSUFFICIENT CREDITS", true]);
  await userEvent.selectOptions(field("Duration & Cost"), "10 days (1 credit)");
  expect([submit().textContent, submit().disabled]).toEqual(["Generate 1 key for 1 credit", false]);
  expect(screen.getByRole("region", { name: "Generated Keys" })).toBeTruthy();
  expect(orders()).toHaveLength(1);
});

test("a phone offers to share keys first, with the saved message, and a menu has their other formats", async () => {
  const shared: ShareData[] = [];
  const share = async (data: ShareData) => void shared.push(data);
  Object.defineProperty(navigator, "share", { configurable: true, value: share });
  const coarse = spyOn(window, "matchMedia").mockImplementation(
    (query) => ({ matches: query === "(pointer: coarse)" }) as MediaQueryList,
  );
  await show();
  await chooseGame();
  await type("Number of Keys", "2");
  await userEvent.click(submit());
  const batch = within(await screen.findByRole("region", { name: "Generated Keys" }));
  await userEvent.click(batch.getByRole("button", { name: "Share" }));
  expect(shared).toEqual([{ text: "FIRE-0\nFIRE-1" }]);

  const choose = async (form: string) => {
    await userEvent.click(batch.getByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: form }));
  };
  await choose("Copy numbered");
  expect(await navigator.clipboard.readText()).toBe("1. FIRE-0\n2. FIRE-1");
  await choose("Copy with expiry");
  expect(await navigator.clipboard.readText()).toBe("FIRE-0 (until 03/10/2025)\nFIRE-1 (until 03/10/2025)");
  await choose("Edit message");
  const text = await screen.findByLabelText("Text");
  await userEvent.clear(text);
  await userEvent.type(text, "Have fun with {{game}:{Enter}{{keys}");
  await userEvent.click(screen.getByRole("button", { name: "Save Message" }));
  await userEvent.click(batch.getByRole("button", { name: "Share" }));
  expect(shared[1]).toEqual({ text: "Have fun with FREE FIRE:\nFIRE-0\nFIRE-1" });
  expect(localStorage.getItem("message")).toBe("Have fun with {game}:\n{keys}");
  localStorage.removeItem("message");
  coarse.mockRestore();
  Reflect.deleteProperty(navigator, "share");
});

test("a lost session, or another user's, generates nothing and says so; the next press goes to the login", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  await show();
  await chooseGame();
  const stranger = { id: 3, username: "fastlane", role: "reseller", rights: null, owner: null } as const;
  for (const session of [{ isAuthenticated: false }, { isAuthenticated: true, user: stranger }]) {
    server.responses["GET /api/auth/session"] = () => session;
    sessionLost.value = false;
    assign.mockClear();
    currentToast.value = null;
    await userEvent.click(submit());
    await waitFor(() =>
      expect(currentToast.value).toMatchObject({
        title: "Error",
        description: "User session not found. Please log in again.",
      }),
    );
    expect([sessionLost.value, assign.mock.calls]).toEqual([true, []]);
    await waitFor(() => expect(submit().textContent).toBe("Generate 1 key for 3 credits"));
    await userEvent.click(submit());
    await waitFor(() => expect(assign.mock.calls).toEqual([["/"]]));
  }
  assign.mockRestore();
  expect([orders(), field("Game").value]).toEqual([[], "FREE FIRE"]);
});

test("an order whose response was lost is sent again with its first key; a changed or later one with another", async () => {
  await show();
  await chooseGame();
  server.responses[buy] = () => Promise.reject(new TypeError("lost"));
  await userEvent.click(submit());
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to generate key"));
  server.responses[buy] = bought;
  await userEvent.click(submit());
  await screen.findByText("FIRE-0");
  // Right after it the same press again would be the second one of a double click.
  const realNow = performance.now.bind(performance);
  let laterMs = doublePressMs;
  const later = spyOn(performance, "now").mockImplementation(() => realNow() + laterMs);
  await userEvent.click(screen.getByRole("button", { name: "Generate More" }));
  await userEvent.click(submit());
  await waitFor(() => expect(orders()).toHaveLength(3));
  await screen.findByRole("button", { name: "Generate More" });
  laterMs += doublePressMs;
  await userEvent.click(screen.getByRole("button", { name: "Generate More" }));
  await type("Number of Keys", "2");
  await userEvent.click(submit());
  await screen.findByText("FIRE-1");
  later.mockRestore();
  const keys = orders().map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0] as string);
  expect(new Set(keys).size).toBe(3);
});

test("a refusal is shown in the toast and at its field, and keeps the typed text", async () => {
  await show();
  await chooseGame();
  await type("Custom Key (optional)", "TAKEN-KEY");
  const message = "The key TAKEN-KEY is already taken.";
  server.responses[buy] = () => Response.json({ message, code: "KEY_TAKEN" }, { status: 409 });
  await userEvent.click(submit());
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Error", description: message }));
  expect(screen.getByText(message)).toBeTruthy();
  expect(field("Custom Key (optional)").value).toBe("TAKEN-KEY");
  await expectFocus(field("Custom Key (optional)"));
  server.responses[buy] = () => new Response("", { status: 502 });
  await type("Number of Keys", "2");
  await userEvent.click(submit());
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to generate keys"));
});

test("after a refusal for missing credits the balance is fetched again", async () => {
  await show();
  await chooseGame();
  credits = 1;
  const message = "You need 2.0 more credits to generate 1 key(s).";
  server.responses[buy] = () => Response.json({ message, code: "CREDITS_SHORT" }, { status: 402 });
  await userEvent.click(submit());
  await waitFor(() => expect(submit().textContent).toBe("INSUFFICIENT CREDITS"));
  expect([line("Credits available"), screen.getByText(message) !== null]).toEqual(["1", true]);
});

test("after a refusal for a changed cost the prices are fetched again", async () => {
  await show();
  await chooseGame();
  const message = "This would now cost 5.0 credits, so nothing was done. Please check again.";
  server.responses[buy] = () => Response.json({ message, code: "COST_CHANGED", cost: 5 }, { status: 409 });
  const before = server.calls().length;
  await userEvent.click(submit());
  await waitFor(() => expect(server.calls().slice(before)).toContain("GET /api/catalogue"));
  expect(currentToast.value?.description).toBe(message);
});
