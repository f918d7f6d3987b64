import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Role } from "../../../../src/accounts/schema.ts";
import { exampleAdminKeyDetail, exampleResellerKeyDetail } from "../../../../src/keys/model.ts";
import type { AdminKeyDetail, ResellerKeyDetail } from "../../../../src/keys/schema.ts";
import type { TimelineEvent } from "../../../../src/keys/timeline/timeline-schema.ts";
import { expectGone } from "../../../../tests/expect-element.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../../../api/fetch-stub.ts";
import { queryClient } from "../../../api/query.ts";
import { keepSeededCatalogue, seededCatalogue } from "../../../api/seeded-catalogue.ts";
import { PanelState } from "../../../shell/root/panel-state.tsx";
import { currentToast } from "../../../ui/toast/store.ts";
import KeyPage from "../../key-page.tsx";
import { limitCost } from "./device-limit.tsx";

const expiryDate = "2125-04-04T14:30:00.000Z";
const own = { ...exampleResellerKeyDetail, expiryDate, note: null } as ResellerKeyDetail;
const resellers = {
  ...exampleAdminKeyDetail,
  expiryDate,
  owner: "night.owl",
  ownerId: 2,
  note: null,
} as AdminKeyDetail;
const event = (kind: TimelineEvent["kind"], by: string): TimelineEvent => ({
  ...{ at: own.createdAt, kind, by, deviceId: null, deviceName: null, code: null, count: null },
});

