import { afterEach, beforeEach, expect, test } from "bun:test";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Update } from "../../src/updates/schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Updates from "./updates.tsx";

const created = "2025-03-05T12:00:00.000Z";
const linked: Update = {
  id: 2,
  title: "Version 3.1 is out",
  message: "Restart the game to get it.",
  buttonText: "Read more",
  linkUrl: "https://example.com/news",
  isActive: true,
  createdAt: created,
  updatedAt: created,
};
const plain: Update = {
  id: 1,
  title: "Servers rest",
  message: "On Sunday.",
  isActive: false,
  createdAt: created,
  updatedAt: "2025-03-05T12:00:00.001Z",
};

let listed: Update[];
let server: FetchStub;
let respond: () => Update | Response | Promise<Response>;

beforeEach(() => {
  listed = [linked, plain];
  respond = () => linked;
  server = stubFetch({
    "GET /api/admin/online-updates": () => listed,
    "POST /api/admin/online-updates": () => respond(),
    "PUT /api/admin/online-updates/:id": () => respond(),
  });
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show() {
  render(
    <PanelState>
      <Updates />
    </PanelState>,
  );
}

const sent = () => server.received.filter(({ call }) => !call.startsWith("GET"));

async function cardOf(title: string) {
  return within((await screen.findByRole("heading", { name: title })).closest("li") as HTMLElement);
}

async function openForm(button: string) {
  await userEvent.click(await screen.findByRole("button", { name: button }));
  return within(await screen.findByRole("dialog"));
}

async function fill(form: ReturnType<typeof within>, texts: Record<string, string>) {
  for (const [label, text] of Object.entries(texts)) {
    const field = form.getByLabelText(label);
    await userEvent.clear(field);
    if (text !== "") await userEvent.type(field, text);
  }
}

test("a card shows what apps show, and the updated date only if it differs from the created one", async () => {
  show();
  const first = await cardOf("Version 3.1 is out");
  expect(first.getByText("Active")).toBeTruthy();
  expect(first.getByText("Read more")).toBeTruthy();
  expect(first.getByRole("link").getAttribute("href")).toBe("https://example.com/news");
  expect(first.getByRole("link").getAttribute("rel")).toBe("noopener noreferrer");
  expect(first.getByText(/^Created/).parentElement?.textContent).toBe("Created 03/05/2025");
  const second = await cardOf("Servers rest");
  expect(second.getByText("Inactive")).toBeTruthy();
  expect(second.queryByRole("link") === null).toBeTrue();
  expect(second.getByText(/^Created/).parentElement?.textContent).toBe("Created 03/05/2025 · Updated 03/05/2025");
});

test("text that is not a web address is not linked", async () => {
  listed = [{ ...linked, linkUrl: "javascript:alert(1)" }];
  show();
  const card = await cardOf("Version 3.1 is out");
  expect(card.getByText("javascript:alert(1)")).toBeTruthy();
  expect(card.queryByRole("link") === null).toBeTrue();
});

test("the box says how apps fetch updates, and without any the first one can be created", async () => {
  listed = [];
  show();
  expect(screen.getByText("GET /api/updates")).toBeTruthy();
  expect(await screen.findByText("No updates yet")).toBeTruthy();
  const form = await openForm("Create First Update");
  expect(form.getByLabelText<HTMLInputElement>("Active").checked).toBeTrue();
  expect(form.getByText("0/500")).toBeTruthy();
});

test("a missing, overlong or invalid value is reported at its field, and nothing is sent", async () => {
  show();
  const form = await openForm("Create Update");
  const submit = form.getByRole("button", { name: "Create Update" });
  await fill(form, { "Button Text (optional)": "Go" });
  await userEvent.click(submit);
  expect(await form.findByText("Title is required")).toBeTruthy();
  expect(form.getByText("Message is required")).toBeTruthy();
  expect(form.getByText("Link URL is required when button text is provided")).toBeTruthy();
  await expectFocus(form.getByLabelText("Title"));

  await userEvent.click(form.getByLabelText("Title"));
  await userEvent.paste("t".repeat(100));
  await userEvent.click(form.getByLabelText("Message"));
  await userEvent.paste("m".repeat(500));
  await fill(form, { "Link URL (optional)": "javascript:alert(1)" });
  expect(form.getByText("500/500")).toBeTruthy();
  await userEvent.click(submit);
  expect(await form.findByText("Title must be less than 100 characters")).toBeTruthy();
  expect(form.getByText("Message must be less than 500 characters")).toBeTruthy();
  expect(form.getByText("Please enter a valid URL")).toBeTruthy();
  expect(sent()).toEqual([]);
});

test("an update is created with the typed text, which a refusal keeps", async () => {
  respond = () => new Response("", { status: 500 });
  show();
  const form = await openForm("Create Update");
  await fill(form, { Title: "News", Message: "Hello" });
  await userEvent.click(form.getByLabelText("Active"));
  await userEvent.click(form.getByRole("button", { name: "Create Update" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to create update"));
  expect(form.getByLabelText<HTMLInputElement>("Title").value).toBe("News");
  respond = () => Response.json(linked, { status: 201 });
  await userEvent.click(form.getByRole("button", { name: "Create Update" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Update created successfully!"));
  expect(sent().at(-1)).toMatchObject({
    call: "POST /api/admin/online-updates",
    body: { title: "News", message: "Hello", buttonText: "", linkUrl: "", isActive: false },
  });
  await expectGone(() => screen.queryByRole("dialog"));
});

test("a field that the server refuses shows its message, and the dialog stays", async () => {
  const errors = [{ path: "linkUrl", message: "This address is not allowed." }];
  respond = () => Response.json({ message: errors[0]?.message, code: "INVALID", errors }, { status: 422 });
  show();
  const form = await openForm("Edit Version 3.1 is out");
  await userEvent.click(form.getByRole("button", { name: "Save Changes" }));
  expect(await form.findByText("This address is not allowed.")).toBeTruthy();
  await expectFocus(form.getByLabelText("Link URL (optional)"));
});

test("an update is edited from its current values, and its card shows the result", async () => {
  respond = () => ({ ...plain, title: "Servers run" });
  show();
  const form = await openForm("Edit Servers rest");
  expect(form.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("On Sunday.");
  expect(form.getByLabelText<HTMLInputElement>("Active").checked).toBeFalse();
  listed = [linked, { ...plain, title: "Servers run" }];
  await fill(form, { Title: "Servers run" });
  await userEvent.click(form.getByRole("button", { name: "Save Changes" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Update saved successfully!"));
  expect(sent().at(-1)?.call).toBe("PUT /api/admin/online-updates/1");
  expect(await cardOf("Servers run")).toBeTruthy();
});

test("typed text is kept after a press outside the dialog, and dropped by Cancel", async () => {
  show();
  let form = await openForm("Create Update");
  await fill(form, { Message: "A long message" });
  await userEvent.click(form.getByLabelText("Active"));
  await userEvent.keyboard("{Escape}");
  await expectGone(() => screen.queryByRole("dialog"));
  form = await openForm("Create Update");
  expect(form.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("A long message");
  expect(form.getByText("14/500")).toBeTruthy();
  expect(form.getByLabelText<HTMLInputElement>("Active").checked).toBeFalse();
  await userEvent.click(form.getByRole("button", { name: "Cancel" }));
  await expectGone(() => screen.queryByRole("dialog"));
  form = await openForm("Create Update");
  expect(form.getByLabelText<HTMLTextAreaElement>("Message").value).toBe("");
});

test("deleting asks by title, and a refusal keeps the card and the dialog", async () => {
  server.responses["DELETE /api/admin/online-updates/:id"] = () => new Response("", { status: 500 });
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Delete Version 3.1 is out" }));
  const question = within(await screen.findByRole("alertdialog"));
  expect(question.getByText('Are you sure you want to delete "Version 3.1 is out"?')).toBeTruthy();
  await userEvent.click(question.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to delete update"));
  server.responses["DELETE /api/admin/online-updates/:id"] = () => ({ message: "" });
  listed = [plain];
  await userEvent.click(await question.findByRole("button", { name: "Delete" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Update deleted successfully!"));
  await expectGone(() => screen.queryByText("Version 3.1 is out"));
  expect(sent().map(({ call }) => call)).toEqual(Array(2).fill("DELETE /api/admin/online-updates/2"));
});

test("while an update is saved its form cannot be closed, and no draft is left afterwards", async () => {
  const created = Promise.withResolvers<Response>();
  respond = () => created.promise;
  show();
  let form = await openForm("Create Update");
  await fill(form, { Title: "News", Message: "Hello" });
  await userEvent.click(form.getByRole("button", { name: "Create Update" }));
  expect(await form.findByRole("button", { name: "Creating..." })).toBeTruthy();
  await userEvent.keyboard("{Escape}");
  fireEvent.click(form.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("dialog", { name: "Create Update" })).toBeTruthy();
  created.resolve(Response.json(linked, { status: 201 }));
  await waitFor(() => expect(screen.queryByRole("dialog") === null).toBeTrue());
  form = await openForm("Create Update");
  expect(form.getByLabelText<HTMLInputElement>("Title").value).toBe("");
});
