import { afterAll, afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { doublePressMs } from "../runtime/once.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import ImportScreen from "./import.tsx";

const start = "POST /api/admin/imports";
const open = "GET /api/admin/imports/:id";
const causes = "GET /api/admin/imports/:id/causes";
const games = [
  { name: "PUBG MOBILE", aliases: ["PUBG M"] },
  { name: "FREE FIRE", aliases: [] },
];
const counts = { valid: 2, duplicate: 1, wrong: 1, done: 4, total: 4, orderIds: [] as number[] };
const finished = { id: 5, state: "finished" as const, ...counts };

let server: FetchStub;
let nowMs = performance.now();
const clock = spyOn(performance, "now").mockImplementation(() => nowMs);
afterAll(() => clock.mockRestore());
beforeEach(() => {
  currentToast.value = null;
  server = stubFetch({
    "GET /api/games": () => games as never,
    "GET /api/admin/games": () => games as never,
    "GET /api/admin/resellers": () => [{ id: 2, username: "night.owl" }] as never,
    "GET /api/admin/imports": () => [],
    [causes]: () => [{ field: null, value: null, reason: "This is not UTF-8. Save the file as UTF-8.", lines: 1 }],
    [start]: ({ query }) => ({ id: query.get("dryRun") === "true" ? 4 : 5, state: "running" }),
    [open]: ({ params }) => ({ ...finished, id: Number(params.id), orderIds: params.id === "5" ? [12] : [] }),
  });
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
  window.history.replaceState(null, "", "/");
});

function show(search = "") {
  if (search) window.history.replaceState(null, "", `/admin/import${search}`);
  render(
    <PanelState>
      <ImportScreen search={search} />
    </PanelState>,
  );
  return userEvent.setup();
}

const fileOf = (text: string | Uint8Array<ArrayBuffer>, name = "keys.csv") => new File([text], name);
const chosen = () => screen.getByLabelText(/^(Choose or drop|keys)/);
/** A press that cannot be the second one of a double click. */
async function press(user: ReturnType<typeof show>, name: string) {
  const pressed = await button(name);
  nowMs += doublePressMs;
  await user.click(pressed);
}
const button = (name: string) => screen.findByRole("button", { name });
const rows = () =>
  within(screen.getByRole("table", { name: "Preview" }))
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    );
const lastSent = () => server.received.filter(({ call }) => call.startsWith("POST")).at(-1);

const file = fileOf("License,Sold,Expiry,Max Devices,HWID\nK1,7,2099-01-01T12:00:00Z,2,phone\nK2,8,never,1,\n");

test("a file's first lines are shown as the keys that they become, by its columns and the chosen game", async () => {
  const user = show();
  await user.upload(chosen(), file);
  await screen.findByRole("table", { name: "Preview" });
  expect(rows().map(([key]) => key)).toEqual(["K1The game is missing.", "K2The game is missing."]);
  await user.selectOptions(screen.getByLabelText("Game"), "FREE FIRE");
  await screen.findByText("1 / 2");
  expect(rows()[0]).toEqual([
    ...["K1", "GameFREE FIRE ·", "OwnerAdmins ·"],
    ...["Expires01/01/2099 ·", "Devices1 / 2", "StatusACTIVE"],
  ]);
  expect(rows()[1]?.[0]).toStartWith("K2expires must be a date");
  await press(user, "1 column not imported");
  await user.selectOptions(screen.getByLabelText("Sold"), "Device limit");
  await screen.findByText("1 / 7");
  expect(await button("All columns imported")).toBeTruthy();
  expect(server.calls("POST")).toEqual([]);
});

test("a dropped file is checked before it is imported, and again after a change", async () => {
  const user = show();
  fireEvent.drop(chosen(), { dataTransfer: { files: [file] } });
  await user.selectOptions(await screen.findByLabelText("Game"), "FREE FIRE");
  await press(user, "1 column not imported");
  await user.selectOptions(screen.getByLabelText("Sold"), "Note");
  await press(user, "Check File");
  await user.click(await button("Import 2 keys, leave out 2"));
  expect(server.calls("POST")).toHaveLength(1);
  const { query, body, headers } = lastSent() as NonNullable<ReturnType<typeof lastSent>>;
  expect([...query]).toEqual([
    ["game", "FREE FIRE"],
    ["dryRun", "true"],
    ["name", "keys.csv"],
    ["map", "note=Sold"],
  ]);
  expect([body, headers.get("content-type")]).toEqual([file, "text/csv"]);
  expect(screen.getByText("Lines with errors").nextElementSibling?.textContent).toBe("1");
  expect(await button("Download Report")).toBeTruthy();

  await user.selectOptions(screen.getByLabelText("Sold"), "Not imported");
  await press(user, "Check File");
  await press(user, "Import 2 keys, leave out 2");
  await screen.findByText("Finished: 4 lines.");
  expect([...(lastSent()?.query ?? [])]).toEqual([
    ["game", "FREE FIRE"],
    ["dryRun", "false"],
    ["name", "keys.csv"],
  ]);
  expect(window.location.search).toBe("?id=5");
});

