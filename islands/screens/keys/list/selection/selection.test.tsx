import { afterEach, beforeEach, expect, mock, test } from "bun:test";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createStore } from "jotai";
import { selectedIdsMax } from "../../../../../src/keys/limits.ts";
import type { ResellerKey } from "../../../../../src/keys/schema.ts";
import { noRefund, startedKey } from "../../../../../tests/key-times.ts";
import type { KeyScope, SelectionCounts } from "../../../../api/calls/key-selection.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../../../../api/fetch-stub.ts";
import { queryClient } from "../../../../api/query.ts";
import { keepSeededCatalogue } from "../../../../api/seeded-catalogue.ts";
import { PanelState } from "../../../../shell/root/panel-state.tsx";
import { currentToast } from "../../../../ui/toast/store.ts";
import type { Key } from "../columns.tsx";
import RowBox from "./row-box.tsx";
import { chosenAtom, countAtom, pressAtom } from "./selection.ts";
import SelectionBar from "./selection-bar.tsx";

const key = (id: number): ResellerKey => ({
  ...{ id, keyString: `KEY-${id}`, game: "FREE FIRE", status: "ACTIVE", deviceLimit: 1, devices: 0, orderId: null },
  ...{ createdAt: "2025-03-05T14:30:00.000Z", expiryDate: "2025-04-04T14:30:00.000Z", ...startedKey, note: null },
});
const rows = [1, 2, 3, 4, 5].map(key);
const counts: SelectionCounts = {
  ...{
    mark: "a mark",
    newestId: 5,
    selected: 3,
    unused: 1,
    connected: 1,
    expired: 1,
    revoked: 0,
    toRevoke: 2,
    toNote: 0,
    ...noRefund,
  },
};

