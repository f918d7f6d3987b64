import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { OwnSession, TwoFactorState } from "../../src/accounts/account-schema.ts";
import type { Role } from "../../src/accounts/schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Account from "./account.tsx";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const session = (id: number, more: Partial<OwnSession> = {}): OwnSession => ({
  ...{ id, current: false, createdAt: "2025-03-05T12:00:00.000Z", lastSeenAt: "2025-03-05T13:00:00.000Z" },
  ...{ address: `203.0.113.${id}`, userAgent: firefox },
  ...more,
});

let server: FetchStub;
let sessions: OwnSession[];
let twoFactor: TwoFactorState;
let nowMs: number;
beforeEach(() => {
  sessions = [session(9), session(8, { userAgent: "curl/8.5.0" }), session(7, { current: true })];
  twoFactor = { enabled: false, recoveryCodesLeft: 0 };
  currentToast.value = null;
  // A machine that is busy must not take two presses apart.
  nowMs = 1_000;
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
  jest.restoreAllMocks();
  restoreFetch();
  queryClient.clear();
});

function show(responses: Responses = {}, area: Role = "reseller") {
  server = stubFetch({
    "GET /api/auth/sessions": () => sessions,
    "GET /api/auth/two-factor": () => twoFactor,
    "DELETE /api/auth/sessions/:id": ({ params }) => {
      sessions = sessions.filter(({ id }) => id !== Number(params.id));
      return { message: "The session has ended." };
    },
    ...responses,
  });
  render(
    <PanelState>
      <Account area={area} username="night.owl" />
    </PanelState>,
  );
}

const refusal = (status: number, code: string, message: string) => () => Response.json({ message, code }, { status });
const wrongPassword = refusal(401, "WRONG_CREDENTIALS", "Your current password is wrong.");
const sent = (call: string) => server.received.filter((each) => each.call === call).map(({ body }) => body);
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const messageOf = (control: HTMLElement) =>
  document.getElementById(control.getAttribute("aria-describedby") ?? "")?.textContent;

async function changePassword(current: string, next: string) {
  if (current) await userEvent.type(field("Current Password"), current);
  if (next) await userEvent.type(field("New Password"), next);
  await userEvent.click(screen.getByRole("button", { name: "Change Password" }));
}

test("a new password is sent with the current one, confirmed in the server's words, and cleared from the page", async () => {
  const message = "Password changed. All your other sessions have ended.";
  show({ "POST /api/auth/password": () => ({ message }) });
  await screen.findByText("curl");
  await changePassword("old secret ", "a longer secret");
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Success", description: message }));
  expect(sent("POST /api/auth/password")).toEqual([{ currentPassword: "old secret ", newPassword: "a longer secret" }]);
  expect([field("Current Password").value, field("New Password").value]).toEqual(["", ""]);
  await waitFor(() => expect(server.calls("GET /api/auth/sessions")).toHaveLength(2));
});

test("each invalid password field has a message, and a weak password is sent in spite of the warning", async () => {
  show({ "POST /api/auth/password": wrongPassword });
  await changePassword("", "short");
  expect(messageOf(field("Current Password"))).toBe("Your current password is required");
  expect(messageOf(field("New Password"))).toBe("Password must be at least 6 characters");
  await expectFocus(field("Current Password"));
  await userEvent.clear(field("New Password"));
  await changePassword("guess", "qwerty");
  await screen.findByText("Very weak: a common password");
  await waitFor(() => expect(messageOf(field("Current Password"))).toBe("Your current password is wrong."));
  await expectFocus(field("Current Password"));
  expect(currentToast.value).toBeNull();
  expect(field("New Password").value).toBe("qwerty");
});

test("a refusal without a field is shown in a toast, and typed text stays", async () => {
  const message = "Too many wrong passwords. Please try again later.";
  show({ "POST /api/auth/password": refusal(429, "TOO_MANY_TRIES", message) });
  await changePassword("old secret", "a longer secret");
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Error", description: message }));
  expect(field("New Password").value).toBe("a longer secret");
});

const rowOf = (text: RegExp) => screen.getByText(text).closest("li") as HTMLElement;

test("password managers can tell the account and the two passwords", async () => {
  show();
  const inputs = [...(field("New Password").form?.querySelectorAll("input") ?? [])];
  expect(inputs.map(({ autocomplete, defaultValue }) => [autocomplete, defaultValue])).toEqual([
    ["username", "night.owl"],
    ["current-password", ""],
    ["new-password", ""],
  ]);
});

