import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { BackupState, Collection } from "../../src/backups/schema.ts";
import { type Responses, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { createQueryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import { fallbackName } from "./backup/collection-cards.tsx";
import BackupScreen from "./backup.tsx";

const collections: Collection[] = [
  { name: "admins", count: 1, size: 65, modified: "2025-03-05T14:30:00.000Z" },
  { name: "license_keys", count: 1_200, size: 345_600, modified: "2025-03-07T09:05:00.000Z" },
  { name: "key_events", count: 0, size: 0, modified: null },
];

const noBackups: BackupState = {
  ...{
    isElsewhere: false,
    schedule: null,
    nextAt: null,
    lastGoodAt: null,
    isLate: false,
    failure: null,
    notRemoved: [],
    underWay: null,
  },
  ...{ hasS3: false, isS3Unreachable: false, backups: [] },
};

const realClick = HTMLAnchorElement.prototype.click;
let saved: string[] = [];
beforeEach(() => {
  saved = [];
  currentToast.value = null;
  HTMLAnchorElement.prototype.click = function () {
    saved.push(this.download);
  };
});
afterEach(() => {
  restoreFetch();
  HTMLAnchorElement.prototype.click = realClick;
});

function show(responses: Responses = {}) {
  const server = stubFetch({
    "GET /api/admin/backup/collections": () => collections,
    "GET /api/admin/backup/backups": () => noBackups,
    ...responses,
  });
  const { unmount } = render(
    <PanelState client={createQueryClient()}>
      <BackupScreen />
    </PanelState>,
  );
  return { ...server, unmount };
}

function figures(): (string | null)[] {
  return screen.getAllByRole("definition").map((figure) => figure.firstElementChild?.textContent ?? null);
}

test("the cards sum up the collections, and each row has its type, records, size and date", async () => {
  show();
  await screen.findByText("license_keys");
  expect(figures().slice(0, 2)).toEqual(["3", "1,201"]);
  expect(figures()[2]).toMatch(/^Mar 0\d, \d\d:\d\d$/);
  const cells = within(screen.getAllByRole("row")[2] as HTMLElement).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    "license_keys",
    "TypeKeys",
    "Records1,200 records ·",
    "Size337.5 KB ·",
    expect.stringMatching(/^Modified03\/0\d\/2025$/),
    "Download",
  ]);
  expect(screen.getByText("0 Bytes")).toBeTruthy();
});

test("without collections there is a hint at the connection, and no last change", async () => {
  show({ "GET /api/admin/backup/collections": () => [] });
  expect(await screen.findByText("No Collections Found")).toBeTruthy();
  expect(screen.getByText(/database connection/)).toBeTruthy();
  expect(figures()).toEqual(["0", "0", "N/A"]);
});

test("a refusal without a sentence, no response, and a refusal with one have different messages", async () => {
  const sentence = "The server is busy.";
  const failures: [() => Response | Promise<Response>, string][] = [
    [() => new Response("broken", { status: 500 }), "Failed to fetch MongoDB collections"],
    [() => Promise.reject(new TypeError("fetch failed")), "Failed to load MongoDB collections"],
    [() => new Response("not json"), "Failed to load MongoDB collections"],
    [() => Response.json({ message: sentence, code: "BUSY" }, { status: 503 }), sentence],
  ];
  for (const [response, text] of failures) {
    const { unmount } = show({ "GET /api/admin/backup/collections": response });
    expect((await screen.findByRole("alert")).textContent).toContain(text);
    expect(currentToast.value).toMatchObject({ title: "Error", description: text, style: "destructive" });
    expect(figures()).toEqual(["N/A", "N/A", "N/A"]);
    unmount();
  }
});

test("a failed refresh keeps the rows, and is reported each time", async () => {
  const { responses } = show();
  await screen.findByText("license_keys");
  responses["GET /api/admin/backup/collections"] = () => new Response("", { status: 500 });
  for (const _ of [1, 2]) {
    currentToast.value = null;
    await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
    await waitFor(() => expect(currentToast.value?.description).toBe("Failed to fetch MongoDB collections"));
  }
  expect(screen.getByText("license_keys")).toBeTruthy();
});

test("a collection is saved under its name, and the toast names it", async () => {
  const { calls } = show({ "GET /api/admin/backup/download/:name": () => new Response("[]") });
  await userEvent.click(await screen.findByRole("button", { name: "Download license_keys" }));
  await waitFor(() => expect(saved).toEqual(["license_keys.json"]));
  expect(calls().at(-1)).toBe("GET /api/admin/backup/download/license_keys");
  expect(currentToast.value).toMatchObject({
    title: "Success",
    description: "license_keys downloaded successfully",
  });
});

test("a state of the backups that cannot be loaded is unknown, and Refresh loads it again", async () => {
  const { responses } = show({ "GET /api/admin/backup/backups": () => new Response(null, { status: 503 }) });
  await screen.findByText("The backup status could not be loaded.");
  expect(screen.queryByText("Loading...") === null).toBeTrue();
  responses["GET /api/admin/backup/backups"] = () => noBackups;
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(await screen.findByText(/No good backup yet/)).toBeTruthy();
});