let events: TimelineEvent[];
let credits: number;
let server: FetchStub;
beforeEach(() => {
  keepSeededCatalogue();
  events = [];
  credits = 10;
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

async function show(area: Role, key: AdminKeyDetail | ResellerKeyDetail, responses: Responses = {}) {
  server = stubFetch({
    "GET /api/admin/keys/:id/details": () => key as AdminKeyDetail,
    "GET /api/reseller/keys/:id": () => key as ResellerKeyDetail,
    "GET /api/reseller/profile": () => ({ username: "night.owl", credits, registrationDate: "" }),
    [`GET /api/${area}/keys/:id/timeline`]: () => ({
      answer: { code: "VALID", message: "Works.", advice: "" },
      events: [...events, event("created", "night.owl")],
    }),
    ...responses,
  });
  render(
    <PanelState>
      <KeyPage area={area} id={String(key.id)} />
    </PanelState>,
  );
  await screen.findByRole("heading", { level: 1, name: key.keyString });
}

const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
async function choose(item: string) {
  await press("More");
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
}
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
/** What the dialog says that the press will do. */
const effects = () => screen.getAllByRole("status").at(-1)?.textContent;
const sent = (method: "POST" | "PUT") => server.received.filter(({ call }) => call.startsWith(method));
const says = (description: string) => waitFor(() => expect(currentToast.value?.description).toBe(description));

test("a reseller extends a key by a duration on sale, and sees first what it costs and the expiry then", async () => {
  const extend = "POST /api/reseller/keys/:id/extend";
  await show("reseller", own);
  await press("Extend");
  const extension = await dialog("Extend Key");
  const options = [...(await extension.findByLabelText("Duration")).querySelectorAll("option")];
  expect(options.map(({ textContent }) => textContent)).toContain("60 days (6 credits)");
  await waitFor(() =>
    expect(effects()).toBe("Cost3 creditsCredits left7Expires nowApr 04, 2125, 14:30Expires thenMay 04, 2125, 14:30"),
  );
  await userEvent.selectOptions(extension.getByLabelText("Duration"), "10 days (1 credit)");
  expect(effects()).toContain("Cost1 creditCredits left9");
  await userEvent.click(extension.getByRole("button", { name: "Extend for 1 credit" }));
  await says("Failed to extend key");
  server.responses[extend] = () => ({ message: "", key: { ...own, devices: 1 }, cost: 1, credits: 9 });
  await userEvent.click(extension.getByRole("button", { name: "Extend for 1 credit" }));
  await says("Key extended successfully");
  expect(sent("POST").map(({ body }) => body)).toEqual(Array(2).fill({ durationId: 2, cost: 1 }));
  const [first, second] = sent("POST").map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first as string);
});

test.each<[string, Partial<ResellerKeyDetail>, string]>([
  ["that has expired", { status: "EXPIRED", expiryDate: "2025-04-04T14:30:00.000Z" }, "Expires nowHas expired"],
  ["that has not started", { expiryDate: null, startedAt: null, durationHours: 36 }, "Lasts756 hours from first use"],
  ["that is paused", { status: "PAUSED", pausedAt: own.createdAt }, "While pausedThe expiry moves on"],
])("extending a key %s says what happens to its time", async (_what, fields, words) => {
  await show("reseller", { ...own, ...fields });
  await press("Extend");
  await dialog("Extend Key");
  await waitFor(() => expect(effects()).toContain(words));
});

test("missing credits are said before a key is extended, and so is that keys like it are not sold any more", async () => {
  credits = 2;
  await show("reseller", own);
  await press("Extend");
  await screen.findByText("You need 1.0 more credits to extend 1 key(s).");
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  queryClient.setQueryData(["/api/catalogue"], { ...seededCatalogue, games: [], prices: [] });
  await press("Extend");
  await screen.findByText("Keys like this are not sold any more, so it cannot be extended.");
});

test("an admin extends any key by days or hours, for free", async () => {
  const extend = "POST /api/admin/keys/:id/extend";
  await show("admin", resellers, { [extend]: () => ({ message: "", key: resellers, cost: 0 }) });
  await press("Extend");
  const extension = await dialog("Extend Key");
  await userEvent.selectOptions(extension.getByLabelText("Unit"), "Hours");
  await userEvent.clear(extension.getByLabelText("Duration"));
  await userEvent.type(extension.getByLabelText("Duration"), "36");
  expect(effects()).toBe("CostFreeExpires nowApr 04, 2125, 14:30Expires thenApr 06, 2125, 02:30");
  await userEvent.click(extension.getByRole("button", { name: "Extend" }));
  await says("Key extended successfully");
  expect(sent("POST")[0]?.body).toEqual({ hours: 36 });
});

test("a device limit below the connected devices is refused before it is sent; another one says what it costs", async () => {
  const limit = "PUT /api/reseller/keys/:id/device-limit";
  const two = { ...own, deviceCount: 2 };
  await show("reseller", two, { [limit]: () => ({ message: "", key: { ...own, devices: 2 }, cost: 0, credits }) });
  await choose("Change device limit");
  const form = await dialog("Device Limit");
  await userEvent.selectOptions(await form.findByLabelText("Device Limit"), "1");
  expect(effects()).toContain("2 devices are connected. Remove devices first.");
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await form.findByRole("alert");
  await userEvent.selectOptions(form.getByLabelText("Device Limit"), "Unlimited");
  expect(effects()).toBe("CostFreeDevices now2 / 2Limit thenUnlimited");
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await says("Device limit changed successfully");
  expect(sent("PUT").map(({ body }) => body)).toEqual([{ deviceLimit: 100 }]);
});

test("a higher limit costs the difference for the shortest duration on sale that covers the time left, else the longest", () => {
  const prices = seededCatalogue.prices.map((price) => ({ ...price, credits: price.durationId * price.deviceLimit }));
  const catalogue = { ...seededCatalogue, prices };
  const now = Date.parse("2025-03-05T00:00:00.000Z");
  const until = (day: string) => ({ ...own, deviceLimit: 1, expiryDate: `2025-${day}T00:00:00.000Z` });
  expect(limitCost(catalogue, until("03-10"), 2, now)).toBe(1);
  expect(limitCost(catalogue, until("03-11"), 2, now)).toBe(2);
  expect(limitCost(catalogue, until("12-31"), 2, now)).toBe(5);
  expect(limitCost(catalogue, until("03-01"), 2, now)).toBe(1);
  expect(limitCost(catalogue, { ...until("12-31"), pausedAt: "2025-12-25T00:00:00.000Z" }, 2, now)).toBe(2);
  expect(limitCost(catalogue, { ...until("12-31"), expiryDate: null, durationHours: 480 }, 2, now)).toBe(3);
  // A limit of 5 costs as much as 100, and a lower limit is free.
  expect(limitCost(catalogue, { ...until("03-10"), deviceLimit: 5 }, 100, now)).toBe(0);
  expect(limitCost(catalogue, { ...until("03-10"), deviceLimit: 2 }, 1, now)).toBe(0);
  expect(limitCost({ ...catalogue, prices: [] }, until("03-10"), 2, now)).toBeUndefined();
});

test("a key is paused after a question that says for how long it can be, and resumed at once", async () => {
  await show("reseller", own, {
    "POST /api/reseller/keys/:id/pause": () => {
      server.responses["GET /api/reseller/keys/:id"] = () => ({ ...own, status: "PAUSED", pausedAt: own.createdAt });
      events = [event("paused", "night.owl")];
      return { message: "", key: { ...own, devices: 1 } };
    },
    "POST /api/reseller/keys/:id/resume": () => ({ message: "", key: { ...own, devices: 1 } }),
  });
  await choose("Pause");
  const question = within(await screen.findByRole("alertdialog", { name: "Pause Key" }));
  expect(question.getByText(/for 30 days in total/)).toBeTruthy();
  await userEvent.click(question.getByRole("button", { name: "Pause Key" }));
  await says("The key is paused");
  await screen.findByText("PAUSED");
  await choose("Resume");
  await says("The key is active");
});

test("a reseller sees that an admin has paused the key, and cannot resume it", async () => {
  events = [event("paused", "admin")];
  await show("reseller", { ...own, status: "PAUSED", pausedAt: own.createdAt });
  await screen.findByText("by an admin");
  await press("More");
  expect((await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent)).toEqual([
    "Change device limit",
  ]);
});

test("an admin may resume a reseller's pause, or take it over", async () => {
  events = [event("paused", "night.owl")];
  await show("admin", { ...resellers, status: "PAUSED", pausedAt: own.createdAt });
  await screen.findByText("by its reseller");
  await press("More");
  const items = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
  expect(items).toEqual(["Change device limit", "Resume", "Pause as admin"]);
});

test("a revocation says before and afterwards what it gives back", async () => {
  await show(
    "reseller",
    { ...own, refund: 3, noRefund: null },
    { "POST /api/reseller/keys/:id/revoke": () => ({ message: "", key: { ...own, devices: 0 }, refund: 3 }) },
  );
  await press("Revoke");
  await screen.findByText("3 credits will be refunded");
  await press("Revoke Key");
  await says("The key has been successfully revoked. 3 credits given back");
});

test.each([
  ["DEVICE_CONNECTED", "No refund: a device connected"],
  ["TOO_OLD", "No refund: bought more than 7 days ago"],
  ["CLOCK_AHEAD", "No refund: the server's clock is ahead"],
  ["NOT_ACTIVE", "No refund: the key is not active"],
  ["OFF", undefined],
  ["FREE", undefined],
] as const)("a revocation says above its buttons why it gives nothing back: %s", async (noRefund, line) => {
  await show("reseller", { ...own, noRefund });
  await press("Revoke");
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.queryByRole("status")?.textContent).toBe(line);
});
