import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type ApiResponse,
  type Client,
  createClient,
  type ResellerClient,
  registerReseller,
  signInAdmin,
} from "../client.ts";
import { parallel } from "../parallel.ts";
import { type Latchkey, startLatchkey } from "../process.ts";

/* On one process with and without the key cache, and on two that share a database. */

/** How often each race runs. `ROUNDS` changes it. */
const rounds = Number(process.env.ROUNDS ?? 6);
const game = "FREE FIRE";
const hours = 24;

interface Sold {
  id: number;
  keyString: string;
  orderId: number;
}

let latchkey: Latchkey;
let admin: Client;
let reseller: ResellerClient;
const newClient = () => createClient(latchkey.url);

beforeAll(async () => {
  latchkey = await startLatchkey({ environment: { REFUND_DAYS: "5" } });
  admin = await signInAdmin(newClient);
  reseller = await registerReseller(newClient, admin, { username: "night.owl", credits: 1_000 });
  await admin.call("PUT", "/api/admin/games/3", { release: { isAllowed: true, cooldownHours: 0 } });
});
afterAll(() => latchkey.stop());

async function buy(): Promise<Sold> {
  const order = { game, deviceLimit: 1, days: 30, count: 1 };
  const { body } = await reseller.post("/api/reseller/keys/generate", order);
  return { ...body.keys[0], orderId: body.orderId };
}

/** A key that an import brought. */
async function bring(text: string): Promise<Sold & { importId: number }> {
  const file = `key,game,expires,owner\n${text},${game},2099-01-31,night.owl`;
  const { id: importId } = (await admin.post("/api/admin/imports", file, { "content-type": "text/csv" })).body;
  await until(async () => (await admin.get(`/api/admin/imports/${importId}`)).body.state === "finished");
  const [key] = (await admin.get(`/api/admin/search?q=${text}`)).body.keys;
  return { ...key, importId };
}

const replace = ({ id }: Sold, by: Client = reseller) =>
  by.post(`/api/${by === admin ? "admin" : "reseller"}/keys/${id}/replace`, {});
const connect = (keyString: string, deviceId: string) =>
  newClient().post("/api/verify", { key: keyString, deviceId, game });
const detailOf = async ({ id }: Sold) => (await admin.get(`/api/admin/keys/${id}/details`)).body;
const expiryOf = async (key: Sold) => Date.parse((await detailOf(key)).expiryDate);
const creditsOf = async () => (await reseller.get("/api/reseller/profile")).body.credits;
const endOf = ({ status, body }: ApiResponse) => body.code ?? status;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

/** Once the intervention or its undoing has ended. */
async function ended(id: number, response: ApiResponse): Promise<ApiResponse> {
  const stateOf = (body: { id: number; state: string }[]) => body.find((each) => each.id === id)?.state;
  const states = ["finished", "undone"];
  await until(async () => states.includes(stateOf((await admin.get("/api/admin/interventions")).body) ?? ""));
  return response;
}

async function compensate({ orderId }: Sold): Promise<ApiResponse> {
  const form = { kind: "compensate", scope: { orderId }, hours, reason: "Outage", dryRun: false };
  const started = await admin.post("/api/admin/interventions", form);
  return ended(started.body.id, started);
}

interface Race {
  /** Something that the other calls need, made before. */
  prepare?: (key: Sold) => Promise<string>;
  beside: (key: Sold, prepared: string) => Promise<ApiResponse[]>;
  /** How each of these may end, in any mix. */
  ends: unknown[];
  /** How many hours the key gains, and credits the reseller. */
  gains?: { hours?: number; credits?: number };
  /** How the replacement may end, if not by a 200. */
  refusals?: unknown[];
}

const races: Record<string, Race> = {
  "verifications by the old text connect nothing": {
    beside: ({ keyString }) => parallel(6, (index) => connect(keyString, `phone-${index}`)),
    ends: ["VALID", "DEVICE_LIMIT_REACHED", "REVOKED"],
  },
  "players' releases free nothing with the old text": {
    prepare: async ({ keyString }) => {
      await connect(keyString, "phone");
      return (await connect(keyString, "tablet")).body.release.devices[0].ref;
    },
    beside: ({ keyString: key }, ref) => parallel(2, () => newClient().post("/api/verify/release", { key, game, ref })),
    ends: [200, "KEY_NOT_ACTIVE", "DEVICE_NOT_FOUND"],
  },
  "a refund is paid once": {
    beside: ({ id }) => parallel(2, () => reseller.post(`/api/reseller/keys/${id}/revoke`)),
    ends: [200, "KEY_ALREADY_REVOKED"],
    gains: { credits: 3 },
    refusals: ["KEY_ALREADY_REVOKED"],
  },
  "an extension adds its hours once": {
    beside: async ({ id }) => [await admin.post(`/api/admin/keys/${id}/extend`, { hours })],
    ends: [200],
    gains: { hours },
  },
  "other replacements each leave a text": {
    beside: (key) => parallel(2, (index) => replace(key, index === 0 ? reseller : admin)),
    ends: [200],
  },
  "an intervention reaches it once": {
    beside: async (key) => [await compensate(key)],
    ends: [202],
    gains: { hours },
  },
  "the undoing of an intervention reaches it once": {
    prepare: async (key) => (await compensate(key)).body.id,
    beside: async (_, id) => [await ended(Number(id), await admin.post(`/api/admin/interventions/${id}/undo`))],
    ends: [202],
    gains: { hours: -hours },
  },
};

