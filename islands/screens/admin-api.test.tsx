import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { exampleUpdate, exampleVerdict } from "../../src/http/examples.ts";
import { updatesCall } from "../../src/reference/updates-call.ts";
import type { Preview } from "../../src/verify/schema.ts";
import { expectFocus } from "../../tests/expect-element.ts";
import { restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { keepSeededCatalogue } from "../api/seeded-catalogue.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import AdminApiScreen from "./admin-api.tsx";

beforeEach(() => {
  keepSeededCatalogue();
  window.history.replaceState(null, "", "/admin/api");
});
afterEach(restoreFetch);

const verdict: Preview = { ...exampleVerdict, code: "VALID", canRegister: true };

function page(search = "", language: "javascript" | "swift" = "javascript") {
  return (
    <PanelState>
      <AdminApiScreen search={search} language={language} />
    </PanelState>
  );
}

test("three tabs document a call each: examples, parameters, a sample, buttons that copy them, its place in Swagger", async () => {
  render(page());
  for (const [tab, path, operation] of [
    ["POST Method", "/api/verify", "verifyKey"],
    ["GET Method", "/api/verify/{key}/{game}/{deviceId}", "previewKey"],
    ["Online Updates", "/api/updates", "listPublishedUpdates"],
  ] as const) {
    await userEvent.click(screen.getByRole("tab", { name: tab }));
    expect(screen.getByText(path)).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Parameters" })).toBeTruthy();
    for (const part of ["Request", "Response", "JavaScript"])
      expect(screen.getByRole("region", { name: part })).toBeTruthy();
    for (const part of ["request", "response", "JavaScript"]) {
      expect(screen.getByRole("button", { name: `Copy ${part}` })).toBeTruthy();
    }
    const link = screen.getByRole("link", { name: "In Swagger" });
    expect(link.getAttribute("href")).toBe(`/swagger#/Game%20clients/${operation}`);
  }
});

test("what stands between backticks is code", () => {
  const { container } = render(page());
  expect(
    screen
      .getAllByText("version")
      .some(({ tagName, parentElement }) => `${parentElement?.tagName} ${tagName}` === "DD CODE"),
  ).toBeTrue();
  expect(container.querySelector("dl")?.parentElement?.parentElement?.textContent).not.toContain("`");
});

test("the note asks to replace the placeholder domain and to implement error handling and retry", () => {
  render(page());
  expect(screen.getByRole("note").textContent).toBe(
    "Replace https://your-domain.example with your real API endpoint, and implement error handling and retry.",
  );
});

test("the tab is in the address, and the server renders it, in the language chosen last", async () => {
  render(page());
  await userEvent.click(screen.getByRole("tab", { name: "GET Method" }));
  expect(window.location.search).toBe("?tab=get");
  const html = renderToString(page("?tab=updates", "swift"));
  expect(html).toContain(updatesCall.description);
  expect(html).toContain('href="?tab=post"');
  expect(html).toContain("import Foundation");
});

test("the language is the same for all calls, and is kept for the next page", async () => {
  render(page());
  const tabs = () => within(screen.getByRole("tablist", { name: "Languages" })).getAllByRole("tab");
  expect(tabs().map(({ textContent }) => textContent)).toEqual(["cURL", "JavaScript", "Kotlin", "Swift", "C#", "C++"]);
  await userEvent.click(screen.getByRole("tab", { name: "Kotlin" }));
  await userEvent.click(screen.getByRole("tab", { name: "GET Method" }));
  expect(screen.getByRole("region", { name: "Kotlin" }).textContent).toContain("suspend fun previewKey");
  expect(document.cookie).toContain("sample-language=kotlin");
});

test("this server's address replaces the placeholder in every example", async () => {
  render(page());
  await userEvent.click(screen.getByRole("switch", { name: "Use this server’s address" }));
  expect(screen.getByRole("note").textContent).toContain(window.location.origin);
  for (const tab of ["POST Method", "GET Method", "Online Updates"]) {
    await userEvent.click(screen.getByRole("tab", { name: tab }));
    for (const part of ["Request", "JavaScript"])
      expect(screen.getByRole("region", { name: part }).textContent).toContain(window.location.origin);
  }
  expect(document.body.textContent).not.toContain("your-domain.example");
});

test("a key is tried with the GET form, also on the POST page, and its verdict is shown in words and as JSON", async () => {
  const server = stubFetch({ "GET /api/verify/:key/:game/:deviceId": () => verdict });
  render(page());
  await userEvent.click(screen.getByRole("button", { name: "Try a key" }));
  const key = await screen.findByLabelText("key");
  await expectFocus(key);
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect((await screen.findByRole("alert")).textContent).toBe("key is required");
  await userEvent.type(key, "A KEY/1{Enter}");
  const status = (await screen.findByText(verdict.message)).closest('[role="status"]');
  expect(status?.textContent).toContain("1 / 2");
  expect(screen.getByRole("region", { name: /^Response in \d+ ms$/ }).textContent).toContain('"canRegister": true');
  expect(server.calls()).toEqual(["GET /api/verify/A%20KEY%2F1/PUBG%20MOBILE/a3f1c9d2-phone"]);
});

test("a refused trial shows the server's sentence", async () => {
  const message = "Too many attempts. Please try again later.";
  stubFetch({
    "GET /api/verify/:key/:game/:deviceId": () => Response.json({ message, code: "TOO_MANY_TRIES" }, { status: 429 }),
  });
  render(page());
  await userEvent.click(screen.getByRole("button", { name: "Try a key" }));
  await userEvent.type(await screen.findByLabelText("key"), "ABC{Enter}");
  expect(await screen.findByText(message)).toBeTruthy();
});

test("the updates are fetched from the page, and counted", async () => {
  stubFetch({ "GET /api/updates": () => [exampleUpdate] });
  render(page("?tab=updates"));
  await userEvent.click(screen.getByRole("tab", { name: "Online Updates" }));
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
  expect(await screen.findByText("1 active update.")).toBeTruthy();
});
