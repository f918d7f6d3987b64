import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type Client,
  createApiKey,
  createClient,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../client.ts";
import { connectLive } from "../live-socket.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

/** rules.md: Shares. */
const requestsAtOnce = 600;
const requestsPerSecond = 100;
/** The last of these waits for nearly a second, which is the longest wait. */
const requestsBeyond = 80;
const socketsOfFlood = 60 + 20;

let latchkey: Latchkey;
let admin: Client;
let heavy: ResellerClient;
let other: ResellerClient;

beforeAll(async () => {
  latchkey = await startLatchkey({ environment: { RATE_LIMITS: "on" } });
  const newClient = () => createClient(latchkey.url);
  admin = await signInAdmin(newClient);
  heavy = await registerReseller(newClient, admin, { username: "heavy", credits: 10 });
  other = await registerReseller(newClient, admin, { username: "other", credits: 10 });
});
afterAll(() => latchkey.stop());

test("300 parallel searches of one account keep no other one from its lists, and are only refused for its own share", async () => {
  const flood = Array.from({ length: 300 }, (_, index) => heavy.get(`/api/reseller/search?q=night${index}`));
  const others = Array.from({ length: 20 }, () => [
    other.get("/api/reseller/keys?limit=20"),
    admin.get("/api/admin/resellers?limit=20"),
    admin.get("/api/admin/search?q=night"),
  ]);
  for (const { status } of await Promise.all(others.flat())) expect(status).toBe(200);
  for (const { status, body } of await Promise.all(flood)) {
    if (status !== 200) expect([status, body.code]).toEqual([429, "TOO_MANY_TRIES"]);
  }
});

test("all collections can be downloaded at once", async () => {
  const { body } = await admin.get("/api/admin/backup/collections");
  const downloads = body.map(({ name }: { name: string }) => admin.get(`/api/admin/backup/download/${name}`));
  for (const { status } of await Promise.all(downloads)) expect(status).toBe(200);
});

/** An admin's calls, one after the other, take much less time than the second that the flood waits for its last turn. */
const adminCalls = 20;

/** Sends an admin's requests after the flood, and checks that they are served first. */
async function expectToWait(flood: Promise<unknown>[]): Promise<void> {
  const order: string[] = [];
  const floodEnds = Promise.all(flood).then(() => order.push("flood"));
  for (let call = 0; call < adminCalls; call += 1) await admin.get("/api/auth/session");
  order.push("admin");
  await floodEnds;
  expect(order).toEqual(["admin", "flood"]);
}

test("requests of one account beyond its share wait while others are served, those of its programs included", async () => {
  const scopes = ["credits:read"];
  const program = withApiKey(createClient(latchkey.url), await createApiKey(other, "reseller", { scopes }));
  const send = (count: number) =>
    Array.from({ length: count }, async (_, index) => {
      const { status } = await (index % 2 === 0 ? other : program).get("/api/reseller/profile");
      return status;
    });
  const startedAt = performance.now();
  const first = await Promise.all(send(requestsAtOnce));
  // On a slow machine these are many.
  const allowedAgain = Math.floor(((performance.now() - startedAt) / 1_000) * requestsPerSecond);
  const beyond = send(allowedAgain + requestsBeyond);
  await expectToWait(beyond);
  expect(new Set([...first, ...(await Promise.all(beyond))])).toEqual(new Set([200]));
});

test("sockets of one address beyond its share wait while others are served", () =>
  expectToWait(
    Array.from({ length: socketsOfFlood }, async () =>
      (await connectLive(latchkey.url, { cookie: other.cookie(), origin: latchkey.url })).close(),
    ),
  ));
