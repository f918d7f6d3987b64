import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { AuditEntry } from "../../src/audit/schema.ts";
import { actions } from "../../src/facts/audit-entry.ts";
import { auditRowsPerPage } from "../api/calls/audit.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import { actionName, detailsText } from "./audit/words.ts";
import Audit from "./audit.tsx";

const owl = { id: 7, username: "night.owl", role: "reseller" } as const;
const admin = { id: 1, username: "admin", role: "admin" } as const;

let serial = 0;
function entry(more: Partial<AuditEntry>): AuditEntry {
  serial += 1;
  const base = { id: serial, at: "2025-03-05T12:00:00.000Z", action: "signed_in" as const, actor: admin };
  return { ...base, target: "admin admin", address: "203.0.113.7", details: {}, ...more };
}

const grant = entry({
  action: "credit_granted",
  target: "reseller night.owl",
  details: { resellerId: 7, amount: 50, balance: 62.5 },
});

const realClick = HTMLAnchorElement.prototype.click;
let saved: string[];
let listed: AuditEntry[];
let server: FetchStub;
beforeEach(() => {
  listed = [grant];
  saved = [];
  server = stubFetch({ "GET /api/admin/audit": () => listed });
  currentToast.value = null;
  window.history.replaceState(null, "", "/admin/audit");
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download);
  };
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
  HTMLAnchorElement.prototype.click = realClick;
});

function show() {
  const user = userEvent.setup();
  render(
    <PanelState>
      <Audit search={window.location.search} />
    </PanelState>,
  );
  return user;
}

/** The filter has a choice of the same words. */
const rowOf = (text: string) => screen.findByRole("row", { name: new RegExp(text) });
const cellsOf = async (text: string) => within(await rowOf(text)).getAllByRole("cell");
const lastCall = () => server.calls().at(-1);

describe("a row", () => {
  test("shows what was done, by whom, to what, from where and when, with a link to the reseller", async () => {
    show();
    const cells = await cellsOf("Credits granted");
    expect(cells.map(({ textContent }) => textContent)).toEqual([
      "Credits granted50 credits, the balance then 62.5",
      "Whoadmin ·",
      "To whatreseller night.owl ·",
      "Address203.0.113.7",
      expect.stringMatching(/^WhenMar 05, 2025, \d\d:00Mar 05, \d\d:00\d+ y ago$/),
    ]);
    expect(screen.getByRole("link", { name: "reseller night.owl" }).getAttribute("href")).toBe("/admin/resellers/7");
  });

  test("of a reseller links the name to its page, and marks their own account", async () => {
    listed = [entry({ actor: owl, target: "reseller night.owl" })];
    show();
    const cells = await cellsOf("own account");
    expect(cells[1]?.textContent).toBe("Whonight.owl ·");
    expect(screen.getByRole("link", { name: "night.owl" }).getAttribute("href")).toBe("/admin/resellers/7");
  });

  test("without an actor says so, and names the command line", async () => {
    listed = [
      entry({
        action: "sign_in_failed",
        actor: null,
        details: { by: "nobody", count: 3, wrongCodes: 1, suspended: 0 },
      }),
      entry({ action: "admin_created", actor: null, address: null, details: { by: "command line" } }),
    ];
    show();
    const failed = await cellsOf("Failed sign-in");
    expect(failed[0]?.textContent).toBe("Failed sign-in3 times, 1 with the right password and a wrong code");
    expect(failed[1]?.textContent).toBe("WhoUnknown ·");
    const created = await cellsOf("Admin created");
    expect([created[1]?.textContent, created[3]?.textContent]).toEqual(["WhoCommand line ·", "Address–"]);
  });
});

describe("the details in words", () => {
  test.each([
    ["registered", { resellerId: 7, tokenId: 4, credits: 0 }, "with token 4, no credits"],
    ["password_reset", { resellerId: 7, sessions: 1 }, "1 session ended"],
    ["password_changed", { sessions: 0 }, ""],
    ["key_replaced", { end: "AB2CD", owner: "night.owl" }, "now …AB2CD, of night.owl"],
    [
      "keys_generated",
      { count: 3, game: "FREE FIRE", days: 5, deviceLimit: 100, cost: 1.5 },
      "3 keys, FREE FIRE, 5 days, Unlimited devices, 1.5 credits",
    ],
    [
      "keys_generated",
      { count: 1, game: "FREE FIRE", days: 30, deviceLimit: 1, cost: 0 },
      "1 key, FREE FIRE, 30 days, 1 device",
    ],
    ["key_revoked", { game: "FREE FIRE", owner: "night.owl" }, "FREE FIRE, of night.owl"],
    ["update_changed", { title: "News", isActive: false }, "“News”, inactive"],
    ["data_downloaded", { search: "owl", from: "2025-03-05" }, "search “owl”, from 2025-03-05"],
    ["secret_lost", { signingKeys: 1, webhooks: 2, twoFactor: 0 }, "1 signing key, 2 webhooks, 0 two-factor secrets"],
    ["sign_in_failed", { count: 1, wrongCodes: 0, suspended: 1 }, "1 time, 1 with the right password, while suspended"],
  ] as const)("of %s %j are %p", (action, details, text) => {
    expect(detailsText(action, details)).toBe(text);
  });

  test("exist for every action, also for an entry that lacks newer fields", () => {
    for (const action of actions) {
      expect(actionName(action)).toMatch(/^[A-Z]/);
      expect(detailsText(action, {})).not.toContain("undefined");
    }
  });
});