test("a failed download saves no file", async () => {
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Download admins" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to download file"));
  await userEvent.click(screen.getByRole("button", { name: "Download All" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Failed to download backup archive"));
  expect(saved).toEqual([]);
});

test("while the archive is downloaded, its progress is shown and a second press is ignored", async () => {
  const sending = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const archive = new ReadableStream<Uint8Array>({ start: sending.resolve });
  const headers = { "content-disposition": 'attachment; filename="all.zip"' };
  const { calls } = show({ "GET /api/admin/backup/download-all": () => new Response(archive, { headers }) });
  await userEvent.click(await screen.findByRole("button", { name: "Download All" }));
  await userEvent.click(screen.getByRole("button", { name: "Downloading..." }));
  const sender = await sending.promise;
  sender.enqueue(new Uint8Array(2_048));
  const progress = screen.getByRole("progressbar", { name: "Complete archive" });
  await waitFor(() => expect(progress.getAttribute("aria-valuetext")).toBe("2.0 KB received"));
  sender.close();
  await waitFor(() => expect(saved).toEqual(["all.zip"]));
  expect(currentToast.value?.description).toBe("Complete backup archive downloaded successfully");
  expect(screen.queryByRole("progressbar") === null).toBeTrue();
  expect(calls("GET /api/admin/backup/download-all")).toHaveLength(1);
});

test("an archive without a name is saved as JSON under the time of its download", async () => {
  expect(fallbackName(new Date("2025-03-05T14:30:09.123Z"))).toBe("latchkey-backup-2025-03-05T14-30-09Z.json");
  show({ "GET /api/admin/backup/download-all": () => new Response("{}") });
  await userEvent.click(await screen.findByRole("button", { name: "Download All" }));
  await waitFor(() => expect(saved).toEqual([expect.stringMatching(/^latchkey-backup-[\dT-]+Z\.json$/)]));
});

test("full backups are listed with their places, and a late or failed one is reported", async () => {
  const backup = {
    name: "latchkey-2025-03-05T03-00-00.000Z.db.zst",
    at: "2025-03-05T03:00:00.000Z",
    size: 122_683_392,
  };
  const failure = { at: "2025-03-06T03:00:00.000Z", message: "The last backup failed." };
  const late: BackupState = {
    ...noBackups,
    ...{ lastGoodAt: backup.at, nextAt: "2025-03-07T03:00:00.000Z", isLate: true, isS3Unreachable: true, failure },
    notRemoved: ["latchkey-2025-01-05T03-00-00.000Z.db.zst"],
    backups: [{ ...backup, places: ["folder", "s3"] }],
  };
  show({ "GET /api/admin/backup/backups": () => late });
  const row = (await screen.findByText(backup.name)).closest("tr") as HTMLElement;
  expect(row.textContent).toMatch(/Mar 05, 2025, \d\d:\d\d.*117\.0 MB.*Server, S3$/);
  for (const problem of [
    /last good backup is too old/,
    "The last backup failed.",
    /S3 is not responding/,
    /^1 old backup could not be removed/,
  ]) {
    expect(screen.getByText(problem)).toBeTruthy();
  }
  expect(screen.getByText(/^Last good backup/).parentElement?.textContent).toMatch(/· next Mar 07, 2025/);
});

test("a backup that was made elsewhere is named as such, and the list stands directly under its card", async () => {
  show({ "GET /api/admin/backup/backups": () => ({ ...noBackups, lastGoodAt: "2025-03-05T03:00:00.000Z" }) });
  expect(await screen.findByText("No Backups Here")).toBeTruthy();
  expect(screen.getByText(/^Last good backup/).parentElement?.textContent).toMatch(
    /\d · made elsewhere · not scheduled$/,
  );
  const headings = screen.getAllByText(/^(Full Backups|No Backups Here|Complete Archive|Import and Export)$/);
  expect(headings.map(({ textContent }) => textContent).slice(0, 2)).toEqual(["Full Backups", "No Backups Here"]);
});

test("a backup made by a press shows its progress and result, and appears in the list", async () => {
  const states: BackupState[] = [{ ...noBackups, underWay: { step: "compressing", share: 0.42 } }];
  const made: BackupState = {
    ...noBackups,
    backups: [{ name: "new.db.zst", at: "2025-03-05T03:00:00.000Z", size: 1, places: ["folder"] }],
  };
  let isMade = false;
  const { calls } = show({
    "GET /api/admin/backup/backups": () => (isMade ? (states.shift() ?? made) : noBackups),
    "POST /api/admin/backup/backups": () => {
      isMade = true;
      return { message: "Backup started." };
    },
  });
  expect(await screen.findByText("No Backups Yet")).toBeTruthy();
  expect(screen.getByText("No good backup yet").parentElement?.textContent).toBe("No good backup yet · not scheduled");
  await userEvent.click(screen.getByRole("button", { name: "Back Up Now" }));
  expect(await screen.findByText("Compressing... 42 %")).toBeTruthy();
  expect(await screen.findByText("new.db.zst", undefined, { timeout: 3_000 })).toBeTruthy();
  expect(currentToast.value?.description).toBe("Backup made and checked");
  expect(calls("POST /api/admin/backup/backups")).toHaveLength(1);
});

test("all keys can be exported, and keys of another panel imported", async () => {
  const headers = { "content-disposition": 'attachment; filename="latchkey-export-2025-03-05.csv"' };
  show({ "GET /api/admin/export": () => new Response("key,game", { headers }) });
  const user = userEvent.setup();
  await screen.findByText("license_keys");
  await user.click(screen.getByRole("button", { name: "Export Keys" }));
  await waitFor(() => expect(saved).toEqual(["latchkey-export-2025-03-05.csv"]));
  expect(currentToast.value?.description).toBe("Keys exported successfully");
  expect(screen.getByRole("link", { name: "Import Keys" }).getAttribute("href")).toBe("/admin/import");
});
