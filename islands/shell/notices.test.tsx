import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { useQuery } from "@tanstack/react-query";
import { act, render, screen, waitFor } from "@testing-library/react";
import { collectionsQuery } from "../api/calls/backup.ts";
import { profileQuery, signOut } from "../api/calls/session.ts";
import { restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { createQueryClient, queryClient } from "../api/query.ts";
import { liveStatus, online, sessionLost } from "../state/signals.ts";
import { currentToast } from "../ui/toast/store.ts";
import Notices from "./notices.tsx";
import { PanelState } from "./root/panel-state.tsx";

const RealWebSocket = globalThis.WebSocket;
const admin = { id: 1, username: "margaret", role: "admin", rights: null, owner: null } as const;
const reseller = { id: 7, username: "night.owl", role: "reseller", rights: null, owner: null } as const;
let socket: { onmessage: (event: { data: string }) => void; closedWith: number | null } | null;

beforeEach(() => {
  socket = null;
  sessionLost.value = false;
  online.value = true;
  liveStatus.value = "closed";
  currentToast.value = null;
  globalThis.WebSocket = class {
    onmessage = () => {};
    closedWith: number | null = null;
    constructor() {
      socket = this;
    }
    close(code: number) {
      this.closedWith = code;
    }
  } as never;
});
afterEach(() => {
  jest.useRealTimers();
  restoreFetch();
  globalThis.WebSocket = RealWebSocket;
});

const elevenSecondsAgo = () => new Date(Date.now() - 11_000).toISOString();

function show(user: Parameters<typeof Notices>[0]["user"], renderedAt = new Date().toISOString()) {
  return render(
    <PanelState client={createQueryClient()}>
      <Notices user={user} renderedAt={renderedAt} />
    </PanelState>,
  );
}

function tell(notice: object) {
  act(() => socket?.onmessage({ data: JSON.stringify(notice) }));
}

test("only a reseller has a live channel, and it ends with 1000 when the page unmounts", () => {
  show(admin).unmount();
  expect(socket).toBeNull();
  show(reseller).unmount();
  expect(socket as typeof socket & object).toMatchObject({ closedWith: 1000 });
});

function Balance() {
  return <output>{useQuery(profileQuery).data?.credits}</output>;
}

test("the balance is fetched again when credits were added, when the channel was interrupted, and when the page becomes visible again", async () => {
  let credits = 1;
  stubFetch({ "GET /api/reseller/profile": () => ({ username: "night.owl", credits, registrationDate: "" }) });
  render(
    <PanelState>
      <Notices user={reseller} renderedAt={new Date().toISOString()} />
      <Balance />
    </PanelState>,
  );
  const shows = (balance: number) => waitFor(() => expect(screen.getByText(String(balance))).toBeTruthy());
  await shows(1);
  tell({ type: "auth_success" });
  credits = 2;
  tell({ type: "credits_change" });
  await shows(2);
  credits = 3;
  tell({ type: "auth_success" });
  await shows(3);
  credits = 4;
  act(() => void window.dispatchEvent(new Event("visibilitychange")));
  await shows(4);
  queryClient.clear();
});

test("a suspended reseller reads why, and is logged out after 2 s", async () => {
  const assign = spyOn(window.location, "assign").mockImplementation(() => {});
  const { calls } = stubFetch({ "POST /api/auth/logout": () => ({ message: "ok" }) });
  jest.useFakeTimers();
  show(reseller);
  tell({ type: "status_change", isActive: false, message: "" });
  expect(currentToast.value).toMatchObject({
    description: "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.",
    style: "destructive",
    persistent: true,
  });
  // The next page repeats it, as 2 s are too short to read it.
  expect(JSON.parse(sessionStorage.getItem("toast") ?? "null")).toMatchObject({
    description: "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.",
    persistent: true,
  });
  jest.advanceTimersByTime(1_999);
  expect(calls()).toEqual([]);
  jest.advanceTimersByTime(1);
  jest.useRealTimers();
  await waitFor(() => expect(assign.mock.calls).toEqual([["/"]]));
  expect(calls()).toEqual(["POST /api/auth/logout"]);
  act(() => void window.dispatchEvent(new Event("pagehide")));
  expect(socket?.closedWith).toBe(1000);
  assign.mockRestore();
});

test("a failed logout is reported, and the page keeps its live channel", async () => {
  stubFetch({ "POST /api/auth/logout": () => new Response("", { status: 503 }) });
  show(reseller);
  await act(signOut);
  expect(currentToast.value).toMatchObject({ title: "Error", description: "Logout failed", style: "destructive" });
  expect(socket?.closedWith).toBeNull();
  expect(liveStatus.value).not.toBe("closed");
});

test("a reactivated reseller reads it, and the page reloads after 1.5 s", () => {
  const reload = spyOn(window.location, "reload").mockImplementation(() => {});
  jest.useFakeTimers();
  show(reseller);
  tell({ type: "status_change", isActive: true, message: "Welcome back." });
  expect(currentToast.value).toMatchObject({ title: "Account Reactivated", description: "Welcome back." });
  jest.advanceTimersByTime(1_499);
  expect(reload).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});

test("a page older than the session's 10 s checks again, and says that the session is lost", async () => {
  stubFetch({ "GET /api/auth/session": () => ({ isAuthenticated: false }) });
  show(reseller, elevenSecondsAgo());
  expect(await screen.findByText(/Your session has ended/)).toBeTruthy();
  expect(screen.getByRole("link", { name: /^Log in again/ }).getAttribute("href")).toBe("/");
});

test("a session of the same user removes the notice, and repeats failed requests", async () => {
  const { responses } = stubFetch({
    "GET /api/auth/session": () => ({ isAuthenticated: false }),
    "GET /api/admin/backup/collections": () => new Response("", { status: 401 }),
  });
  const client = createQueryClient();
  render(
    <PanelState client={client}>
      <Notices user={admin} renderedAt={elevenSecondsAgo()} />
      <List />
    </PanelState>,
  );
  const link = await screen.findByRole("link", { name: /^Log in again/ });
  expect([link.getAttribute("target"), link.getAttribute("rel")]).toEqual(["_blank", "noopener noreferrer"]);
  await screen.findByText("error");
  responses["GET /api/auth/session"] = () => ({ isAuthenticated: true, user: admin });
  responses["GET /api/admin/backup/collections"] = () => [];
  act(() => void window.dispatchEvent(new Event("focus")));
  expect(await screen.findByText("success")).toBeTruthy();
  expect(screen.queryByText(/Your session has ended/) === null).toBeTrue();
});

function List() {
  return <p>{useQuery(collectionsQuery).status}</p>;
}

test("a page is reloaded once another user has signed in", async () => {
  const reload = spyOn(window.location, "reload").mockImplementation(() => {});
  stubFetch({ "GET /api/auth/session": () => ({ isAuthenticated: true, user: admin }) });
  show(reseller, elevenSecondsAgo());
  await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  reload.mockRestore();
});

test("only a live channel that was given up is opened again when the network is back", () => {
  show(reseller);
  const given = socket;
  act(() => void window.dispatchEvent(new Event("online")));
  expect(socket).toBe(given);
  act(() => {
    liveStatus.value = "given-up";
  });
  expect(screen.getByText(/Live notices have stopped/)).toBeTruthy();
  act(() => void window.dispatchEvent(new Event("online")));
  expect(socket).not.toBe(given);
  expect(liveStatus.value).toBe("connecting");
  expect(screen.queryByText(/Live notices have stopped/) === null).toBeTrue();
});

test("a live channel that was given up returns with the reload that its notice offers", async () => {
  const reload = spyOn(window.location, "reload").mockImplementation(() => {});
  show(reseller);
  act(() => {
    liveStatus.value = "given-up";
  });
  act(() => screen.getByRole("button", { name: "Reload the page" }).click());
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});

test("a lost network is reported until it is back", () => {
  show(reseller);
  act(() => {
    online.value = false;
  });
  expect(screen.getByText(/You're offline/)).toBeTruthy();
  act(() => {
    online.value = true;
  });
  expect(screen.queryByText(/You're offline/) === null).toBeTrue();
});

test("a list that failed to load is loaded again once the network is back, also if older rows are shown", async () => {
  let works = true;
  stubFetch({
    "GET /api/admin/backup/collections": () => {
      if (!works) throw new TypeError("Failed to fetch");
      return [{ name: "admins", count: 1, size: 1, modified: null }];
    },
  });
  const client = createQueryClient();
  render(
    <PanelState client={client}>
      <Notices user={admin} renderedAt={new Date().toISOString()} />
      <List />
    </PanelState>,
  );
  await screen.findByText("success");
  works = false;
  await act(() => client.invalidateQueries({ queryKey: collectionsQuery.queryKey }));
  await screen.findByText("error");
  works = true;
  act(() => void window.dispatchEvent(new Event("online")));
  await screen.findByText("success");
});
