import { afterEach, expect, spyOn, test } from "bun:test";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { currentToast } from "../ui/toast-store.ts";
import Registration from "./registration.tsx";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

async function register(response: () => Response) {
  const sent: unknown[] = [];
  globalThis.fetch = (async (_: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return response();
  }) as unknown as typeof fetch;
  render(<Registration />);
  await userEvent.type(screen.getByLabelText("Username"), "night.owl");
  await userEvent.type(screen.getByLabelText("Password"), "secret-secret");
  await userEvent.type(screen.getByLabelText("Referral Token"), "hK3vWq8Z");
  await userEvent.click(screen.getByRole("button", { name: "Register Account" }));
  return sent;
}

test("a new reseller goes to the login, and the toast travels along", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  const sent = await register(() => Response.json({ message: "ok" }, { status: 201 }));
  await waitFor(() => expect(assign.mock.calls).toEqual([["/"]]));
  expect(sent).toEqual([{ username: "night.owl", password: "secret-secret", referralToken: "hK3vWq8Z" }]);
  expect(sessionStorage.getItem("toast")).toContain("Account registered successfully");
  assign.mockRestore();
});

test("a refusal alerts, toasts, and stands by its field", async () => {
  window.alert ??= () => {};
  const alert = spyOn(window, "alert").mockImplementation(() => {});
  const message = "This referral token is not known.";
  await register(() => Response.json({ message, errors: [{ path: "referralToken", message }] }, { status: 422 }));
  await waitFor(() => expect(alert.mock.calls).toEqual([[`REGISTRATION ERROR: ${message}`]]));
  expect(screen.getByLabelText("Referral Token").getAttribute("aria-invalid")).toBe("true");
  await waitFor(() => expect(currentToast.value).toMatchObject({ title: "Registration Failed", style: "destructive" }));
  alert.mockRestore();
});