test("the sessions are named by browser and address, this one first and without a button", async () => {
  show();
  const rows = (await screen.findAllByText(/^Signed in/)).map((line) => line.closest("li") as HTMLElement);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(
      /^Firefox on LinuxThis sessionActive now203\.0\.113\.7Signed in Mar 05, \d\d:00 · \d+ y ago$/,
    ),
    expect.stringMatching(/^Firefox on LinuxLast seen Mar 05, \d\d:00203\.0\.113\.9Signed in .* agoEnd$/),
    expect.stringMatching(/^curlLast seen Mar 05, \d\d:00203\.0\.113\.8Signed in .* agoEnd$/),
  ]);
  expect(within(rows[0] as HTMLElement).queryByRole("button") === null).toBeTrue();
});

test("an ended session leaves the list, and the focus moves to the next one's button", async () => {
  show();
  const buttons = await screen.findAllByRole("button", { name: /^End the session of/ });
  await userEvent.click(buttons[0] as HTMLElement);
  await expectGone(() => screen.queryByText(/203\.0\.113\.9/));
  expect(server.calls("DELETE")).toEqual(["DELETE /api/auth/sessions/9"]);
  await expectFocus(within(rowOf(/^curl/)).getByRole("button"));
  // The second press of a double click, which the row that came up in its place must not take for its own.
  await userEvent.click(within(rowOf(/^curl/)).getByRole("button"));
  expect(server.calls("DELETE")).toHaveLength(1);
  nowMs += doublePressMs;
  await userEvent.click(within(rowOf(/^curl/)).getByRole("button"));
  await waitFor(() => expect(server.calls("DELETE")).toHaveLength(2));
});

test("ending all others asks first, says how many there are, and keeps this one", async () => {
  const message = "All your other sessions have ended.";
  show({
    "DELETE /api/auth/sessions": () => {
      sessions = sessions.filter(({ current }) => current);
      return { message };
    },
  });
  await userEvent.click(await screen.findByRole("button", { name: "End All Others" }));
  const question = await screen.findByRole("alertdialog", { name: "End All Other Sessions" });
  expect(question.textContent).toContain("2 sessions will be signed out. This one stays signed in.");
  expect(server.calls("DELETE")).toEqual([]);
  await userEvent.click(within(question).getByRole("button", { name: "End All Others" }));
  await screen.findByText("No other sessions.");
  expect(currentToast.value).toMatchObject({ title: "Success", description: message });
  await expectGone(() => screen.queryByRole("button", { name: "End All Others" }));
});

test("of many sessions ten are shown, and ten more with each press", async () => {
  sessions = Array.from({ length: 25 }, (_, index) => session(index + 1, { current: index === 24 }));
  show();
  await screen.findByText("This session");
  const shown = () => screen.getAllByText(/^Signed in/).length;
  expect(shown()).toBe(10);
  await userEvent.click(screen.getByRole("button", { name: "Show More (15 left)" }));
  await userEvent.click(screen.getByRole("button", { name: "Show More (5 left)" }));
  expect([shown(), screen.queryByRole("button", { name: /^Show More/ })]).toEqual([25, null]);
});

test("sessions and two-factor that fail to load say so, each in its place, and can be loaded again", async () => {
  show({
    "GET /api/auth/sessions": () => new Response("out of order", { status: 500 }),
    "GET /api/auth/two-factor": () => new Response("out of order", { status: 500 }),
  });
  expect(await screen.findByText("The sessions could not be loaded.")).toBeTruthy();
  expect(await screen.findByText("Two-factor sign-in could not be loaded.")).toBeTruthy();
  const [ofTwoFactor, ofSessions] = screen.getAllByRole("button", { name: "Retry" });
  server.responses["GET /api/auth/sessions"] = () => sessions;
  server.responses["GET /api/auth/two-factor"] = () => twoFactor;
  await userEvent.click(ofSessions as HTMLElement);
  await userEvent.click(ofTwoFactor as HTMLElement);
  expect(await screen.findByText("curl")).toBeTruthy();
  const setUp = await screen.findByRole("button", { name: "Set Up" });
  await expectFocus(setUp);
});

const secret = { secret: "OULUTRT7I2OUS7X6", uri: "otpauth://totp/Latchkey:night.owl?secret=OULUTRT7I2OUS7X6" };
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `AAAA-BBBB-CCCC-000${index}`);

async function openSetup() {
  await userEvent.click(await screen.findByRole("button", { name: "Set Up" }));
  return screen.findByRole("dialog", { name: "Set Up Two-Factor" });
}

/** By the button: Enter does not send a form with two text fields here, unlike in a browser. */
async function continueWith(password: string) {
  await userEvent.type(field("Your Password"), password);
  await userEvent.click(screen.getByRole("button", { name: "Continue" }));
}

