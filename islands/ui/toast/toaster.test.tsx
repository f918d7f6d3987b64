import { afterEach, beforeEach, expect, jest, mock, test } from "bun:test";
import { act, render, screen } from "@testing-library/react";
import { carryToast, currentToast, dismissToast, showToast } from "./store.ts";
import { Toaster } from "./toaster.tsx";

// The view is loaded on demand; loading it here keeps the faked clock out of that.
await import("./view.tsx");

beforeEach(() => {
  currentToast.value = null;
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

async function renderToaster() {
  await act(async () => {
    render(<Toaster />);
  });
}

// The first of them, because the others bring the view.
test("a toast whose view cannot be loaded is shown plainly, for the same time", async () => {
  const onLine = Object.getOwnPropertyDescriptor(Navigator.prototype, "onLine") as PropertyDescriptor;
  Object.defineProperty(navigator, "onLine", { value: false, configurable: true });
  await renderToaster();
  const onPress = mock();
  const action = { label: "Reload the page", onPress };
  await act(async () => void showToast({ title: "Login Failed", description: "Failed to login", action }));
  expect(screen.getByRole("alert").textContent).toContain("Failed to login");
  screen.getByRole("button", { name: "Reload the page" }).click();
  expect(onPress).toHaveBeenCalledTimes(1);
  await act(async () => void jest.advanceTimersByTime(5_000));
  expect(screen.queryByRole("alert") === null).toBeTrue();
  Object.defineProperty(navigator, "onLine", { ...onLine, configurable: true });
});

test("at most one toast is shown: a new one replaces the last", async () => {
  await renderToaster();
  await act(async () => void showToast({ title: "Success", description: "Key revoked successfully" }));
  await act(async () => void showToast({ title: "Error", description: "Failed to revoke key", style: "destructive" }));
  expect(screen.queryByText("Key revoked successfully") === null).toBeTrue();
  expect(screen.getByText("Failed to revoke key")).toBeTruthy();
});

test("a toast is dismissed after 5000 ms and removed 5000 ms later", async () => {
  await renderToaster();
  await act(async () => void showToast({ title: "Success" }));
  await act(async () => void jest.advanceTimersByTime(4_999));
  expect(currentToast.value?.open).toBe(true);
  await act(async () => void jest.advanceTimersByTime(1));
  expect(currentToast.value?.open).toBe(false);
  await act(async () => void jest.advanceTimersByTime(5_000));
  expect(currentToast.value).toBeNull();
});

test("an error toast is shown for 10000 ms by default", async () => {
  await renderToaster();
  await act(async () => void showToast({ title: "Error", style: "destructive" }));
  await act(async () => void jest.advanceTimersByTime(9_999));
  expect(currentToast.value?.open).toBe(true);
  await act(async () => void jest.advanceTimersByTime(1));
  expect(currentToast.value?.open).toBe(false);
});

test("a persistent toast stays until it is dismissed", async () => {
  await renderToaster();
  let id = 0;
  await act(async () => {
    id = showToast({ title: "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN", style: "destructive", persistent: true });
  });
  await act(async () => void jest.advanceTimersByTime(60_000));
  expect(currentToast.value?.open).toBe(true);
  await act(async () => dismissToast(id));
  expect(currentToast.value?.open).toBe(false);
});

test("the removal of a dismissed toast spares the one that replaced it", () => {
  dismissToast(showToast({ title: "First" }));
  showToast({ title: "Second" });
  jest.advanceTimersByTime(5_000);
  expect(currentToast.value?.title).toBe("Second");
});

test("a carried toast is shown once, by the page that loads next", async () => {
  carryToast({ title: "Success", description: "Logged in as admin successfully" });
  await renderToaster();
  expect(screen.getByText("Logged in as admin successfully")).toBeTruthy();
  expect(sessionStorage.length).toBe(0);
});
