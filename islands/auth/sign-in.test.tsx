import { afterEach, beforeEach, expect, type Mock, spyOn, test } from "bun:test";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expectFocus } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { currentToast } from "../ui/toast/store.ts";
import SignIn from "./sign-in.tsx";

let server: FetchStub;
let alert: Mock<typeof window.alert>;
let assign: Mock<typeof window.location.assign>;

beforeEach(() => {
  server = stubFetch();
  currentToast.value = null;
  sessionStorage.clear();
  window.alert ??= () => {};
  alert = spyOn(window, "alert").mockImplementation(() => {});
  assign = spyOn(window.location, "assign").mockImplementation(() => {});
});
afterEach(() => {
  restoreFetch();
  alert.mockRestore();
  assign.mockRestore();
});

async function login(role: "Admin" | "Reseller") {
  if (role === "Reseller") await userEvent.click(screen.getByRole("tab", { name: "Reseller" }));
  await userEvent.type(screen.getByLabelText("Username"), "night.owl");
  await userEvent.type(screen.getByLabelText("Password"), "secret-secret");
  await userEvent.click(screen.getByRole("button", { name: `Login as ${role}` }));
}

test("the Admin tab is the default, and each tab has its own button", async () => {
  render(<SignIn messagingLink={null} />);
  expect(screen.getByRole("tab", { name: "Admin" }).getAttribute("aria-selected")).toBe("true");
  expect(screen.getByRole("button", { name: "Login as Admin" })).toBeTruthy();
  await userEvent.click(screen.getByRole("tab", { name: "Reseller" }));
  expect(screen.getByRole("button", { name: "Login as Reseller" })).toBeTruthy();
});

test("the selected tab is the one last used in this browser", () => {
  render(<SignIn messagingLink={null} lastRole="reseller" />);
  expect(screen.getByRole("tab", { name: "Reseller" }).getAttribute("aria-selected")).toBe("true");
  expect(screen.getByRole("button", { name: "Login as Reseller" })).toBeTruthy();
});

test("empty fields get a message, the first one is focused, and nothing is sent", async () => {
  render(<SignIn messagingLink={null} />);
  fireEvent.submit(screen.getByRole("button", { name: "Login as Admin" }).closest("form") as HTMLFormElement);
  expect(await screen.findByText("Username is required")).toBeTruthy();
  expect(screen.getByText("Password is required")).toBeTruthy();
  await expectFocus(screen.getByLabelText("Username"));
  expect(server.calls()).toEqual([]);
});

test("a refused sign-in marks both fields, until they are changed", async () => {
  const message = "Invalid username or password";
  server.responses["POST /api/auth/:role/login"] = () =>
    Response.json({ message, code: "WRONG_CREDENTIALS" }, { status: 401 });
  render(<SignIn messagingLink={null} />);
  await login("Admin");
  expect(await screen.findByText(message)).toBeTruthy();
  const marks = () =>
    ["Username", "Password"].map((label) => screen.getByLabelText(label).getAttribute("aria-invalid"));
  await waitFor(() => expect(marks()).toEqual(["true", "true"]));
  await userEvent.type(screen.getByLabelText("Password"), "!");
  expect(marks()).toEqual([null, null]);
});

test("a reseller who signs in gets to the dashboard, which shows the toast", async () => {
  const user = { id: 2, username: "night.owl", role: "reseller", rights: null, owner: null } as const;
  server.responses["POST /api/auth/:role/login"] = () => ({ message: "ok", user });
  server.responses["GET /api/auth/session"] = () => ({ isAuthenticated: true, user });
  render(<SignIn messagingLink={null} />);
  await login("Reseller");
  await waitFor(() => expect(assign.mock.calls).toEqual([["/reseller"]]));
  expect(server.calls()).toEqual(["POST /api/auth/reseller/login", "GET /api/auth/session"]);
  expect(JSON.parse(sessionStorage.getItem("toast") ?? "")).toEqual({
    title: "Success",
    description: "Logged in as reseller successfully",
  });
  expect(document.cookie).toContain("last-role=reseller");
});