test("search, action, name and days are in the address and filtered by the server; the last day is included", async () => {
  const user = show();
  await rowOf("Credits granted");
  await user.selectOptions(screen.getByLabelText("Action"), "Keys generated");
  await user.type(screen.getByLabelText("Search the audit log"), "pbgm{Enter}");
  await user.type(screen.getByLabelText("Who did it"), "night.owl{Enter}");
  await user.type(screen.getByLabelText("From"), "2025-03-05");
  await user.type(screen.getByLabelText("To"), "2025-03-06");
  const sent = new URLSearchParams({
    ...{ search: "pbgm", action: "keys_generated", actor: "night.owl" },
    ...{
      from: new Date(2025, 2, 5).toISOString(),
      to: new Date(2025, 2, 7).toISOString(),
      limit: String(auditRowsPerPage),
    },
  });
  await waitFor(() => expect(lastCall()).toBe(`GET /api/admin/audit?${sent}`));
  const address = new URLSearchParams(window.location.search);
  expect(Object.fromEntries(address)).toEqual({
    ...{ search: "pbgm", action: "keys_generated", actor: "night.owl", from: "2025-03-05", to: "2025-03-06" },
  });
  await user.click(screen.getByRole("button", { name: "Clear Filters" }));
  expect(window.location.search).toBe("");
  expect((screen.getByLabelText("Who did it") as HTMLInputElement).value).toBe("");
  expect((screen.getByLabelText("From") as HTMLInputElement).value).toBe("");
});

test("the name filter is applied once a name is chosen, entered or left", async () => {
  const user = show();
  await rowOf("Credits granted");
  const calls = server.calls().length;
  const who = screen.getByLabelText("Who did it");
  await user.type(who, "adm");
  expect(server.calls()).toHaveLength(calls);
  await user.type(who, "in");
  await waitFor(() => expect(lastCall()).toBe(`GET /api/admin/audit?actor=admin&limit=${auditRowsPerPage}`));
  await user.clear(who);
  await user.type(who, "somebody");
  await user.tab();
  await waitFor(() => expect(lastCall()).toBe(`GET /api/admin/audit?actor=somebody&limit=${auditRowsPerPage}`));
});

test("an address with an invalid action or day lists everything", async () => {
  window.history.replaceState(null, "", "/admin/audit?action=deleted&from=yesterday");
  show();
  await rowOf("Credits granted");
  expect(server.calls()).toEqual([`GET /api/admin/audit?limit=${auditRowsPerPage}`]);
});

test("no match, an empty log and a failure have different messages", async () => {
  listed = [];
  const user = show();
  expect(await screen.findByText("No entries yet")).toBeTruthy();
  await user.selectOptions(screen.getByLabelText("Action"), "Signed in");
  expect(await screen.findByText("No entries match")).toBeTruthy();
  server.responses["GET /api/admin/audit"] = () =>
    Response.json({ message: "The server is busy.", code: "BUSY" }, { status: 503 });
  await user.selectOptions(screen.getByLabelText("Action"), "Signed out");
  expect((await screen.findByRole("alert")).textContent).toContain("The server is busy.");
  server.responses["GET /api/admin/audit"] = () => [grant];
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await rowOf("Credits granted")).toBeTruthy();
});

describe("Download CSV", () => {
  test("saves the filtered entries under the server's filename, and shows its own entry", async () => {
    const user = show();
    await rowOf("Credits granted");
    await user.selectOptions(screen.getByLabelText("Action"), "Credits granted");
    await waitFor(() => expect(lastCall()).toContain("action=credit_granted"));
    const headers = { "content-disposition": 'attachment; filename="latchkey-audit-log-x.csv"' };
    server.responses["GET /api/admin/audit"] = ({ query }) =>
      query.get("format") === "csv" ? new Response("id", { headers }) : [entry({ action: "data_downloaded" }), grant];
    await user.click(screen.getByRole("button", { name: "Download CSV" }));
    await waitFor(() => expect(saved).toEqual(["latchkey-audit-log-x.csv"]));
    expect(server.calls("GET /api/admin/audit?action=credit_granted&format=csv")).toHaveLength(1);
    expect(currentToast.value).toMatchObject({ title: "Success", description: "Audit log downloaded successfully" });
    expect(await rowOf("Data downloaded")).toBeTruthy();
  });

  test("that fails saves no file, and says so", async () => {
    const user = show();
    await rowOf("Credits granted");
    server.responses["GET /api/admin/audit"] = () => new Response("", { status: 500 });
    await user.click(screen.getByRole("button", { name: "Download CSV" }));
    await waitFor(() => expect(currentToast.value?.description).toBe("Failed to download file"));
    expect(saved).toEqual([]);
  });
});