describe("of a key that is replaced at the same time,", () => {
  test.each(Object.keys(races))("%s", async (name) => {
    const { prepare, beside, ends, gains = {}, refusals = [] } = races[name] as Race;
    for (let round = 0; round < rounds; round += 1) {
      const key = await buy();
      const prepared = (await prepare?.(key)) ?? "";
      const before = { expiry: await expiryOf(key), credits: await creditsOf() };
      const first = round % 2 === 0 ? replace(key) : null;
      const others = beside(key, prepared);
      const replaced = await (first ?? replace(key));
      expect([200, ...refusals]).toContain(endOf(replaced));
      if (replaced.status === 200) {
        expect((await connect(key.keyString, "late")).body).toMatchObject({ code: "REVOKED", currentDevices: 0 });
        expect((await detailOf(key)).devices).toEqual([]);
      }
      for (const response of await others) expect(ends).toContain(endOf(response));
      const { devices, keyString, expiryDate } = await detailOf(key);
      expect(devices).toEqual([]);
      const listed = (await reseller.get("/api/reseller/keys")).body;
      const old = listed.filter(({ replacedBy }: { replacedBy: number | null }) => replacedBy === key.id);
      const told = [replaced, ...(await others)].flatMap(({ body }) => body.key?.keyString ?? []);
      const texts = [keyString, ...old.map((each: Sold) => each.keyString)];
      expect(texts.sort()).toEqual([...new Set([key.keyString, ...told])].sort());
      expect(Date.parse(expiryDate) - before.expiry).toBe((gains.hours ?? 0) * 3_600_000);
      expect((await creditsOf()) - before.credits).toBe(gains.credits ?? 0);
    }
  });

  test("the undoing of its import deletes it, or is refused", async () => {
    for (let round = 0; round < rounds; round += 1) {
      const text = `BROUGHT-${round}`;
      const { importId, ...key } = await bring(text);
      const calls = [() => replace(key), () => admin.post(`/api/admin/imports/${importId}/undo`)];
      const ends = (await parallel(2, (index) => (calls[(index + round) % 2] as () => Promise<ApiResponse>)())).map(
        endOf,
      );
      const [replaced, undone] = round % 2 === 0 ? ends : ends.toReversed();
      expect([
        [200, "IMPORT_IN_USE"],
        ["NOT_FOUND", 200],
      ]).toContainEqual([replaced, undone]);
      const found = async () => (await admin.get(`/api/admin/search?q=${text}`)).body.keys.length;
      if (undone === 200) await until(async () => (await found()) === 0);
      expect(await found()).toBe(undone === 200 ? 0 : 1);
    }
  });
});

test("once a block is acknowledged, a device that was connecting at the same time is on none of its keys", async () => {
  const keys = await parallel(40, buy);
  for (let round = 0; round < rounds; round += 1) {
    const [by, role] = round % 2 === 0 ? [reseller, "reseller"] : [admin, "admin"];
    const deviceId = `blocked-${round}`;
    const block = () => by.post(`/api/${role}/blocked-devices`, { deviceId, reason: "Key resold" });
    // So that the block is written after some of them were read and before they connect.
    const connecting = parallel(keys.length, async (index) => {
      for (let turn = 0; turn < index; turn += 1) await new Promise(setImmediate);
      // Again, so that the key is cached with the device.
      await connect(keys[index]?.keyString ?? "", deviceId);
      return connect(keys[index]?.keyString ?? "", deviceId);
    });
    expect((await block()).status).toBe(201);
    const isOnNone = async () => {
      for (const key of keys) expect((await detailOf(key)).devices).toEqual([]);
    };
    await isOnNone();
    for (const { body } of await connecting) expect(["VALID", "DEVICE_BLOCKED"]).toContain(body.code);
    await isOnNone();
    for (const { keyString } of keys)
      expect((await connect(keyString, deviceId)).body).toMatchObject({ code: "DEVICE_BLOCKED", currentDevices: 0 });
  }
});