test("a game or a reseller that does not exist is an error in the preview, as in the check", async () => {
  const user = show();
  const lines = ["K1,pubg m,NIGHT.OWL", "K2,PUBG,", "K3,FREE FIRE,unknown.owl"].map((each) => `${each},2099-01-01`);
  await user.upload(chosen(), fileOf(`Key,Game,Owner,Expires\n${lines.join("\n")}\n`));
  await screen.findByRole("table", { name: "Preview" });
  expect(rows().map((cells) => [cells[0], cells.at(-1)])).toEqual([
    ["K1", "StatusACTIVE"],
    ["K2There is no game PUBG.", "StatusError"],
    ["K3There is no reseller unknown.owl.", "StatusError"],
  ]);
});

test("each cause is mended by a choice or left out, and the last choice checks the file again", async () => {
  const found = [
    { field: "game" as const, value: "PUBG", reason: "There is no game PUBG.", lines: 42 },
    { field: "owner" as const, value: "owl", reason: "There is no reseller owl.", lines: 7 },
    { field: "expires" as const, value: null, reason: "expires must be a date such as 2026-11-27.", lines: 3 },
    { field: "note" as const, value: null, reason: "The note is too long.", lines: 1 },
  ];
  server.responses[causes] = ({ params }) => (params.id === "4" ? found : []);
  server.responses[open] = ({ params }) => {
    const checked = { ...finished, id: Number(params.id), valid: 50, duplicate: 0 };
    return params.id === "4" ? { ...checked, wrong: 53 } : { ...checked, valid: 102, wrong: 1 };
  };
  const user = show();
  await user.upload(chosen(), file);
  await press(user, "Check File");
  const quiet = await button("Import 50 keys, leave out 53");
  const table = within(screen.getByRole("table", { name: "Causes" }));
  expect(table.getAllByRole("row").map((row) => row.firstChild?.textContent)).toEqual([
    "42 lines: there is no game PUBG",
    "7 lines: there is no reseller owl",
    "3 lines: expires must be a date such as 2026-11-27",
    "1 line: the note is too long",
  ]);
  expect(quiet.className).not.toContain("bg-brass");
  const choose = (name: RegExp, choice: string) => user.selectOptions(table.getByRole("combobox", { name }), choice);
  await choose(/^Choose a game: /, "PUBG MOBILE");
  await screen.findByText("night.owl");
  await choose(/^Choose a reseller: /, "night.owl");
  await choose(/^Choose the order: /, "Day first: 31.12.2026");
  await button("Check File");
  server.responses[start] = () => ({ id: 6, state: "running" });
  nowMs += doublePressMs;
  await choose(/^Choose: /, "Leave out");
  expect((await button("Import 102 keys, leave out 1")).className).toContain("bg-brass");
  expect([...(lastSent()?.query ?? [])]).toEqual([
    ["dryRun", "true"],
    ["dates", "dmy"],
    ["name", "keys.csv"],
    ["value", "game:PUBG=PUBG MOBILE"],
    ["value", "owner:owl=night.owl"],
  ]);
});

