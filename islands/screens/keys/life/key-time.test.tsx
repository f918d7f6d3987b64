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

const expiryDate = "2125-04-04T14:30:00.000Z";
const own = { ...exampleResellerKeyDetail, expiryDate, note: null } as ResellerKeyDetail;
const resellers = {
  ...exampleAdminKeyDetail,
  expiryDate,
  owner: "night.owl",
  ownerId: 2,
  note: null,
} as AdminKeyDetail;
const paused = { status: "PAUSED", pausedAt: own.createdAt } as const;
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
    expect(effects()).toBe("Cost3 creditsCredits left7Current expiryApr 04, 2125, 14:30New expiryMay 04, 2125, 14:30"),
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
  ["that has expired", { status: "EXPIRED", expiryDate: "2025-04-04T14:30:00.000Z" }, "Current expiryHas expired"],
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
  expect(effects()).toBe("CostFreeCurrent expiryApr 04, 2125, 14:30New expiryApr 06, 2125, 02:30");
  await userEvent.click(extension.getByRole("button", { name: "Extend" }));
  await says("Key extended successfully");
  expect(sent("POST")[0]?.body).toEqual({ hours: 36 });
});

const limit = "PUT /api/reseller/keys/:id/device-limit";
const limitPrice = "GET /api/reseller/keys/:id/device-limit";
async function chooseLimit(name: string) {
  await choose("Change device limit");
  const form = await dialog("Device Limit");
  await userEvent.selectOptions(await form.findByLabelText("Device Limit"), name);
  return form;
}

test("a device limit that stays, or is below the connected devices, is refused before it is sent", async () => {
  await show("reseller", { ...own, deviceCount: 2 }, { [limitPrice]: () => ({ cost: 0, credits }) });
  const form = await chooseLimit("1");
  expect(effects()).toContain("2 devices are connected. Remove devices first.");
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await form.findByRole("alert");
  await userEvent.selectOptions(form.getByLabelText("Device Limit"), "2");
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await form.findByText("This is the limit now.");
  expect(sent("PUT")).toEqual([]);
});

test("a higher limit is sent with the price that was shown, and a changed price is shown and asked again", async () => {
  let cost = 1.5;
  await show(
    "reseller",
    { ...own, deviceLimit: 1 },
    {
      [limitPrice]: () => ({ cost, credits }),
      [limit]: ({ body }) =>
        body.cost === cost
          ? { message: "", key: { ...own, devices: 1 }, cost, credits }
          : Response.json({ message: "This would now cost 2.0 credits.", code: "COST_CHANGED", cost }, { status: 409 }),
    },
  );
  const form = await chooseLimit("Unlimited");
  expect(effects()).toBe("Cost1.5 creditsCredits left8.5Devices now1 / 1New limitUnlimited");
  cost = 2;
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await says("This would now cost 2.0 credits.");
  await waitFor(() => expect(effects()).toContain("Cost2 credits"));
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await says("Device limit changed successfully");
  expect(sent("PUT").map(({ body }) => body)).toEqual([1.5, 2].map((cost) => ({ deviceLimit: 100, cost })));
});

test("a limit that is not sold is not sent", async () => {
  const message = "PUBG MOBILE is not sold on so many devices.";
  await show("reseller", own, { [limitPrice]: () => Response.json({ message, code: "NOT_SOLD" }, { status: 409 }) });
  const form = await chooseLimit("Unlimited");
  expect(effects()).toContain("This key can't have that many devices.");
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await form.findByRole("alert");
  expect(sent("PUT")).toEqual([]);
});

test("an admin changes the limit of any key for free, without a reseller's calls", async () => {
  await show("admin", resellers, {
    "PUT /api/admin/keys/:id/device-limit": () => ({ message: "", key: resellers, cost: 0 }),
  });
  const form = await chooseLimit("Unlimited");
  expect(effects()).toBe("CostFreeDevices now1 / 2New limitUnlimited");
  await userEvent.click(form.getByRole("button", { name: "Change Limit" }));
  await says("Device limit changed successfully");
  expect(server.calls().filter((call) => call.includes("/api/reseller/"))).toEqual([]);
});

test("a key is paused after a question that says for how long it can be, and resumed at once", async () => {
  await show("reseller", own, {
    "POST /api/reseller/keys/:id/pause": () => {
      server.responses["GET /api/reseller/keys/:id"] = () => ({ ...own, ...paused, pausedBy: "reseller" });
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
  await show("reseller", { ...own, ...paused, pausedBy: "admin" });
  await screen.findByText("by an admin");
  await press("More");
  expect((await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent)).toEqual([
    "Change device limit",
    "Replace",
  ]);
});

test("a reseller may resume what its staff paused", async () => {
  events = [event("paused", "night.helper")];
  await show("reseller", { ...own, ...paused, pausedBy: "reseller" });
  await screen.findByText("night.helper", { exact: false });
  await press("More");
  await screen.findByRole("menuitem", { name: "Resume" });
  expect(screen.queryByText("by an admin") === null).toBeTrue();
});

test("an admin may resume a reseller's pause, or take it over", async () => {
  await show("admin", { ...resellers, ...paused, pausedBy: "reseller" });
  await screen.findByText("by its reseller");
  await press("More");
  const items = (await screen.findAllByRole("menuitem")).map(({ textContent }) => textContent);
  expect(items).toEqual(["Change device limit", "Resume", "Pause as admin", "Replace"]);
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
  await says("The key has been successfully revoked. 3 credits refunded");
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

test("a key is replaced from its menu: a taken text is said at the field, and the new one is shown to be passed on", async () => {
  const replace = "POST /api/reseller/keys/:id/replace";
  const taken = { message: "The key SUMMER-25 is already taken.", code: "KEY_TAKEN" };
  await show("reseller", own, { [replace]: () => Response.json(taken, { status: 409 }) });
  await choose("Replace");
  const question = await dialog("Replace Key");
  question.getByText("This key was replaced by a new one. Please ask your seller for it.");
  await userEvent.type(question.getByLabelText("New Key (optional)"), "SUMMER-25");
  question.getByText("Easy to guess: strangers could use it. Random fills in a safe key.");
  await userEvent.click(question.getByRole("button", { name: "Replace Key" }));
  await question.findByText(taken.message);
  server.responses[replace] = () => ({ message: "", key: { ...own, devices: 0, keyString: "FIRE-NEWER" } });
  await userEvent.clear(question.getByLabelText("New Key (optional)"));
  await userEvent.click(question.getByRole("button", { name: "Replace Key" }));
  const done = await dialog("Key Replaced");
  done.getByText("FIRE-NEWER");
  expect(sent("POST").map(({ body }) => body)).toEqual([{ keyString: "SUMMER-25" }, { keyString: "" }]);
  await userEvent.click(done.getByRole("button", { name: "Done" }));
  await expectGone(() => screen.queryByRole("dialog"));
  await choose("Replace");
  await dialog("Replace Key");
});

test("an old text leads to the key that has a new one, and cannot be replaced itself", async () => {
  await show("admin", { ...resellers, status: "REVOKED", isRevoked: true, replacedBy: 7 });
  expect((await screen.findByRole("link", { name: "Key 7" })).getAttribute("href")).toBe("/admin/keys/7");
  expect(screen.queryByRole("button", { name: "More" })).toBeNull();
});