test("two-factor is set up by password, key and code, and the recovery codes stay until confirmed", async () => {
  show({
    "POST /api/auth/two-factor": () => secret,
    "POST /api/auth/two-factor/confirm": () => {
      twoFactor = { enabled: true, recoveryCodesLeft: 10 };
      return { recoveryCodes };
    },
  });
  const dialog = await openSetup();
  await expectFocus(field("Your Password"));
  expect(dialog.querySelector<HTMLInputElement>('[autocomplete="username"]')?.value).toBe("night.owl");
  await continueWith("secret-secret");
  await within(dialog).findByText("OULU TRT7 I2OU S7X6");
  expect(within(dialog).getByRole("img", { name: "QR code for the key" })).toBeTruthy();
  expect(within(dialog).getByRole("link", { name: "Open in an authenticator app" }).getAttribute("href")).toBe(
    secret.uri,
  );
  expect([field("Code From the App").autocomplete, field("Code From the App").inputMode]).toEqual([
    "one-time-code",
    "numeric",
  ]);
  await userEvent.type(field("Code From the App"), "492 039{Enter}");
  await within(dialog).findByText("AAAA-BBBB-CCCC-0009");
  expect(sent("POST /api/auth/two-factor/confirm")).toEqual([{ code: "492 039" }]);
  expect(within(dialog).getAllByRole("listitem")).toHaveLength(10);
  await userEvent.keyboard("{Enter}{Escape}");
  expect([dialog.isConnected, within(dialog).queryByRole("button", { name: "Close" })]).toEqual([true, null]);
  await userEvent.click(within(dialog).getByRole("button", { name: "I've saved them" }));
  // Such a quick press was meant for the previous button.
  expect(dialog.isConnected).toBeTrue();
  nowMs += doublePressMs;
  await userEvent.click(within(dialog).getByRole("button", { name: "I've saved them" }));
  await expectGone(() => screen.queryByRole("dialog"));
  expect(await screen.findByText("10 recovery codes left.")).toBeTruthy();
  await expectFocus(screen.getByRole("button", { name: "Turn Off" }));
});

test("a wrong password and a wrong code are reported at their fields; an impossible code is not sent", async () => {
  show({
    "POST /api/auth/two-factor": wrongPassword,
    "POST /api/auth/two-factor/confirm": refusal(
      401,
      "WRONG_SECOND_FACTOR",
      "The code is wrong or has already been used.",
    ),
  });
  await openSetup();
  await continueWith("guess");
  await waitFor(() => expect(messageOf(field("Your Password"))).toBe("Your current password is wrong."));
  server.responses["POST /api/auth/two-factor"] = () => secret;
  await continueWith("ed");
  await screen.findByRole("dialog", { name: "Scan the QR Code" });
  await userEvent.type(field("Code From the App"), "12345{Enter}");
  expect(messageOf(field("Code From the App"))).toBe("The code must have 6 digits");
  await userEvent.type(field("Code From the App"), "6{Enter}");
  await waitFor(() =>
    expect(messageOf(field("Code From the App"))).toBe("The code is wrong or has already been used."),
  );
  expect(sent("POST /api/auth/two-factor/confirm")).toEqual([{ code: "123456" }]);
  await expectFocus(field("Code From the App"));
  expect(currentToast.value).toBeNull();
});

test("an abandoned setup changes nothing and starts over", async () => {
  show({ "POST /api/auth/two-factor": () => secret });
  await openSetup();
  await continueWith("secret-secret");
  await screen.findByRole("dialog", { name: "Scan the QR Code" });
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  await openSetup();
  expect(field("Your Password").value).toBe("");
});

test("two-factor that is on says how many recovery codes are left, when to get new ones, and is turned off by password", async () => {
  twoFactor = { enabled: true, recoveryCodesLeft: 1 };
  show({
    "DELETE /api/auth/two-factor": () => {
      twoFactor = { enabled: false, recoveryCodesLeft: 0 };
      return { message: "Two-factor sign-in is off." };
    },
  });
  await screen.findByText("1 recovery code left. Set it up again to get more.");
  await userEvent.click(screen.getByRole("button", { name: "Turn Off" }));
  const dialog = await screen.findByRole("dialog", { name: "Turn Off Two-Factor" });
  await userEvent.type(field("Your Password"), "secret-secret");
  await userEvent.click(within(dialog).getByRole("button", { name: "Turn Off" }));
  expect(await screen.findByRole("button", { name: "Set Up" })).toBeTruthy();
  expect(sent("DELETE /api/auth/two-factor")).toEqual([{ password: "secret-secret" }]);
  expect(currentToast.value).toMatchObject({ title: "Success", description: "Two-factor sign-in is off." });
});

test("the account page links to the API keys, and that of an admin to the audit log", () => {
  show({}, "admin");
  expect(screen.getByRole("link", { name: "Audit Log" }).getAttribute("href")).toBe("/admin/audit");
  expect(screen.getByRole("link", { name: "API Keys" }).getAttribute("href")).toBe("/admin/api-keys");
  cleanup();
  show();
  expect(screen.getByRole("link", { name: "API Keys" }).getAttribute("href")).toBe("/reseller/api-keys");
  expect(screen.queryByRole("link", { name: "Audit Log" })).toBeNull();
});
