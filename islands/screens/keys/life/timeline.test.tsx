import { afterEach, beforeEach, expect, test } from "bun:test";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Role } from "../../../../src/accounts/schema.ts";
import type { KeyStatus } from "../../../../src/keys/schema.ts";
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

function show(now: { status: KeyStatus; hasRoom: boolean; isResellers?: boolean }, area: Role = "reseller") {
  render(
    <PanelState>
      <CurrentVerdict area={area} id={7} />
      <Timeline area={area} id={7} now={{ isResellers: false, ...now }} />
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

test("equal refusals in a row are one line with their days", async () => {
  const days = [23, 20, 14].map((day) =>
    event("refused", { at: `2025-11-${day}T12:00:00.000Z`, code: "REVOKED", count: 2 }),
  );
  const events = [...days, event("revoked", { by: "joan" }), refused, event("created", { by: "night.owl" })];
  server.responses["GET /api/reseller/keys/:id/timeline"] = () => ({ ...life, events });
  show({ status: "REVOKED", hasRoom: true });
  await screen.findByText("Key revoked by joan");
  const texts = screen.getAllByRole("listitem").map((item) => item.querySelector("p")?.textContent);
  expect(texts).toEqual([
    "Refused 6 times: revoked · Nov 14 – Nov 23",
    "Key revoked by joan",
    "Refused 3 times: all devices in use",
    "Key made by night.owl",
  ]);
});

test("an admin is not sent to make an admin key for a reseller's customer", async () => {
  const events = [event("refused", { code: "REVOKED", count: 1 })];
  server.responses["GET /api/admin/keys/:id/timeline"] = () => ({ ...life, events });
  show({ status: "REVOKED", hasRoom: true, isResellers: true }, "admin");
  expect(await screen.findByText("The key stays revoked. Its reseller can generate another.")).toBeTruthy();
  expect(screen.queryByRole("link") === null).toBeTrue();
});

test("a key that works has no sign of a refusal beside its verdict", async () => {
  show({ status: "ACTIVE", hasRoom: false });
  const verdict = (await screen.findByText(life.answer.message)).closest('[role="status"]');
  expect(verdict?.querySelector("svg")?.getAttribute("class")).not.toContain("slash");
});
