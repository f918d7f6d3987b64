import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type ApiResponse,
  type Client,
  createClient,
  createStaff,
  type ResellerClient,
  registerReseller,
  type StaffClient,
  signInAdmin,
} from "../client.ts";
import { parallel } from "../parallel.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

const keysOfOwner = 10_000;
const password = "test-reseller-password";

let latchkey: Latchkey;
let admin: Client;
let owner: ResellerClient;
let serial = 0;
const newClient = () => createClient(latchkey.url);

beforeAll(async () => {
  latchkey = await startLatchkey();
  admin = await signInAdmin(newClient);
  owner = await registerReseller(newClient, admin, { username: "night.owl", credits: 1_000_000 });
  const lines = Array.from(
    { length: keysOfOwner },
    (_, index) => `SOLD-BEFORE-${index},FREE FIRE,2099-01-31,night.owl`,
  );
  const file = `key,game,expires,owner\n${lines.join("\n")}`;
  const { body } = await admin.post("/api/admin/imports", file, { "content-type": "text/csv" });
  while ((await admin.get(`/api/admin/imports/${body.id}`)).body.state === "running");
}, 120_000);
afterAll(() => latchkey.stop());

const toggle = (isActive: boolean) => admin.post(`/api/admin/resellers/${owner.id}/toggle-status`, { isActive });
const change = (helper: StaffClient, form: object) => owner.call("PUT", `/api/reseller/staff/${helper.id}`, form);

/** What ends what a helper may do, and how its calls are refused from then on. */
const ends: [what: string, end: (helper: StaffClient) => Promise<ApiResponse>, code: string][] = [
  ["a right is withdrawn", (helper) => change(helper, { rights: ["credits:read"], password }), "RIGHT_MISSING"],
  ["the account is switched off", (helper) => change(helper, { isActive: false }), "NOT_SIGNED_IN"],
  ["the account is removed", ({ id }) => owner.call("DELETE", `/api/reseller/staff/${id}`), "NOT_SIGNED_IN"],
  ["the owner is suspended", () => toggle(false), "NOT_SIGNED_IN"],
];

async function newHelper(): Promise<StaffClient> {
  await toggle(true);
  await owner.post("/api/auth/reseller/login", { username: owner.username, password });
  serial += 1;
  const rights = ["keys:order", "keys:manage", "keys:read"];
  return createStaff(newClient, owner, "reseller", { username: `helper.${serial}`, rights });
}

/** Ends it once a call has changed something, and expects that nothing changes after that was acknowledged. */
async function expectNothingAfter(
  helper: StaffClient,
  [, end, code]: (typeof ends)[number],
  race: { calls: () => Promise<ApiResponse[]>; count: () => Promise<number> },
): Promise<void> {
  const before = await race.count();
  let areOver = false;
  const calls = race.calls().finally(() => {
    areOver = true;
  });
  while (!areOver && (await race.count()) === before);
  expect((await end(helper)).status).toBe(200);
  const acknowledged = await race.count();
  const responses = await calls;
  expect(await race.count()).toBe(acknowledged);
  const refused = responses.filter(({ status }) => status >= 400);
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set([code]));
}

async function untilRefused(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (;;) {
    const response = await call();
    if (response.status >= 400) return response;
  }
}

describe.each(ends)("once %s", (...ended) => {
  test("no batch of 100 keys that was under way is made", async () => {
    const helper = await newHelper();
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 100 };
    await expectNothingAfter(helper, ended, {
      calls: () => parallel(4, () => untilRefused(() => helper.post("/api/reseller/keys/generate", order))),
      count: async () => (await admin.get(`/api/admin/resellers/${owner.id}`)).body.totalKeys,
    });
  });

  test("no further batch of a selection of 10,000 keys is changed", async () => {
    const helper = await newHelper();
    const selection = { search: "SOLD-BEFORE-" };
    const { mark } = (await helper.post("/api/reseller/keys/selected", selection)).body;
    const noted = { resellerId: owner.id, note: `by ${helper.username}`, ...selection };
    await expectNothingAfter(helper, ended, {
      calls: async () => {
        const form = { ...selection, mark, count: keysOfOwner, note: `by ${helper.username}` };
        return [await helper.call("PUT", "/api/reseller/keys/selected/note", form)];
      },
      count: async () => keysOfOwner - (await admin.post("/api/admin/keys/selected", noted)).body.toNote,
    });
  });

  test("a list that was under way is whole or refused, and the next one is refused", async () => {
    const helper = await newHelper();
    const lists = parallel(4, () => helper.get("/api/reseller/keys"));
    await ended[1](helper);
    const next = await helper.get("/api/reseller/keys");
    expect([next.body.code, (await helper.get("/api/reseller/orders")).body.code]).toEqual([ended[2], ended[2]]);
    for (const { status, body } of await lists) {
      if (status === 200) expect(body.length).toBeGreaterThanOrEqual(keysOfOwner);
      else expect(body.code).toBe(ended[2]);
    }
  });
});

test("of 20 purchases by staff at once, its credits a day pay for no more than they are", async () => {
  await newHelper();
  const form = { username: "frugal", rights: ["keys:order"], creditsPerDay: 5 };
  const helper = await createStaff(newClient, owner, "reseller", form);
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
  const bought = await parallel(20, () => helper.post("/api/reseller/keys/generate", order));
  expect(bought.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(15).fill(429)]);
});
