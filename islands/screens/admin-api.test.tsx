import { beforeEach, expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { updatesCall } from "../../src/reference/updates-call.ts";
import AdminApiScreen from "./admin-api.tsx";

beforeEach(() => window.history.replaceState(null, "", "/admin/api"));

test("three tabs document a call each: examples, parameters, a sample and buttons that copy them", async () => {
  render(<AdminApiScreen search="" />);
  for (const [tab, path] of [
    ["POST Method", "/api/verify"],
    ["GET Method", "/api/verify/{key}/{game}/{deviceId}"],
    ["Online Updates", "/api/updates"],
  ] as const) {
    await userEvent.click(screen.getByRole("tab", { name: tab }));
    expect(screen.getByText(path)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Parameters" })).toBeTruthy();
    for (const part of ["Request", "Response", "JavaScript"])
      expect(screen.getByRole("region", { name: part })).toBeTruthy();
    for (const part of ["request", "response", "JavaScript"]) {
      expect(screen.getByRole("button", { name: `Copy ${part}` })).toBeTruthy();
    }
  }
});

test("the note asks to replace the placeholder domain and to implement error handling and retry", () => {
  render(<AdminApiScreen search="" />);
  expect(screen.getByRole("note").textContent).toBe(
    "Replace https://your-domain.example with your real API endpoint, and implement error handling and retry.",
  );
});

test("the tab stands in the address, and the server renders the one that was asked for", async () => {
  render(<AdminApiScreen search="" />);
  await userEvent.click(screen.getByRole("tab", { name: "GET Method" }));
  expect(window.location.search).toBe("?tab=get");
  const html = renderToString(<AdminApiScreen search="?tab=updates" />);
  expect(html).toContain(updatesCall.description);
  expect(html).toContain('href="?tab=post"');
});
