import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type Client,
  createClient,
  createStaff,
  type ResellerClient,
  registerReseller,
  signInAdmin,
} from "../client.ts";
import { connectLive, type LiveSocket } from "../live-socket.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

let latchkey: Latchkey;
let admin: Client;
let reseller: ResellerClient;
const newClient = () => createClient(latchkey.url);

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
  reseller = await registerReseller(newClient, admin, { username: "watcher" });
});
afterAll(() => latchkey.stop());

function connect(headers: Record<string, string>, url = latchkey.url): Promise<LiveSocket> {
  return connectLive(url, headers);
}

test("a suspension reaches the reseller's open page, whose socket stays open, and prevents signing in", async () => {
  const socket = await connect({ cookie: reseller.cookie(), origin: latchkey.url });
  socket.send({ type: "auth", resellerId: reseller.id });
  expect(await socket.next()).toEqual({ type: "auth_success" });

  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  const message = "YOUR ACCOUNT HAS BEEN SUSPENDED BY ADMIN, CONTACT ADMIN FOR MORE DETAILS.";
  expect(await socket.next()).toEqual({ type: "status_change", isActive: false, message });
  expect((await reseller.get("/api/reseller/profile")).status).toBe(401);
  const login = { username: reseller.username, password: "test-reseller-password" };
  const refused = await newClient().post("/api/auth/reseller/login", login);
  expect([refused.status, refused.body.code, refused.body.message]).toEqual([403, "SUSPENDED", message]);

  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
  const back = "Your account has been reactivated by the admin.";
  expect(await socket.next()).toEqual({ type: "status_change", isActive: true, message: back });
  socket.close();
  expect((await reseller.post("/api/auth/reseller/login", login)).status).toBe(200);
});

test("staff follows its owner's status by the owner's id, and its own id is refused like a stranger's", async () => {
  const form = { username: "watchers.aide", rights: ["keys:read"] };
  const staff = await createStaff(newClient, reseller, "reseller", form);
  const open = async (resellerId: number) => {
    const socket = await connect({ cookie: staff.cookie(), origin: latchkey.url });
    socket.send({ type: "auth", resellerId });
    return socket;
  };
  expect((await (await open(staff.id)).closed).code).toBe(1008);
  const socket = await open(reseller.id);
  expect(await socket.next()).toEqual({ type: "auth_success" });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  expect(await socket.next()).toMatchObject({ type: "status_change", isActive: false });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
  expect(await socket.next()).toMatchObject({ type: "status_change", isActive: true });
  socket.close();
  await staff.post("/api/auth/reseller/login", staff);
  const again = await open(reseller.id);
  expect(await again.next()).toEqual({ type: "auth_success" });
  await reseller.post("/api/auth/reseller/login", { username: reseller.username, password: "test-reseller-password" });
  await reseller.call("PUT", `/api/reseller/staff/${staff.id}`, { isActive: false });
  expect((await again.closed).code).toBe(1000);
});

test("credits that are added or taken back reach only the open pages of that reseller", async () => {
  const other = await registerReseller(newClient, admin, { username: "another" });
  const socket = await connect({ cookie: reseller.cookie(), origin: latchkey.url });
  socket.send({ type: "auth", resellerId: reseller.id });
  expect(await socket.next()).toEqual({ type: "auth_success" });
  await admin.post("/api/admin/resellers/credits", { resellerId: other.id, amount: 5 });
  await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 0 });
  await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 5 });
  expect(await socket.next()).toEqual({ type: "credits_change" });
  const [{ id: ledgerId }] = (await reseller.get("/api/reseller/ledger")).body;
  await admin.post(`/api/admin/resellers/${reseller.id}/credits/take-back`, { ledgerId });
  expect(await socket.next()).toEqual({ type: "credits_change" });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  expect(await socket.next()).toMatchObject({ type: "status_change" });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
  socket.close();
  await reseller.post("/api/auth/reseller/login", { username: reseller.username, password: "test-reseller-password" });
});

test("behind a trusted proxy that terminates https, a page connects with its secure cookie", async () => {
  const proxied = await startLatchkey({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  const newProxied = () => createClient(proxied.url);
  const seller = await registerReseller(newProxied, await signInAdmin(newProxied), { username: "watcher" });
  const https = { "x-forwarded-proto": "https" };
  const login = { username: "watcher", password: "test-reseller-password" };
  const response = await newProxied().post("/api/auth/reseller/login", login, https);
  const [cookie = ""] = response.headers.getSetCookie()[0]?.split(";") ?? [];
  expect(cookie).toStartWith("__Host-session=");
  const socket = await connect({ cookie, ...https }, proxied.url);
  socket.send({ type: "auth", resellerId: seller.id });
  expect(await socket.next()).toEqual({ type: "auth_success" });
  socket.close();
  await proxied.stop();
});

describe("after a suspension a socket", () => {
  const toggle = (isActive: boolean) => admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive });
  const suspended = async () => {
    const socket = await connect({ cookie: reseller.cookie() });
    socket.send({ type: "auth", resellerId: reseller.id });
    expect(await socket.next()).toEqual({ type: "auth_success" });
    await toggle(false);
    expect(await socket.next()).toMatchObject({ isActive: false });
    return socket;
  };
  const signIn = (password = "test-reseller-password") =>
    reseller.post("/api/auth/reseller/login", { username: reseller.username, password });

  test("receives changes of the status only", async () => {
    const socket = await suspended();
    await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 5 });
    await toggle(true);
    await signIn();
    await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 5 });
    await toggle(false);
    expect([await socket.next(), await socket.next()]).toMatchObject([{ isActive: true }, { isActive: false }]);
    await toggle(true);
    await signIn();
    socket.close();
  });

  test.each([
    ["End Sessions", () => admin.call("DELETE", `/api/admin/resellers/${reseller.id}/sessions`)],
    ["a password reset", () => admin.post(`/api/admin/resellers/${reseller.id}/password`)],
  ])("is closed with 1000 by %s, also where the reseller is active again", async (_what, end) => {
    for (const isActive of [false, true]) {
      const socket = await suspended();
      if (isActive) await toggle(true);
      const { body } = await end();
      expect(await socket.closed).toEqual({ code: 1000 });
      if (!isActive) await toggle(true);
      await signIn(body.password);
      const passwords = { currentPassword: body.password, newPassword: "test-reseller-password" };
      if (body.password) await reseller.post("/api/auth/password", passwords);
    }
  });
});

