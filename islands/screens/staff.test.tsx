import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { StaffAccount } from "../../src/accounts/staff/staff-schema.ts";
import { expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Staff from "./staff.tsx";

const helper: StaffAccount = {
  ...{ id: 7, username: "night.helper", rights: ["keys:read", "keys:order"], creditsPerDay: 12.5, isActive: true },
  ...{ hasTwoFactor: false, createdAt: "2025-03-05T12:00:00.000Z", lastSeenAt: null },
};
const newPassword = "vR7mKp2sXw9nTq4bHc6d";
const create = "POST /api/reseller/staff";
const change = "PUT /api/reseller/staff/:id";

let rows: StaffAccount[];
let server: FetchStub;
beforeEach(() => {
  rows = [helper];
  server = stubFetch({
    "GET /api/reseller/staff": () => rows,
    "GET /api/auth/two-factor": () => ({ enabled: false, recoveryCodesLeft: 0 }),
    [change]: () => helper,
    "POST /api/reseller/staff/:id/password": () => ({ newPassword }),
    "DELETE /api/reseller/staff/:id": () => {
      rows = [];
      return { message: "Staff account removed" };
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
      <Staff area="reseller" username="night.owl" />
    </PanelState>,
  );
  return userEvent.setup();
}

type User = ReturnType<typeof show>;

async function choose(user: User, item: string) {
  await screen.findAllByText("night.helper");
  await user.click(screen.getByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

const bodyOf = (call: string) => server.received.filter((each) => each.call.startsWith(call)).at(-1)?.body;

test("an account is made with a preset, and its password is shown until it was passed on", async () => {
  rows = [];
  server.responses[create] = () =>
    rows.length === 0
      ? Response.json({ code: "USERNAME_TAKEN", message: "This username is taken." }, { status: 409 })
      : { ...helper, newPassword };
  let nowMs = performance.now();
  const clock = spyOn(performance, "now").mockImplementation(() => nowMs);
  const user = show();
  await screen.findByText("No staff yet");
  await user.click(screen.getByRole("button", { name: "New Account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "New Staff Account" }));
  const submit = async () => {
    nowMs += doublePressMs;
    await user.click(dialog.getByRole("button", { name: "Create Account" }));
  };
  await submit();
  await dialog.findByText("Choose at least one of these");
  const chosen = () =>
    dialog.getAllByRole<HTMLInputElement>("checkbox").flatMap(({ name, checked }) => (checked && name ? [name] : []));
  const noPage = "Without keys:read, it cannot open the list of keys.";
  const manage = dialog.getByRole("checkbox", { name: "Change notes, revoke, pause, free devices" });
  await user.click(manage);
  dialog.getByText(noPage);
  await user.click(manage);
  expect(dialog.queryByText(noPage) === null).toBeTrue();
  await user.click(dialog.getByRole("button", { name: "Answers players" }));
  expect(dialog.queryByText(noPage) === null).toBeTrue();
  expect(chosen()).toEqual(["keys:read", "keys:manage"]);
  await user.click(dialog.getByRole("button", { name: "Sells keys" }));
  expect(chosen()).toEqual(["keys:read", "keys:order"]);
  expect(dialog.queryByText("verify") === null).toBeTrue();
  await user.type(dialog.getByLabelText("Username"), "night.helper");
  await user.type(dialog.getByLabelText("Credits per Day (optional)"), "12,5");
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  await submit();
  await dialog.findByText("This username is taken.");
  rows = [helper];
  await submit();
  const made = within(await screen.findByRole("dialog", { name: "New Password" }));
  made.getByText(newPassword);
  expect(bodyOf(create)).toEqual({
    ...{ username: "night.helper", rights: ["keys:read", "keys:order"], creditsPerDay: 12.5, password: "secret1" },
  });
  nowMs += 2 * doublePressMs;
  await user.click(made.getByRole("button", { name: "I've passed it on" }));
  await expectGone(() => screen.queryByRole("dialog"));
  await screen.findByText(
    "Read keys, orders and timelines, and search · Generate and extend keys, change device limits · At most 12.5 credits a day",
  );
  expect(screen.queryByText(newPassword) === null).toBeTrue();
  clock.mockRestore();
});

test("a change begins with the account's rights, and a limit that is emptied is taken away", async () => {
  const user = show();
  await screen.findAllByText("night.helper");
  await user.click(screen.getByRole("button", { name: "Change" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Change night.helper" }));
  await user.click(dialog.getByRole("checkbox", { name: "Generate and extend keys, change device limits" }));
  await user.clear(dialog.getByLabelText("Credits per Day (optional)"));
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  await user.click(dialog.getByRole("button", { name: "Save" }));
  await expectGone(() => screen.queryByRole("dialog"));
  expect(bodyOf("PUT")).toEqual({ rights: ["keys:read"], creditsPerDay: null, password: "secret1" });
});

test("an account is switched off at once, and on again with one's own password", async () => {
  const off = { ...helper, isActive: false };
  server.responses[change] = () => {
    rows = [off];
    return off;
  };
  const user = show();
  await choose(user, "Switch Off");
  await screen.findAllByText("Switched off");
  expect([bodyOf("PUT"), currentToast.value?.description]).toEqual([
    { isActive: false },
    "night.helper is switched off",
  ]);
  await choose(user, "Switch On");
  const dialog = within(await screen.findByRole("dialog", { name: "Switch On night.helper" }));
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  await user.click(dialog.getByRole("button", { name: "Switch On" }));
  await expectGone(() => screen.queryByRole("dialog"));
  expect(bodyOf("PUT")).toMatchObject({ isActive: true, rights: helper.rights, password: "secret1" });
});

test("a new password needs one's own, and is shown once", async () => {
  const user = show();
  await choose(user, "Reset Password");
  const dialog = within(await screen.findByRole("dialog", { name: "Reset Password" }));
  await user.type(dialog.getByLabelText("Your Password"), "secret1");
  await user.click(dialog.getByRole("button", { name: "Reset Password" }));
  within(await screen.findByRole("dialog", { name: "New Password" })).getByText(newPassword);
  expect(bodyOf("POST")).toEqual({ password: "secret1" });
});

test("an account is removed after a question", async () => {
  const user = show();
  await choose(user, "Remove");
  const question = within(await screen.findByRole("alertdialog", { name: "Remove Account" }));
  await user.click(question.getByRole("button", { name: "Remove Account" }));
  await screen.findByText("No staff yet");
});

test("only a helper who is signed in was seen at a time", async () => {
  rows = [helper, { ...helper, id: 8, username: "day.helper", lastSeenAt: "2025-03-06T12:00:00.000Z" }];
  show();
  await screen.findByText("day.helper");
  expect(screen.getAllByText("Signed out")).toHaveLength(1);
  expect(screen.getAllByText("Seen")).toHaveLength(1);
});