test("the button stays busy until the next page is there", async () => {
  const user = { id: 1, username: "margaret", role: "admin", rights: null, owner: null } as const;
  server.responses["POST /api/auth/:role/login"] = () => ({ message: "ok", user });
  server.responses["GET /api/auth/session"] = () => ({ isAuthenticated: true, user });
  render(<SignIn messagingLink={null} />);
  await login("Admin");
  await waitFor(() => expect(assign.mock.calls).toEqual([["/admin"]]));
  fireEvent.submit(screen.getByRole("button", { name: "Logging in..." }).closest("form") as HTMLFormElement);
  expect(server.calls()).toEqual(["POST /api/auth/admin/login", "GET /api/auth/session"]);
  expect(screen.getByRole("button", { name: "Logging in..." })).toBeTruthy();
});

test("a space added by a phone's keyboard is dropped from the username, but not from the password", async () => {
  server.responses["POST /api/auth/:role/login"] = () => Response.json({ message: "no" }, { status: 401 });
  render(<SignIn messagingLink={null} />);
  await userEvent.type(screen.getByLabelText("Username"), "night.owl ");
  await userEvent.type(screen.getByLabelText("Password"), "secret ");
  await userEvent.click(screen.getByRole("button", { name: "Login as Admin" }));
  expect(server.received[0]?.body).toEqual({ username: "night.owl", password: "secret " });
});

test("while signing in the button is busy, cannot be pressed twice, and the other tab is disabled", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  server.responses["POST /api/auth/:role/login"] = () => promise;
  render(<SignIn messagingLink={null} />);
  await login("Admin");
  const button = screen.getByRole("button", { name: "Logging in..." });
  await userEvent.click(button);
  const other = screen.getByRole<HTMLButtonElement>("tab", { name: "Reseller" });
  expect(other.disabled).toBeTrue();
  screen.getByRole("tab", { name: "Admin" }).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(screen.getByRole("tabpanel").textContent).toContain("Logging in...");
  expect(server.calls()).toEqual(["POST /api/auth/admin/login"]);
  resolve(Response.json({ message: "no" }, { status: 401 }));
  await waitFor(() => expect(other.disabled).toBeFalse());
});

const failures: [string, () => Response | Promise<Response>, string][] = [
  [
    "the server's sentence",
    () => Response.json({ message: "Wrong username or password." }, { status: 401 }),
    "Wrong username or password.",
  ],
  ["JSON without a sentence", () => Response.json({}, { status: 500 }), "Login failed"],
  ["a response that is no JSON", () => new Response("<html>", { status: 502 }), "Login failed - Invalid credentials"],
  ["a success that is no JSON", () => new Response("<html>Welcome to the hotel</html>"), "Failed to login"],
  ["no response at all", () => Promise.reject(new TypeError("fetch failed")), "Failed to login"],
];
for (const [what, response, sentence] of failures) {
  test(`a login that fails with ${what} alerts and toasts '${sentence}', and keeps what was typed`, async () => {
    server.responses["POST /api/auth/:role/login"] = response;
    render(<SignIn messagingLink={null} />);
    await login("Admin");
    await waitFor(() => expect(alert.mock.calls).toEqual([[`LOGIN ERROR: ${sentence}`]]));
    await waitFor(() =>
      expect(currentToast.value).toMatchObject({
        title: "Login Failed",
        description: sentence,
        style: "destructive",
      }),
    );
    expect((screen.getByLabelText("Username") as HTMLInputElement).value).toBe("night.owl");
    expect((screen.getByLabelText("Password") as HTMLInputElement).value).toBe("secret-secret");
  });
}

test("the messaging link is shown only if one is configured", () => {
  const { rerender } = render(<SignIn messagingLink={null} />);
  expect(screen.queryByText("Contact us") === null).toBeTrue();
  rerender(<SignIn messagingLink="https://chat.example/latchkey" />);
  expect(screen.getByText("Contact us").closest("a")?.href).toBe("https://chat.example/latchkey");
});