test("earlier imports say what they were, lead to themselves, and can be undone", async () => {
  const row = { id: 7, at: "2025-03-05T12:00:00.000Z", by: "admin", fileName: "old.csv", state: "finished" as const };
  let listed = [
    { ...row, valid: 65, duplicate: 100, wrong: 35 },
    { ...row, id: 6, fileName: null, state: "undone" as const, valid: 2, duplicate: 0, wrong: 0 },
  ];
  server.responses["GET /api/admin/imports"] = () => listed as never;
  server.responses["POST /api/admin/imports/:id/undo"] = ({ params }) => {
    listed = listed.map((each) => ({ ...each, state: "undone" as never }));
    return { ...finished, id: Number(params.id), state: "undone" };
  };
  const user = show();
  const link = await screen.findByRole("link", { name: "old.csv" });
  expect(link.getAttribute("href")).toBe("/admin/import?id=7");
  expect(screen.getByText("65 keys, 135 lines left out")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Import 6" })).toBeTruthy();
  await press(user, "Undo");
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("65 keys will be deleted");
  await user.click(within(dialog).getByRole("button", { name: "Undo Import" }));
  await waitFor(() => expect(screen.getAllByText("Undone")).toHaveLength(2));
  expect(screen.queryByRole("button", { name: "Undo" }) === null).toBeTrue();
});

test("a file of objects is sent as JSON lines", async () => {
  const user = show();
  await user.upload(chosen(), fileOf('[{"key":"K1","level":"1","expiry":30}]', "KeyAuthKeys.json"));
  await user.selectOptions(await screen.findByLabelText("Game"), "FREE FIRE");
  expect(await screen.findByText("Starts at first use · 30 days", { exact: false })).toBeTruthy();
  await press(user, "Check File");
  await waitFor(() => expect(lastSent()?.headers.get("content-type")).toBe("application/x-ndjson"));
});

test("a file that cannot be read says why, and without a key column offers to choose one", async () => {
  const user = show();
  await user.upload(chosen(), fileOf("Serial No.,Until\nK1,2099-01-01\n"));
  expect((await screen.findByRole("alert")).textContent).toStartWith(
    "No column is named key. Say which one holds the keys below.",
  );
  expect(screen.queryByRole("button", { name: "Check File" }) === null).toBeTrue();
  await user.selectOptions(screen.getByLabelText("Serial No."), "License key");
  expect(await screen.findByText("K1")).toBeTruthy();

  await user.upload(chosen(), fileOf(new Uint8Array(Buffer.from("\uFEFFkey", "utf16le"))));
  expect((await screen.findByRole("alert")).textContent).toBe("This file is UTF-16. Save it as UTF-8.");
});

test("an import without valid lines cannot be started, and a refused one says why", async () => {
  server.responses[open] = () => ({ ...finished, id: 4, valid: 0 });
  const user = show();
  await user.upload(chosen(), file);
  await press(user, "Check File");
  expect(await screen.findByText("There is nothing to import.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /^Import/ }) === null).toBeTrue();
  server.responses[start] = () => Response.json({ message: "The file is too large.", code: "X" }, { status: 413 });
  await press(user, "Check File");
  await waitFor(() => expect(currentToast.value?.description).toBe("The file is too large."));
  server.responses[start] = () => new Response("<h1>413 Request Entity Too Large</h1>", { status: 413 });
  await press(user, "Check File");
  await waitFor(() => expect(currentToast.value?.description).toStartWith("A proxy in front of the panel refused"));
});

test("an import is watched while it runs, also after a reload, and can be undone", async () => {
  const states = [
    { ...finished, state: "running" as const, done: 1 },
    { ...finished, orderIds: [12] },
  ];
  server.responses[open] = () =>
    states.length > 1 ? (states.shift() as typeof finished) : (states[0] as typeof finished);
  server.responses["POST /api/admin/imports/:id/undo"] = () => {
    states[0] = { ...finished, state: "undone" } as never;
    return states[0] as never;
  };
  const user = show("?id=5");
  expect(await screen.findByText("1 of 4 lines. It continues if you leave this page.")).toBeTruthy();
  expect((await screen.findByRole("progressbar", { name: "Lines" })).getAttribute("value")).toBe("1");
  await screen.findByText("Finished: 4 lines.", undefined, { timeout: 3_000 });
  expect(screen.getByRole("link", { name: "#12" }).getAttribute("href")).toBe("/admin/orders/12");
  await press(user, "Undo Import");
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("2 keys will be deleted");
  await user.click(within(dialog).getByRole("button", { name: "Undo Import" }));
  expect(await screen.findByText("Undone: its keys were deleted.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Undo Import" }) === null).toBeTrue();
  await press(user, "Import Another File");
  expect(chosen()).toBeTruthy();
  expect(window.location.search).toBe("");
});

test("an import that does not exist says so", async () => {
  server.responses[open] = () =>
    Response.json({ message: "There is no such import.", code: "NOT_FOUND" }, { status: 404 });
  show("?id=9");
  expect(await screen.findByText("There is no such import.")).toBeTruthy();
  expect(await button("Import Another File")).toBeTruthy();
});