let store: ReturnType<typeof createStore>;
let server: FetchStub;
beforeEach(() => {
  store = createStore();
  server = stubFetch({ "POST /api/reseller/keys/selected": () => counts });
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

const press = (id: number, range = false, among: readonly Key[] = rows) =>
  store.set(pressAtom, { id, range, rows: among });
const chosenIds = () => [...(store.get(chosenAtom) as Map<number, Key>).keys()].toSorted((a, b) => a - b);

function show(scope: KeyScope = { area: "reseller" }) {
  const onChanged = mock();
  render(
    <PanelState store={store}>
      <SelectionBar rows={rows} hasMore={false} filters={{}} scope={scope} onChanged={onChanged} />
    </PanelState>,
  );
  return { onChanged, user: userEvent.setup() };
}

test("a press selects and deselects a key; with Shift it selects the range from the last one, in either direction", () => {
  press(4);
  press(2, true);
  expect(chosenIds()).toEqual([2, 3, 4]);
  press(3);
  expect(chosenIds()).toEqual([2, 4]);
  press(5, true);
  expect(chosenIds()).toEqual([2, 3, 4, 5]);
});

test("deselecting one of all leaves the other loaded keys selected", () => {
  store.set(chosenAtom, { selector: { mark: "a mark" }, newestId: 5, count: 3_205 });
  press(3);
  expect(chosenIds()).toEqual([1, 2, 4, 5]);
});

test("a key generated after all were selected is not selected, and a press adds it to the loaded ones", async () => {
  const later = key(6);
  render(
    <PanelState store={store}>
      <RowBox row={key(5)} />
      <RowBox row={later} />
      <SelectionBar rows={[...rows, later]} hasMore filters={{}} scope={{ area: "reseller" }} onChanged={mock()} />
    </PanelState>,
  );
  const ticked = () => screen.getAllByRole("checkbox").map((box) => (box as HTMLInputElement).checked);
  act(() => press(1));
  await userEvent.setup().click(screen.getByRole("button", { name: "Select all that match" }));
  await waitFor(() => expect(screen.getByText("All 3 selected")).toBeTruthy());
  expect(ticked()).toEqual([true, false]);
  act(() => press(6, false, [...rows, later]));
  expect(ticked()).toEqual([true, true]);
  expect(chosenIds()).toEqual([1, 2, 3, 4, 5, 6]);
});

test("no more keys can be selected one by one than a call may name", () => {
  const many = Array.from({ length: selectedIdsMax + 10 }, (_, index) => key(index + 1));
  press(1, false, many);
  press(many.length, true, many);
  expect(store.get(countAtom)).toBe(selectedIdsMax);
});

test("an interrupted revocation says how many were revoked, and the next press continues with the same keys", async () => {
  press(1);
  press(3, true);
  const { onChanged, user } = show();
  const sentence = "1 of 2 keys were revoked; the others were not. The server is busy or stopping.";
  server.responses["GET /api/games"] = () => [
    { id: 1, name: "FREE FIRE", isRetired: false, leaseHours: 0 },
    { id: 2, name: "Chess", isRetired: true, leaseHours: 1 },
  ];
  server.responses["POST /api/reseller/keys/selected/revoke"] = () => {
    server.responses["POST /api/reseller/keys/selected"] = () => ({ ...counts, toRevoke: 1 });
    return Response.json({ message: sentence, code: "BUSY" }, { status: 503 });
  };
  await user.click(screen.getByRole("button", { name: "Revoke" }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("2 keys will be revoked: 1 unused, 1 connected.");
  // The keys may be of any game.
  await waitFor(() => expect(dialog.textContent).toContain("Offline games stop within 1 hour."));
  expect(dialog.textContent).toContain("Also selected, but left unchanged: 1 expired.");
  await user.type(screen.getByRole("textbox"), "2");
  await user.click(screen.getByRole("button", { name: "Revoke 2 keys" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("1 of 2 keys is revoked"));
  expect(currentToast.value?.description).toBe(sentence);
  expect(onChanged).toHaveBeenCalledTimes(1);

  server.responses["POST /api/reseller/keys/selected/revoke"] = () => ({
    ...{ message: "Keys revoked successfully", revokedCount: 2, passedOver: { revoked: 0, expired: 1 }, refund: 0 },
  });
  await user.click(screen.getByRole("button", { name: "Revoke 2 keys" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Revoked 2 keys successfully. Skipped: 1 expired"));
  const sent = server.received.filter(({ call }) => call.endsWith("/revoke")).map(({ body }) => body);
  expect(sent).toEqual([1, 2].map(() => ({ ids: [1, 2, 3], mark: "a mark", count: 2 })));
  expect(store.get(countAtom)).toBe(0);
});

const expiry = {
  ...{ first: "2025-04-04T14:30:00.000Z", last: "2025-04-09T14:30:00.000Z" },
  ...{ newFirst: "2025-06-03T14:30:00.000Z", newLast: "2025-06-08T14:30:00.000Z" },
};

test("selected keys are extended by a duration whose preview says how many they are and what that costs", async () => {
  keepSeededCatalogue();
  server.responses["GET /api/reseller/profile"] = () => ({ username: "night.owl", credits: 10, registrationDate: "" });
  server.responses["POST /api/reseller/keys/selected"] = ({ body }) =>
    body.durationId === undefined ? counts : { ...counts, toExtend: 2, cost: body.durationId, expiry };
  server.responses["POST /api/reseller/keys/selected/extend"] = () =>
    Response.json({ message: "1 key in this selection can be extended.", code: "COUNT_CHANGED" }, { status: 409 });
  press(1);
  press(3, true);
  const { user } = show();
  await user.click(screen.getByRole("button", { name: "Extend 3 keys" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Extend Selected Keys" }));
  await user.selectOptions(await dialog.findByLabelText("Duration"), "60 days (6 credits)");
  await dialog.findByText("5 credits");
  expect(dialog.getByRole("status").textContent).toBe(
    [
      "Cost5 creditsCredits left5Extended2 keysLeft out1 revoked or not sold",
      "Current expiryApr 04, 14:30 – Apr 09, 2025, 14:30New expiryJun 03, 14:30 – Jun 08, 2025, 14:30",
    ].join(""),
  );
  await user.click(dialog.getByRole("button", { name: "Extend 2 keys for 5 credits" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("1 key in this selection can be extended."));
  server.responses["POST /api/reseller/keys/selected/extend"] = () => ({
    ...{ message: "", extendedCount: 2, cost: 5, credits: 5 },
  });
  await user.click(dialog.getByRole("button", { name: "Extend 2 keys for 5 credits" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Extended 2 keys successfully"));
  const sent = server.received.filter(({ call }) => call.endsWith("/extend")).map(({ body }) => body);
  expect(sent).toEqual([1, 2].map(() => ({ ids: [1, 2, 3], mark: "a mark", count: 2, durationId: 5, cost: 5 })));
  expect(store.get(countAtom)).toBe(0);
});

test("more keys than can be extended at once are not sent", async () => {
  server.responses["POST /api/admin/keys/selected"] = ({ body }) =>
    body.hours === undefined ? counts : { ...counts, selected: 2_001, toExtend: 2_001, cost: 0 };
  press(1);
  const { user } = show({ area: "admin" });
  await user.click(screen.getByRole("button", { name: "Extend 1 key" }));
  await screen.findByText("At most 2,000 keys can be extended at once.");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Extend 2,001 keys" }));
  expect(server.calls().filter((call) => call.endsWith("/extend"))).toEqual([]);
});

test("if all are revoked it says that there is nothing to extend, and opens no dialog", async () => {
  server.responses["POST /api/reseller/keys/selected"] = () => ({ ...counts, selected: 2, revoked: 2 });
  press(1);
  const { user } = show();
  await user.click(screen.getByRole("button", { name: "Extend 1 key" }));
  await waitFor(() => expect(currentToast.value?.title).toBe("Nothing to extend"));
  expect(screen.queryByRole("dialog") === null).toBeTrue();
});

test("a revocation says before and afterwards what it gives back", async () => {
  server.responses["POST /api/reseller/keys/selected"] = () => ({ ...counts, refund: 4.5 });
  server.responses["POST /api/reseller/keys/selected/revoke"] = () => ({
    ...{ message: "", revokedCount: 2, passedOver: { revoked: 0, expired: 0 }, refund: 4.5 },
  });
  press(1);
  const { user } = show();
  await user.click(screen.getByRole("button", { name: "Revoke" }));
  await screen.findByText("4.5 credits will be refunded.");
  await user.type(screen.getByRole("textbox"), "2{Enter}");
  await waitFor(() =>
    expect(currentToast.value?.description).toBe("Revoked 2 keys successfully. 4.5 credits refunded"),
  );
});

test("if none can be revoked it says why, and opens no dialog", async () => {
  press(1);
  const { user } = show();
  server.responses["POST /api/reseller/keys/selected"] = () => ({ ...counts, unused: 0, connected: 0, revoked: 2 });
  await user.click(screen.getByRole("button", { name: "Revoke" }));
  await waitFor(() =>
    expect(currentToast.value?.description).toBe("None of these can be revoked: 1 expired, 2 already revoked."),
  );
  expect(screen.queryByRole("alertdialog") === null).toBeTrue();
});

test("a failed count says so and keeps the selection; admins cannot note a reseller's keys", async () => {
  press(1);
  const { user } = show({ area: "admin", resellerId: 2 });
  expect(screen.queryByRole("button", { name: "Note" }) === null).toBeTrue();
  await user.click(screen.getByRole("button", { name: "Revoke" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("The keys could not be counted."));
  expect(screen.getByText("1 selected")).toBeTruthy();
  await act(() => user.keyboard("{Escape}"));
  expect(screen.queryByText("1 selected") === null).toBeTrue();
});
