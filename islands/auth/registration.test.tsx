import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expectFocus } from "../../tests/expect-element.ts";
import { restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { currentToast } from "../ui/toast/store.ts";
import Registration from "./registration.tsx";

let alert: Mock<typeof window.alert>;

beforeEach(() => {
  currentToast.value = null;
  window.alert ??= () => {};
  alert = spyOn(window, "alert").mockImplementation(() => {});
});
afterEach(() => {
  restoreFetch();
  alert.mockRestore();
});

const owl = { username: "night.owl", password: "secret-secret", referralToken: "hK3vWq8Z" };

async function register(response: () => Response, typed = owl) {
  const { received } = stubFetch({ "POST /api/auth/reseller/register": response });
  render(<Registration />);
  await userEvent.type(screen.getByLabelText("Username"), typed.username);
  await userEvent.type(screen.getByLabelText("Password"), typed.password);
  await userEvent.type(screen.getByLabelText("Referral Token"), typed.referralToken);
  await userEvent.click(screen.getByRole("button", { name: "Register Account" }));
  return received;
}

const refusals = [
  { code: "USERNAME_TAKEN", status: 409, message: "This username is already taken.", label: "Username" },
  { code: "TOKEN_UNKNOWN", status: 422, message: "This referral token does not exist.", label: "Referral Token" },
  { code: "TOKEN_USED", status: 409, message: "This referral token has already been used.", label: "Referral Token" },
];

test("a new reseller gets to the login page, which shows the toast", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  const sent = await register(() => Response.json({ message: "ok" }, { status: 201 }));
  await waitFor(() => expect(assign.mock.calls).toEqual([["/"]]));
  expect(sent.map(({ body }) => body)).toEqual([owl]);
  expect(sessionStorage.getItem("toast")).toContain("Account registered successfully");
  expect([sessionStorage.getItem("registered-name"), document.cookie]).toEqual([
    "night.owl",
    expect.stringContaining("last-role=reseller"),
  ]);
  assign.mockRestore();
});

test.each(refusals)(
  "$code alerts, toasts, and is shown at the field $label",
  async ({ code, status, message, label }) => {
    await register(() => Response.json({ message, code }, { status }));
    await waitFor(() => expect(alert.mock.calls).toEqual([[`REGISTRATION ERROR: ${message}`]]));
    const field = screen.getByLabelText(label);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await expectFocus(field);
    const note = document.getElementById(field.getAttribute("aria-describedby") ?? "");
    expect([note?.getAttribute("role"), note?.textContent]).toEqual(["alert", message]);
    await waitFor(() =>
      expect(currentToast.value).toMatchObject({ title: "Registration Failed", style: "destructive" }),
    );
  },
);

test("each field that the server refuses shows its message, and the first one is focused", async () => {
  const errors = [
    { path: "referralToken", message: "This is no token." },
    { path: "username", message: "This name is reserved." },
  ];
  await register(() => Response.json({ message: "Look again.", code: "INVALID", errors }, { status: 422 }));
  expect(await screen.findByText("This name is reserved.")).toBeTruthy();
  expect(screen.getByText("This is no token.")).toBeTruthy();
  await expectFocus(screen.getByLabelText("Username"));
  await userEvent.type(screen.getByLabelText("Username"), "s");
  expect([screen.queryByText("This name is reserved."), screen.getByText("This is no token.") !== null]).toEqual([
    null,
    true,
  ]);
});

test("an unreadable success is reported in the panel's words, not the parser's", async () => {
  await register(() => new Response("<html>Welcome to the hotel</html>"));
  await waitFor(() => expect(alert.mock.calls).toEqual([["REGISTRATION ERROR: Failed to register"]]));
});

test("spaces around the username and the token are dropped, but not around the password", async () => {
  const sent = await register(() => Response.json({ message: "no" }, { status: 422 }), {
    username: " night.owl ",
    password: " secret ",
    referralToken: " hK3vWq8Z ",
  });
  expect(sent.map(({ body }) => body)).toEqual([
    { username: "night.owl", password: " secret ", referralToken: "hK3vWq8Z" },
  ]);
});

test("an invitation fills in its token, names its bonus, and the hint says so", async () => {
  window.history.replaceState(null, "", "/register#token=hK3vWq8ZsT2mXc7RbN4pLd&credits=12.5");
  const { received } = stubFetch({
    "POST /api/auth/reseller/register": () => Response.json({ message: "ok" }, { status: 201 }),
  });
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  render(<Registration />);
  expect((screen.getByLabelText("Referral Token") as HTMLInputElement).value).toBe("hK3vWq8ZsT2mXc7RbN4pLd");
  expect(screen.getByText(/From your invitation/)).toBeTruthy();
  expect(screen.getByText("You start with 12.5 credits.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Username"), owl.username);
  await userEvent.type(screen.getByLabelText("Password"), `${owl.password}{Enter}`);
  await waitFor(() =>
    expect(received.map(({ body }) => body)).toEqual([{ ...owl, referralToken: "hK3vWq8ZsT2mXc7RbN4pLd" }]),
  );
  await waitFor(() => expect(assign).toHaveBeenCalled());
  assign.mockRestore();
  window.history.replaceState(null, "", "/register");
});

test.each(["0", "-5", "1e9", "0.25", "many"])("an invitation that claims %s credits names no bonus", (credits) => {
  window.history.replaceState(null, "", `/register#token=hK3vWq8Z&credits=${credits}`);
  render(<Registration />);
  expect(screen.getByText("Choose a username and a password.")).toBeTruthy();
  window.history.replaceState(null, "", "/register");
});
