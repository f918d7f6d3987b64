import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Timeline as Life, TimelineEvent } from "../../../../src/keys/timeline/timeline-schema.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../../../api/fetch-stub.ts";
import { queryClient } from "../../../api/query.ts";
import { PanelState } from "../../../shell/root/panel-state.tsx";
import { CurrentVerdict, Timeline } from "./timeline.tsx";

const event = (kind: TimelineEvent["kind"], more: Partial<TimelineEvent> = {}): TimelineEvent => ({
  ...{ at: "2025-03-05T12:00:00.000Z", kind, by: null, deviceId: null, code: null, count: null },
  ...more,
});
const refused = event("refused", { code: "DEVICE_LIMIT_REACHED", count: 3, deviceId: "tablet" });
const life: Life = {
  answer: {
    code: "DEVICE_LIMIT_REACHED",
    message: "Works. 2 of 2 devices connected, so a new one is refused.",
    advice: "Remove one below.",
  },
  events: [
    refused,
    event("devices_reset", { by: "joan", count: 2 }),
    event("devices_reset", { by: "joan" }),
    event("noted", { by: "night.owl" }),
    event("refused", { code: "EXPIRED", count: 1, deviceId: "phone" }),
    event("created", { by: "night.owl" }),
  ],
};

let server: FetchStub;
beforeEach(() => {
  server = stubFetch({ "GET /api/reseller/keys/:id/timeline": () => life });
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show(now: { status: "ACTIVE" | "EXPIRED"; hasRoom: boolean }) {
  render(
    <PanelState>
      <CurrentVerdict area="reseller" id={7} />
      <Timeline area="reseller" id={7} now={now} />
    </PanelState>,
  );
}

test("the verdict comes first, then every event in words", async () => {
  show({ status: "ACTIVE", hasRoom: false });
  expect(await screen.findByText(life.answer.message)).toBeTruthy();
  expect(screen.getByText("Remove one below.")).toBeTruthy();
  const texts = screen.getAllByRole("listitem").map((item) => item.querySelector("p")?.textContent);
  expect(texts).toEqual([
    "Refused 3 times: all devices in use",
    "2 devices reset by joan",
    "All devices reset by joan",
    "Note changed by night.owl",
    "Refused: expired",
    "Key made by night.owl",
  ]);
  expect(server.calls()).toEqual(["GET /api/reseller/keys/7/timeline?limit=20"]);
});

test("a refusal says what to do now, given the state of the key", async () => {
  show({ status: "ACTIVE", hasRoom: false });
  expect((await screen.findByRole("link", { name: "remove a device." })).getAttribute("href")).toBe("#devices");
  show({ status: "ACTIVE", hasRoom: true });
  expect(await screen.findByText("There is room now: it connects when the game asks again.")).toBeTruthy();
  show({ status: "EXPIRED", hasRoom: false });
  const links = await screen.findAllByRole("link", { name: "Generate another." });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/reseller/generate", "/reseller/generate"]);
});

test("of a long timeline the newest events are shown, and more on a press", async () => {
  server.responses["GET /api/reseller/keys/:id/timeline"] = ({ query }) =>
    query.get("limit") === "20" ? { ...life, events: [refused] } : life;
  show({ status: "ACTIVE", hasRoom: false });
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  expect(await screen.findByText("Key made by night.owl")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show more" }) === null).toBeTrue();
});
