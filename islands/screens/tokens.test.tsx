import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Token } from "../../src/tokens/schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { rowsPerPage } from "../api/paged-rows.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Tokens from "./tokens.tsx";

const free: Token = { ...token(2, "hK3vWq8ZsT2mXc7RbN4pLd"), credits: 12.5, label: "for Ana" };
const used: Token = { ...token(1, "Z4x8HxmTEtO_dv-REfpjQO"), usedBy: "night.owl", isUsed: true };

function token(id: number, text: string): Token {
  return {
    id,
    token: text,
    createdAt: "2025-03-05T12:00:00.000Z",
    usedBy: null,
    credits: 0,
    isUsed: false,
    label: null,
  };
}

let listed: Token[];
let server: FetchStub;
beforeEach(() => {
  listed = [free, used];
  server = stubFetch({
    "GET /api/admin/tokens": () => listed,
    "POST /api/admin/tokens/generate": () => ({ token: token(3, "a-new-token-of-22-chars") }),
  });
  currentToast.value = null;
  window.history.replaceState(null, "", "/admin/tokens");
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show() {
  // Set up first: it brings a clipboard, which happy-dom's page may not use otherwise.
  const user = userEvent.setup();
  render(
    <PanelState>
      <Tokens search={window.location.search} />
    </PanelState>,
  );
  return user;
}

const orders = () => server.received.filter(({ call }) => call.startsWith("POST")).map(({ body }) => body);

async function openForm(user: ReturnType<typeof show>) {
  await user.click(screen.getAllByRole("button", { name: "Generate New Token" })[0] as HTMLElement);
  const dialog = await screen.findByRole("dialog");
  return { field: within(dialog).getByLabelText("Credits (optional)"), dialog };
}

test("a row has the specified columns, and only an unused token can be copied", async () => {
  const user = show();
  await screen.findByText(free.token);
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual([
    "Token",
    "Created Date",
    "Used By",
    "Credits",
    "Status",
    "Action",
  ]);
  const [, freeRow, usedRow] = screen.getAllByRole("row").map((row) => within(row));
  expect(freeRow?.getByText("Available")).toBeTruthy();
  expect(usedRow?.getByText("Used")).toBeTruthy();
  expect(usedRow?.getByText("night.owl").getAttribute("translate")).toBe("no");
  expect(usedRow?.getByRole("link").getAttribute("href")).toBe("/admin/resellers?search=night.owl");
  expect(usedRow?.queryByRole("button") === null).toBeTrue();
  await user.click(freeRow?.getByRole("button", { name: "Copy" }) as HTMLElement);
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(free.token));
});

test("an invitation is a link whose token is sent to no server, and names its credits", async () => {
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Invite" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Invitation" }));
  expect(dialog.getByText("This link creates one reseller account with 12.5 credits.")).toBeTruthy();
  expect(dialog.getByRole("img", { name: "QR code of the link" })).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Copy Link" }));
  const link = new URL(await navigator.clipboard.readText());
  expect([link.pathname, link.search, link.hash]).toEqual(["/register", "", `#token=${free.token}&credits=12.5`]);
});

test("a token is revoked after a confirmation; one that was used meanwhile says so, and its row is fetched again", async () => {
  let respond = (): Response | { message: string } =>
    Response.json({ message: "This referral token has already been used.", code: "TOKEN_USED" }, { status: 409 });
  server.responses["DELETE /api/admin/tokens/:id"] = () => respond();
  const user = show();
  const revoke = async () => {
    await user.click(await screen.findByRole("button", { name: "Revoke" }));
    const question = within(await screen.findByRole("alertdialog", { name: "Revoke Token" }));
    expect(question.getByText(free.token)).toBeTruthy();
    await user.click(question.getByRole("button", { name: "Revoke Token" }));
    await expectGone(() => screen.queryByRole("alertdialog"));
  };
  await revoke();
  expect(currentToast.value?.description).toBe("This referral token has already been used.");
  expect(server.calls("GET /api/admin/tokens")).toHaveLength(2);
  respond = () => Response.json({ message: "There is no token with this id.", code: "NOT_FOUND" }, { status: 404 });
  await revoke();
  expect(currentToast.value?.description).toBe("It was already revoked.");
  respond = () => {
    listed = [used];
    return { message: "Token revoked successfully" };
  };
  await revoke();
  expect(currentToast.value?.description).toBe("Token revoked successfully");
  expect(screen.queryByText(free.token) === null).toBeTrue();
});

test("a token without credits is requested with an empty body, is copied, is in the toast, and becomes an invitation", async () => {
  const user = show();
  const { dialog } = await openForm(user);
  await user.click(within(dialog).getByRole("button", { name: "Generate Token" }));
  await waitFor(() => expect(currentToast.value?.title).toBe("Token Generated"));
  expect(currentToast.value?.description).toBe("a-new-token-of-22-chars copied to clipboard");
  expect(await navigator.clipboard.readText()).toBe("a-new-token-of-22-chars");
  expect(orders()).toEqual([{}]);
  expect(server.calls("GET /api/admin/tokens")).toHaveLength(2);
  expect((await screen.findByRole("dialog", { name: "Invitation" })) === dialog).toBeTrue();
  await expectFocus(within(dialog).getByRole("region", { name: "Invitation link" }));
  await user.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  await expectFocus(screen.getAllByRole("button", { name: "Generate New Token" })[0] as HTMLElement);
  expect((await openForm(user)).field).toBeTruthy();
});

