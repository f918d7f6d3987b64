import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ApiKey } from "../../src/accounts/api-keys/api-key-schema.ts";
import { expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import ApiKeys from "./api-keys.tsx";

const create = "POST /api/reseller/api-keys";
const shop: ApiKey = {
  ...{ id: 3, name: "Shop", lastFour: "x7Qd", scopes: ["keys:order"], createdAt: "2025-03-05T12:00:00.000Z" },
  ...{ lastUsedAt: null, expiresAt: null, addresses: ["203.0.113.7", "203.0.113.8"], creditsPerDay: 50 },
};
const key = "lk_3fK9mQ2vXb7RtY5cWn8LpZ4dHs6Gx7Qd";

let rows: ApiKey[];
let server: FetchStub;
beforeEach(() => {
  rows = [];
  server = stubFetch({
    "GET /api/reseller/api-keys": () => rows,
    "GET /api/auth/two-factor": () => ({ enabled: true, recoveryCodesLeft: 10 }),
    "DELETE /api/reseller/api-keys/:id": () => {
      rows = [];
      return { message: "API key deleted" };
    },
  });
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show() {
  render(
    <PanelState>
      <ApiKeys area="reseller" username="night.owl" />
    </PanelState>,
  );
  return userEvent.setup();
}

test("a password manager learns whose password a new API key needs", async () => {
  const user = show();
  await user.click(await screen.findByRole("button", { name: "New API Key" }));
  const inputs = [...(await screen.findByRole("dialog", { name: "New API Key" })).querySelectorAll("input")];
  const password = inputs.findIndex(({ type }) => type === "password");
  const before = inputs[password - 1];
  expect([before?.autocomplete, before?.value]).toEqual(["username", "night.owl"]);
});

test("an API key is made with what was chosen, and shown until it is saved", async () => {
  server.responses[create] = () =>
    rows.length === 0
      ? Response.json({ code: "WRONG_SECOND_FACTOR", message: "The code is wrong." }, { status: 401 })
      : { ...shop, key };
  let nowMs = performance.now();
  const clock = spyOn(performance, "now").mockImplementation(() => nowMs);
  const user = show();
  await screen.findByText("No API keys yet");
  await user.click(screen.getByRole("button", { name: "New API Key" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New API Key" }));
  const submit = async () => {
    nowMs += doublePressMs;
    await user.click(dialog.getByRole("button", { name: "Create API Key" }));
  };
  await submit();
  await dialog.findByText("Name is required");
  dialog.getByText("Choose at least one of these");
  await user.type(dialog.getByLabelText("Name"), "Shop");
  await user.click(dialog.getByRole("checkbox", { name: "Generate and extend keys, change device limits" }));
  await expectGone(() => dialog.queryByText("Choose at least one of these"));
  const all = dialog.getByRole<HTMLInputElement>("checkbox", { name: "All of Keys" });
  const boxes = within(dialog.getByRole("group", { name: "Keys" })).getAllByRole<HTMLInputElement>("checkbox");
  await user.click(all);
  expect(boxes.map(({ checked }) => checked)).toEqual([true, true, true, true, true]);
  await user.click(dialog.getByRole("checkbox", { name: "Verify keys from a server" }));
  expect(all.checked).toBeFalse();
  await user.click(all);
  await user.click(all);
  await user.click(dialog.getByRole("checkbox", { name: "Generate and extend keys, change device limits" }));
  await user.type(dialog.getByLabelText("Credits per Day (optional)"), "12,5");
  await user.type(dialog.getByLabelText("Addresses (optional)"), "203.0.113.7, 2001:db8::/32");
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  await user.type(await dialog.findByLabelText("Code"), "123456");
  await submit();
  await dialog.findByText("The code is wrong.");
  rows = [shop];
  await submit();
  const saved = within(await screen.findByRole("dialog", { name: "Save the API Key" }));
  saved.getByText(key);
  expect(server.received.filter(({ call }) => call === create).at(-1)?.body).toEqual({
    ...{ name: "Shop", scopes: ["keys:order"], creditsPerDay: 12.5, addresses: ["203.0.113.7", "2001:db8::/32"] },
    ...{ password: "secret1", code: "123456" },
  });
  nowMs += 2 * doublePressMs;
  await user.click(saved.getByRole("button", { name: "I've saved it" }));
  await expectGone(() => screen.queryByRole("dialog"));
  await screen.findByText("50 credits a day · Only from 203.0.113.7, 203.0.113.8");
  expect(screen.queryByText(key) === null).toBeTrue();
  clock.mockRestore();
});

test("the code is asked for when the server needs it, also if two-factor was unknown until then", async () => {
  server.responses["GET /api/auth/two-factor"] = () => Response.json({ message: "Busy." }, { status: 503 });
  server.responses[create] = () =>
    Response.json({ code: "SECOND_FACTOR_NEEDED", message: "Please enter the code." }, { status: 401 });
  const user = show();
  await user.click(screen.getByRole("button", { name: "New API Key" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New API Key" }));
  await user.type(dialog.getByLabelText("Name"), "Shop");
  await user.click(dialog.getByRole("checkbox", { name: "Verify keys from a server" }));
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  expect(dialog.queryByLabelText("Code") === null).toBeTrue();
  await user.click(dialog.getByRole("button", { name: "Create API Key" }));
  await dialog.findByText("Please enter the code.");
  expect(dialog.getByLabelText("Code")).toBeTruthy();
});

test("an API key is deleted after a question", async () => {
  rows = [shop];
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Delete" }));
  await user.click(await screen.findByRole("button", { name: "Delete API Key" }));
  await screen.findByText("No API keys yet");
  expect(server.calls("DELETE")).toEqual(["DELETE /api/reseller/api-keys/3"]);
});

test("the list says what each API key may do, from where, and whether it still works", async () => {
  rows = [
    { ...shop, expiresAt: "2025-03-06T23:59:59.999Z", lastUsedAt: "2025-03-06T09:00:00.000Z" },
    { ...shop, id: 4, name: "Bot", lastFour: "a1B2", scopes: ["verify"], addresses: [], creditsPerDay: null },
  ];
  show();
  await screen.findByText("Bot");
  const [, first = "", second = ""] = screen.getAllByRole("row").map((row) => row.textContent ?? "");
  for (const text of [
    "Shop",
    "…x7Qd",
    "keys:order",
    "50 credits a day",
    "203.0.113.8",
    "03/05/2025",
    "Expired 03/06/2025",
  ])
    expect(first).toContain(text);
  for (const text of ["…a1B2", "verify", "No limits", "Never used", "Never expires"]) expect(second).toContain(text);
});