test("a socket is read once: later messages change nothing", async () => {
  const socket = await connect({ cookie: reseller.cookie() });
  const hello = { type: "auth", resellerId: reseller.id };
  for (const message of [hello, hello, { ...hello, resellerId: reseller.id + 1 }, "nonsense"]) socket.send(message);
  expect(await socket.next()).toEqual({ type: "auth_success" });
  await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 1 });
  expect(await socket.next()).toEqual({ type: "credits_change" });
  socket.close();
});

test("a socket that sends more than 10 messages a second is closed with 1008", async () => {
  const socket = await connect({ cookie: reseller.cookie() });
  for (let sent = 0; sent < 100; sent += 1) socket.send({ type: "auth", resellerId: reseller.id });
  expect(await socket.closed).toEqual({ code: 1008 });
});

describe("a session that ends closes its sockets with 1000, and they receive nothing more:", () => {
  const password = "test-reseller-password";
  const signIn = async () => {
    const client = newClient();
    await client.post("/api/auth/reseller/login", { username: reseller.username, password });
    const socket = await connect({ cookie: client.cookie() });
    socket.send({ type: "auth", resellerId: reseller.id });
    expect(await socket.next()).toEqual({ type: "auth_success" });
    return { client, socket };
  };
  const ends: [string, (own: Client, other: Client) => Promise<{ status: number }>][] = [
    ["signed out", (own) => own.post("/api/auth/logout")],
    [
      "signed in again in the same browser",
      (own) => own.post("/api/auth/reseller/login", { username: "watcher", password }),
    ],
    ["ended from another session", (_own, other) => other.call("DELETE", "/api/auth/sessions")],
    [
      "ended by a new password",
      (_own, other) => other.post("/api/auth/password", { currentPassword: password, newPassword: password }),
    ],
    ["ended by an admin", () => admin.call("DELETE", `/api/admin/resellers/${reseller.id}/sessions`)],
  ];

  test.each(ends)("%s", async (_how, end) => {
    const { client, socket } = await signIn();
    const other = newClient();
    await other.post("/api/auth/reseller/login", { username: reseller.username, password });
    const received = socket.next();
    expect((await end(client, other)).status).toBe(200);
    expect(await socket.closed).toEqual({ code: 1000 });
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
    expect(await Promise.race([received, Promise.resolve("nothing")])).toBe("nothing");
    await reseller.post("/api/auth/reseller/login", { username: reseller.username, password });
  });

  test("the sockets of other sessions stay open", async () => {
    const { client } = await signIn();
    const { socket } = await signIn();
    await client.post("/api/auth/logout");
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
    expect(await socket.next()).toMatchObject({ isActive: false });
    await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
    await reseller.post("/api/auth/reseller/login", { username: reseller.username, password });
    socket.close();
  });
});

test("setting the status to its current value notifies no page", async () => {
  const socket = await connect({ cookie: reseller.cookie() });
  socket.send({ type: "auth", resellerId: reseller.id });
  await socket.next();
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  expect(await socket.next()).toMatchObject({ isActive: false });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: true });
  await reseller.post("/api/auth/reseller/login", { username: reseller.username, password: "test-reseller-password" });
  socket.close();
});

test.each([
  ["no cookie", null, { type: "auth", idAhead: 0 }],
  ["another's id", "reseller", { type: "auth", idAhead: 1 }],
  ["an admin's cookie", "admin", { type: "auth", idAhead: 0 }],
  ["another message", "reseller", { type: "hello", idAhead: 0 }],
  ["invalid JSON", "reseller", null],
] as const)("a socket with %s is closed with 1008", async (_what, who, message) => {
  const cookie = who === "admin" ? admin.cookie() : reseller.cookie();
  const socket = await connect(who === null ? {} : { cookie });
  socket.send(message === null ? "nonsense" : { type: message.type, resellerId: reseller.id + message.idAhead });
  expect(await socket.closed).toEqual({ code: 1008 });
});

test.each([
  ["another origin", { origin: "https://evil.example" }],
  ["the null origin", { origin: "null" }],
  ["a cross-site page", { "sec-fetch-site": "cross-site" }],
])("a socket from %s is not opened", async (_what, headers) => {
  await expect(connect({ cookie: reseller.cookie(), ...headers })).rejects.toThrow("refused");
});

test("a giant frame closes its socket, and the server keeps running", async () => {
  const socket = await connect({ cookie: reseller.cookie() });
  socket.send("x".repeat(1_025));
  // The runtime closes with 1009 if a frame is too large to read.
  expect([1006, 1009]).toContain((await socket.closed).code);
  expect((await newClient().get("/healthz")).status).toBe(200);
});

test("a server that stops closes its sockets with 1001 and exits with 0", async () => {
  const other = await startLatchkey();
  const socket = await connect({}, other.url);
  const code = await other.stop();
  expect([code, (await socket.closed).code]).toEqual([0, 1001]);
});