test("a label says who a token is for: in the order, in the invitation and in the list", async () => {
  const issued = { ...token(3, "a-new-token-of-22-chars"), label: "for Mei" };
  server.responses["POST /api/admin/tokens/generate"] = () => ({ token: issued });
  const user = show();
  expect(await screen.findByText("for Ana")).toBeTruthy();
  const { dialog } = await openForm(user);
  await user.type(within(dialog).getByLabelText("Label (optional)"), " for Mei ");
  await user.click(within(dialog).getByRole("button", { name: "Generate Token" }));
  const invitation = await screen.findByRole("dialog", { name: "Invitation" });
  expect(within(invitation).getByText("for Mei")).toBeTruthy();
  expect(orders()).toEqual([{ label: "for Mei" }]);
});

test("a token that the browser did not copy is in the toast, and its invitation can be copied", async () => {
  const user = show();
  const { clipboard } = navigator;
  const { writeText } = clipboard;
  clipboard.writeText = () => Promise.reject(new Error("no press"));
  const { dialog } = await openForm(user);
  await user.click(within(dialog).getByRole("button", { name: "Generate Token" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("a-new-token-of-22-chars"));
  clipboard.writeText = writeText;
  await user.click(await within(dialog).findByRole("button", { name: "Copy Link" }));
  expect(await clipboard.readText()).toEndWith("/register#token=a-new-token-of-22-chars");
});

test("a phone can share the invitation; closing the share sheet is no failure", async () => {
  const shared: ShareData[] = [];
  const failures = [null, new DOMException("", "AbortError"), new Error()];
  const share = async (data: ShareData) => {
    const failure = failures[shared.push(data) - 1];
    if (failure) throw failure;
  };
  Object.defineProperty(navigator, "share", { value: share, configurable: true });
  const matchMedia = spyOn(window, "matchMedia").mockImplementation(
    (query) => ({ matches: query === "(pointer: coarse)" }) as MediaQueryList,
  );
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Invite" }));
  const press = async () => user.click(await screen.findByRole("button", { name: "Share" }));
  await press();
  await press();
  expect(shared[0]?.url).toEndWith(`/register#token=${free.token}&credits=12.5`);
  expect(currentToast.value).toBeNull();
  await press();
  await waitFor(() => expect(currentToast.value?.description).toBe("The link could not be shared. Copy it instead."));
  matchMedia.mockRestore();
  Reflect.deleteProperty(navigator, "share");
});

test("credits below 0 are not sent, and the server's objection is shown at the field", async () => {
  const user = show();
  const { field, dialog } = await openForm(user);
  const submit = within(dialog).getByRole("button", { name: "Generate Token" });
  await user.type(field, "-1");
  await user.click(submit);
  expect(await screen.findByText("Credits must be at least 0")).toBeTruthy();
  expect(orders()).toEqual([]);
  await user.clear(field);
  await user.type(field, "1.25");
  await user.click(submit);
  expect(await screen.findByText("Credits may have at most one decimal")).toBeTruthy();
  await user.clear(field);
  await user.type(field, "1000001");
  await user.click(submit);
  expect(await screen.findByText("Credits must be at most 1,000,000")).toBeTruthy();
  expect(orders()).toEqual([]);
  const message = "That is more than you may give.";
  server.responses["POST /api/admin/tokens/generate"] = () =>
    Response.json({ message, code: "INVALID", errors: [{ path: "credits", message }] }, { status: 422 });
  await user.clear(field);
  await user.type(field, "2.5");
  await user.click(submit);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(orders()).toEqual([{ credits: 2.5 }]);
  expect((field as HTMLInputElement).value).toBe("2.5");
  expect(currentToast.value).toMatchObject({ title: "Error", description: message, style: "destructive" });
});

test("a refusal without a sentence shows the screen's text", async () => {
  server.responses["POST /api/admin/tokens/generate"] = () => new Response("", { status: 500 });
  const user = show();
  const { dialog } = await openForm(user);
  await user.click(within(dialog).getByRole("button", { name: "Generate Token" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to generate token"));
  expect(screen.getByRole("dialog")).toBeTruthy();
});

test("the server filters by search and status, which are in the address; an empty list and no match have different messages", async () => {
  listed = [];
  const user = show();
  expect(await screen.findByText("No tokens found")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Generate New Token" })).toHaveLength(2);
  await user.selectOptions(screen.getByLabelText("Status"), "used");
  await user.type(screen.getByLabelText("Search tokens"), "owl{Enter}");
  await waitFor(() =>
    expect(server.calls().at(-1)).toBe(`GET /api/admin/tokens?search=owl&status=used&limit=${rowsPerPage}`),
  );
  expect(window.location.search).toBe("?status=used&search=owl");
  expect(await screen.findByText("Try another search or status.")).toBeTruthy();
});

test("an address with an invalid status lists every token", async () => {
  window.history.replaceState(null, "", "/admin/tokens?status=foo");
  show();
  await screen.findByText(free.token);
  expect(server.calls()).toEqual([`GET /api/admin/tokens?limit=${rowsPerPage}`]);
});

test("a next page that fails says so under the tokens, and loads on Retry", async () => {
  const link = '</api/admin/tokens?cursor=next>; rel="next"';
  let broken = true;
  server.responses["GET /api/admin/tokens"] = ({ query }) => {
    if (!query.has("cursor")) return Response.json([free], { headers: { link } });
    return broken ? new Response("", { status: 500 }) : [used];
  };
  const user = show();
  await user.click(await screen.findByRole("button", { name: "Load more" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Could not load more.");
  expect(screen.getByText(free.token)).toBeTruthy();
  broken = false;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByText(used.token)).toBeTruthy();
  expect(screen.queryByRole("alert") === null).toBeTrue();
});

test("a link can open the form, and a reload does not open it again", async () => {
  window.history.replaceState(null, "", "/admin/tokens?status=used#new");
  show();
  expect(await screen.findByRole("dialog", { name: "Generate New Token" })).toBeTruthy();
  expect(window.location.search + window.location.hash).toBe("?status=used");
});
