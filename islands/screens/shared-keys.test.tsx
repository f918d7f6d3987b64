import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Block } from "../../src/keys/blocks/block-schema.ts";
import { exampleResellerKey } from "../../src/keys/model.ts";
import type { ResellerKey } from "../../src/keys/schema.ts";
import { expectFocus } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import BlockedDevices from "./blocked-devices.tsx";
import SharedKeys from "./shared-keys.tsx";

const key = { ...exampleResellerKey, deviceLimit: 1 } as ResellerKey;
const removal = "POST /api/reseller/keys/:id/devices/remove-all";

let blocks: Block[];
let server: FetchStub;
beforeEach(() => {
  blocks = [{ id: 3, deviceId: "a-phone", reason: "Chargeback", by: "night.owl", at: "2025-03-05T12:00:00.000Z" }];
  server = stubFetch({
    "GET /api/games": () => [],
    "GET /api/reseller/shared-keys": () => [
      { key, devicesRefused: 31, releases: 2 },
      { key: { ...key, id: 8, keyString: "OTHER-1" }, devicesRefused: 100, releases: 0 },
    ],
    [removal]: () => ({ message: "Devices removed successfully", removed: 1 }),
    "GET /api/reseller/blocked-devices": () => blocks,
    "POST /api/reseller/blocked-devices": () => blocks[0] as Block,
    "DELETE /api/reseller/blocked-devices/:id": () => {
      blocks = [];
      return { message: "Device unblocked" };
    },
  });
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show(page: React.ReactNode) {
  render(<PanelState>{page}</PanelState>);
  return userEvent.setup();
}

const lastOf = (call: string) => server.received.filter((each) => each.call.startsWith(call)).at(-1);

test("the signs of a shared key are sentences, and all its devices are removed once that is confirmed", async () => {
  const user = show(<SharedKeys area="reseller" search="" />);
  await screen.findAllByText(
    /31 other devices were refused since yesterday; the key allows 1\. Its players freed 2 devices\./,
  );
  await screen.findAllByText("100 or more other devices were refused since yesterday; the key allows 1.");
  await user.click(screen.getAllByRole("button", { name: "Remove All Devices" })[0] as HTMLElement);
  const dialog = within(await screen.findByRole("alertdialog", { name: "Remove All Devices" }));
  expect(lastOf("POST")).toBeUndefined();
  await user.click(dialog.getByRole("button", { name: "Remove All Devices" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("1 device removed"));
  expect(server.calls()).toContain("POST /api/reseller/keys/7/devices/remove-all");
  await waitFor(() => expect(server.calls().filter((call) => call.includes("shared-keys"))).toHaveLength(2));
});

test("a device is blocked for a suggested reason, and unblocked", async () => {
  const user = show(<BlockedDevices area="reseller" search="" />);
  await screen.findAllByText("a-phone");
  await user.click(screen.getByRole("button", { name: "Block Device" }));
  const dialog = within(await screen.findByRole("dialog"));
  await expectFocus(dialog.getByLabelText("Device ID"));
  await user.type(dialog.getByLabelText("Device ID"), "b-phone");
  await user.click(dialog.getByRole("button", { name: "Cheating" }));
  await user.click(dialog.getByRole("button", { name: "Block Device" }));
  await waitFor(() => expect(currentToast.value?.description).toBe("Device blocked"));
  expect(lastOf("POST /api/reseller/blocked-devices")?.body).toEqual({ deviceId: "b-phone", reason: "Cheating" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getAllByRole("button", { name: "Unblock" })[0] as HTMLElement);
  await screen.findByText("No blocked devices");
});