test("text typed in one tab is kept while the other is open", async () => {
  render(<SignIn messagingLink={null} />);
  await userEvent.type(screen.getByLabelText("Username"), "margaret");
  await userEvent.click(screen.getByRole("tab", { name: "Reseller" }));
  expect((screen.getByLabelText("Username") as HTMLInputElement).value).toBe("");
  await userEvent.click(screen.getByRole("tab", { name: "Admin" }));
  expect((screen.getByLabelText("Username") as HTMLInputElement).value).toBe("margaret");
});

const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const codeWanted = () =>
  Response.json({ message: "Please enter the code.", code: "SECOND_FACTOR_NEEDED" }, { status: 401 });
const codeField = () => screen.findByLabelText<HTMLInputElement>("Two-Factor Code");

test("if a code is needed the form asks for it, without an alert or a toast", async () => {
  server.responses["POST /api/auth/:role/login"] = codeWanted;
  render(<SignIn messagingLink={null} />);
  await login("Reseller");
  const code = await codeField();
  await expectFocus(code);
  expect(screen.getByRole("status").textContent).toBe("Your account needs a code as well.");
  expect([
    code.autocomplete,
    document.getElementById(code.getAttribute("aria-describedby") ?? "")?.textContent,
  ]).toEqual(["one-time-code", "From your authenticator app, or a recovery code."]);
  expect(screen.getByLabelText<HTMLInputElement>("Username").value).toBe("night.owl");
  expect(screen.getByLabelText<HTMLInputElement>("Password").value).toBe("secret-secret");
  expect([alert.mock.calls, currentToast.value]).toEqual([[], null]);
});

test("the code is sent with the username and the password typed before", async () => {
  const user = { id: 2, username: "night.owl", role: "reseller", rights: null, owner: null } as const;
  server.responses["POST /api/auth/:role/login"] = ({ body }) =>
    body.code === undefined ? codeWanted() : { message: "ok", user };
  server.responses["GET /api/auth/session"] = () => ({ isAuthenticated: true, user });
  render(<SignIn messagingLink={null} />);
  await login("Reseller");
  await userEvent.type(await codeField(), " PRB7-M944-GC2Y-DX1G ");
  await press("Login as Reseller");
  await waitFor(() => expect(assign.mock.calls).toEqual([["/reseller"]]));
  expect(server.received[1]?.body).toEqual({
    ...{ username: "night.owl", password: "secret-secret", code: "PRB7-M944-GC2Y-DX1G" },
  });
});

test("an empty code is not sent; a wrong one is reported at its field", async () => {
  const sentence = "The code is wrong or has already been used.";
  server.responses["POST /api/auth/:role/login"] = ({ body }) =>
    body.code === undefined
      ? codeWanted()
      : Response.json({ message: sentence, code: "WRONG_SECOND_FACTOR" }, { status: 401 });
  render(<SignIn messagingLink={null} />);
  await login("Admin");
  const code = await codeField();
  await press("Login as Admin");
  expect(screen.getByText("The code is required")).toBeTruthy();
  expect(server.calls()).toHaveLength(1);
  await userEvent.type(code, "123456");
  await press("Login as Admin");
  await waitFor(() => expect(alert.mock.calls).toEqual([[`LOGIN ERROR: ${sentence}`]]));
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Login Failed", description: sentence }));
  expect([code.getAttribute("aria-invalid"), code.value]).toEqual(["true", "123456"]);
  await expectFocus(code);
});

test("another username starts without a code, and so does the other tab", async () => {
  server.responses["POST /api/auth/:role/login"] = codeWanted;
  render(<SignIn messagingLink={null} />);
  await login("Admin");
  await userEvent.type(await codeField(), "123456");
  await userEvent.type(screen.getByLabelText("Username"), "2");
  expect(screen.queryByLabelText("Two-Factor Code") === null).toBeTrue();
  await userEvent.click(screen.getByRole("tab", { name: "Reseller" }));
  await userEvent.click(screen.getByRole("tab", { name: "Admin" }));
  await press("Login as Admin");
  expect((await codeField()).value).toBe("");
  expect(server.received.map(({ body }) => body)).toEqual([
    { username: "night.owl", password: "secret-secret" },
    { username: "night.owl2", password: "secret-secret" },
  ]);
});
