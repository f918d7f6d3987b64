import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

let latchkey: Latchkey;
let admin: Client;
let heavy: ResellerClient;
let other: ResellerClient;

beforeAll(async () => {
  latchkey = await startLatchkey();
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
