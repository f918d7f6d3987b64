import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Delivery, Webhook } from "../../src/webhooks/schema.ts";
import { expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import Webhooks from "./webhooks.tsx";

const shop: Webhook = {
  ...{ id: 4, kind: "standard", url: "https://shop.example.com/hook", chatId: null, events: ["order.created"] },
  ...{ isActive: true, creditsBelow: null, switchedOff: null, createdAt: "2025-03-05T12:00:00.000Z" },
};
const chat: Webhook = {
  ...shop,
  ...{ id: 5, kind: "telegram", url: null, chatId: "-100", events: ["credits.low"], creditsBelow: 20 },
};

let rows: Webhook[];
let server: FetchStub;
beforeEach(() => {
  rows = [];
  server = stubFetch({
    "GET /api/reseller/webhooks": () => rows,
    "GET /api/admin/webhooks": () => rows,
  });
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show(area: "admin" | "reseller" = "reseller") {
  render(
    <PanelState>
      <Webhooks area={area} />
    </PanelState>,
  );
  return userEvent.setup();
}

const sent = (call: string) => server.received.filter((each) => each.call === call).map(({ body }) => body);

test("the form asks for what the kind needs, and sends only that", async () => {
  const create = "POST /api/reseller/webhooks";
  server.responses[create] = () => ({ ...chat, secret: null });
  const user = show();
  await screen.findByText("No webhooks yet");
  await user.click(screen.getByRole("button", { name: "New Webhook" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New Webhook" }));
  const submit = () => user.click(dialog.getByRole("button", { name: "Create Webhook" }));
  await submit();
  await dialog.findByText("Address is required");
  dialog.getByText("Choose at least one of these");
  await user.type(dialog.getByLabelText("Address"), "https://shop.example.com");
  await user.selectOptions(dialog.getByLabelText("Send To"), "telegram");
  await user.click(dialog.getByRole("checkbox", { name: "Credits run low" }));
  await submit();
  for (const what of ["Bot token is required", "Chat is required", "Credits are required"])
    await dialog.findByText(what);
  await user.type(dialog.getByLabelText("Bot Token"), "1:abc");
  await user.type(dialog.getByLabelText("Chat"), "-100");
  await user.type(dialog.getByLabelText("Credits Below"), "20");
  rows = [chat];
  await submit();
  await expectGone(() => screen.queryByRole("dialog"));
  await screen.findByText("Credits run low (below 20 credits)");
  expect(sent(create)).toEqual([
    { kind: "telegram", botToken: "1:abc", chatId: "-100", events: ["credits.low"], creditsBelow: 20 },
  ]);
});

test("an edit begins with what was saved, except the bot token, which stays where none is typed", async () => {
  rows = [chat];
  server.responses["PUT /api/reseller/webhooks/:id"] = () => chat;
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Edit chat -100" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Edit Webhook" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Bot Token").value).toBe("");
  await user.click(dialog.getByRole("checkbox", { name: "Keys generated" }));
  await user.click(dialog.getByRole("checkbox", { name: "Credits run low" }));
  await user.click(dialog.getByRole("button", { name: "Save Changes" }));
  await expectGone(() => screen.queryByRole("dialog"));
  expect(sent("PUT /api/reseller/webhooks/5")).toEqual([
    { kind: "telegram", chatId: "-100", events: ["order.created"], creditsBelow: null },
  ]);
});

test("what the server refuses is said at the field", async () => {
  server.responses["POST /api/admin/webhooks"] = () =>
    Response.json(
      {
        code: "INVALID",
        message: "No.",
        errors: [{ path: "url", message: "The address must be an https address without a password" }],
      },
      { status: 422 },
    );
  const user = show("admin");
  await user.click(await screen.findByRole("button", { name: "New Webhook" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(dialog.getByLabelText("Address"), "http://shop.example.com");
  await user.click(dialog.getByRole("checkbox", { name: "A backup failed" }));
  await user.click(dialog.getByRole("button", { name: "Create Webhook" }));
  await dialog.findByText("The address must be an https address without a password");
});

test("only admins are offered the events of the whole panel", async () => {
  const user = show("reseller");
  await user.click(await screen.findByRole("button", { name: "New Webhook" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getAllByRole("checkbox", { name: /^(?!All of)/ })).toHaveLength(11);
  expect(dialog.queryByRole("checkbox", { name: "A backup failed" }) === null).toBeTrue();
});

test.each([
  ["GONE", "its server returned 410 Gone"],
  ["FAILED", "all ten attempts to deliver an event failed"],
  ["BACKLOG", "more than 10,000 events were waiting for it"],
] as const)("a webhook that was switched off for %s says why, and can be switched on again", async (reason, words) => {
  rows = [{ ...shop, isActive: false, switchedOff: { at: "2025-03-05T12:00:00.000Z", reason } }];
  server.responses["PUT /api/reseller/webhooks/:id"] = () => {
    rows = [shop];
    return shop;
  };
  const user = show();
  await screen.findByText((_, element) => element?.tagName === "P" && element.textContent?.includes(words) === true);
  await user.click(screen.getByRole("button", { name: `Switch On ${shop.url}` }));
  await screen.findByText("On");
  expect(sent("PUT /api/reseller/webhooks/4")).toEqual([{ isActive: true }]);
});

test("deliveries say what became of each event, and can be sent again", async () => {
  rows = [shop];
  const at = "2025-03-05T12:00:00.000Z";
  const attempt = { at, status: 500, ms: 12, answer: "broken" };
  const delivery: Delivery = {
    ...{ id: "a", webhookId: 4, type: "order.created", at, nextAt: null },
    tries: [attempt],
  };
  const later = { ...attempt, at: "2025-03-05T12:00:05.000Z" };
  const far = "2999-03-05T12:00:00.000Z";
  server.responses["GET /api/reseller/webhooks/:id/deliveries"] = () => [
    { ...delivery, id: "waiting", nextAt: far },
    {
      ...delivery,
      id: "failed",
      tries: [attempt, { ...later, status: null, answer: "No response within 10 seconds." }],
    },
    { ...delivery, id: "delivered", type: "webhook.test", tries: [attempt, { ...later, status: 204, answer: "" }] },
    { ...delivery, id: "ended", tries: [] },
  ];
  server.responses["POST /api/reseller/webhooks/:id/deliveries/:deliveryId/resend"] = () => delivery;
  const user = show();
  await user.click(await screen.findByRole("button", { name: `Deliveries ${shop.url}` }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deliveries" }));
  await dialog.findByText("Waiting");
  const texts = dialog.getAllByRole("listitem").map((item) => item.textContent);
  const events = texts.filter((text) => /^(Keys generated|Test)/.test(text ?? ""));
  for (const [index, words] of [
    ["Waiting", "500 · 12 ms", "broken", "Next attempt"],
    ["Failed", "No response · 12 ms", "No response within 10 seconds."],
    ["Test", "Delivered", "204 · 12 ms"],
    ["Not sent"],
  ].entries())
    for (const word of words) expect(events[index]).toContain(word);
  expect(dialog.getAllByRole("button", { name: /^Resend/ })).toHaveLength(3);
  await user.click(dialog.getByRole("button", { name: "Resend Keys generated failed" }));
  expect(server.calls("POST")).toEqual(["POST /api/reseller/webhooks/4/deliveries/failed/resend"]);
});
