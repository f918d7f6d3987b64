import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { msPerDay, msPerHour } from "../../src/core/clock.ts";
import {
  type Client,
  createApiKey,
  createClient,
  type ResellerClient,
  registerReseller,
  signInAdmin,
  withApiKey,
} from "../client.ts";
import { makePostgresDatabase, testServer } from "../database.ts";
import { connectLive } from "../live-socket.ts";
import { parallel } from "../parallel.ts";
import { type Latchkey, runLatchkey, sharedSecret, startLatchkey } from "../process.ts";
import { newNonce, type Pin, readProof } from "../read-proof.ts";

/** How often each race runs. `RACES=50` gives the figures of docs/scaling.md. */
const races = Number(process.env.RACES ?? 3);

let here: Latchkey;
let there: Latchkey;
let admin: Client;
let drop: () => Promise<void>;
let environmentOfBoth: Record<string, string>;
let sql: Bun.SQL;
const newClient = () => createClient(here.url);

beforeAll(async () => {
  const postgres = await makePostgresDatabase(testServer as string);
  drop = postgres.drop;
  sql = new SQL(postgres.url, { max: 1 });
  const environment = { DATABASE_URL: postgres.url, SECRET: sharedSecret };
  environmentOfBoth = environment;
  [here, there] = await Promise.all([startLatchkey({ environment }), startLatchkey({ environment })]);
  admin = await signInAdmin(newClient);
});
afterAll(async () => {
  await Promise.all([here.stop(), there.stop(), sql.close()]);
  await drop();
});

/** The same session on the other process. */
function at(latchkey: Latchkey, client: Client): Client {
  const other = createClient(latchkey.url);
  const call: Client["call"] = (method, path, body, headers) =>
    other.call(method, path, body, { ...headers, cookie: client.cookie() });
  return {
    ...other,
    call,
    get: (path) => call("GET", path),
    post: (path, body, headers) => call("POST", path, body, headers),
  };
}

/** Alternates between the processes. */
const either = (index: number) => (index % 2 === 0 ? here : there);

let names = 0;
let reseller: ResellerClient;
beforeEach(async () => {
  names += 1;
  reseller = await registerReseller(newClient, admin, { username: `seller${names}`, credits: 7 });
});

test("signing in or out on one process takes effect on the other", async () => {
  expect((await at(there, reseller).get("/api/reseller/profile")).status).toBe(200);
  const cookie = reseller.cookie();
  const asBefore = () => createClient(there.url).call("GET", "/api/reseller/profile", undefined, { cookie });
  expect((await asBefore()).status).toBe(200);
  expect((await reseller.post("/api/auth/logout")).status).toBe(200);
  expect((await asBefore()).status).toBe(401);
});

test("a suspension on one process reaches open pages and requests on the other", async () => {
  const socket = await connectLive(there.url, { cookie: reseller.cookie(), origin: there.url });
  socket.send({ type: "auth", resellerId: reseller.id });
  expect(await socket.next()).toEqual({ type: "auth_success" });
  await admin.post(`/api/admin/resellers/${reseller.id}/toggle-status`, { isActive: false });
  expect(await socket.next()).toMatchObject({ type: "status_change", isActive: false });
  expect((await at(there, reseller).get("/api/reseller/profile")).status).toBe(401);
  socket.close();
});

test("an API key at its daily limit spends exactly the limit on both processes, and is refused by both once deleted", async () => {
  await admin.post("/api/admin/resellers/credits", { resellerId: reseller.id, amount: 100 });
  const key = await createApiKey(reseller, "reseller", { scopes: ["keys:order"], creditsPerDay: 6 });
  const program = (index: number) => withApiKey(createClient(either(index).url), key);
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => program(index).post("/api/reseller/keys/generate", order)),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(6);
  expect(new Set(responses.map(({ body }) => body.code))).toEqual(new Set([undefined, "CREDITS_PER_DAY_SPENT"]));
  expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(101);
  const [{ id }] = (await reseller.get("/api/reseller/api-keys")).body;
  await reseller.call("DELETE", `/api/reseller/api-keys/${id}`);
  for (const index of [0, 1]) expect((await program(index).get("/api/catalogue")).body.code).toBe("API_KEY_UNKNOWN");
});

test("an order with an externalId is bought once on both processes", async () => {
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1, externalId: "INV-1" };
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => at(either(index), reseller).post("/api/reseller/keys/generate", order)),
  );
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(6);
});

test("a key revoked on one process is refused by the other at the next call", async () => {
  const { key, question } = await keyOf(5);
  const ask = (latchkey: Latchkey) =>
    createClient(latchkey.url).post("/api/verify", { ...question, deviceId: "phone" });
  expect((await ask(there)).body.valid).toBe(true);
  await admin.call("DELETE", `/api/admin/keys/${key.id}`);
  expect((await ask(there)).body).toMatchObject({ valid: false, code: "REVOKED" });
});

test("while the signing key is rotated, a game that pins two keys accepts the proofs of both processes", async () => {
  const keysOf = async (latchkey: Latchkey): Promise<(Pin & { state: string })[]> =>
    (await createClient(latchkey.url).get("/.well-known/latchkey-keys")).body.keys;
  const pins = await keysOf(here);
  // Both started at once, and made one pair of keys.
  expect([pins.map(({ state }) => state), await keysOf(there)]).toEqual([["active", "next"], pins]);
  const [before, after] = pins.map(({ kid }) => kid);
  const { question } = await keyOf(5);
  const signers = async (): Promise<(string | undefined)[]> =>
    Promise.all(
      [here, there].map(async ({ url }) => {
        const asked = { ...question, deviceId: "phone", nonce: newNonce() };
        const { body } = await createClient(url).post("/api/verify", asked);
        const proof = readProof(body.proof, pins);
        return proof?.n === asked.nonce && proof?.valid ? proof.kid : undefined;
      }),
    );
  expect(await signers()).toEqual([before, before]);
  const promoted = runLatchkey(["keys", "promote", after as string], { environment: environmentOfBoth });
  const lateAt = performance.now() + 20_000;
  let now = await signers();
  while (now.some((kid) => kid !== after)) {
    for (const kid of now) expect([before, after]).toContain(kid);
    expect(performance.now()).toBeLessThan(lateAt);
    now = await signers();
  }
  expect((await promoted).code).toBe(0);
});

test("a device whose row cannot be inserted gets no valid verdict", async () => {
  const { key, question } = await keyOf(1);
  // No other unit can run between the conditions and the insert. If that were broken, the server must respond with an
  // error.
  await sql.unsafe(`CREATE FUNCTION leave_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  await sql.unsafe(`CREATE TRIGGER left_out BEFORE INSERT ON key_devices FOR EACH ROW EXECUTE FUNCTION leave_out()`);
  const { body } = await createClient(here.url).post("/api/verify", { ...question, deviceId: "phone" });
  await sql.unsafe("DROP TRIGGER left_out ON key_devices");
  expect(body).toMatchObject({ valid: false, code: "FAULT" });
  expect((await admin.get(`/api/admin/keys/${key.id}/details`)).body.devices).toEqual([]);
});

describe("across both", () => {
  test(`of 100 devices that race for the last slot one connects, ${races} times`, async () => {
    for (let race = 0; race < races; race += 1) {
      const { key, question } = await keyOf(1);
      const responses = await parallel(100, (index) =>
        createClient(either(index).url).post("/api/verify", { ...question, deviceId: `phone-${index}` }),
      );
      expect(responses.filter(({ body }) => body.valid)).toHaveLength(1);
      expect((await admin.get(`/api/admin/keys/${key.id}/details`)).body.devices).toHaveLength(1);
    }
  }, 300_000);

  test("a device that one blocks while the other connects it is not connected afterwards", async () => {
    await sql.unsafe(`
      CREATE FUNCTION connect_slowly() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END';
      CREATE TRIGGER slowly AFTER INSERT ON key_devices FOR EACH ROW EXECUTE FUNCTION connect_slowly()`);
    const { key, question } = await keyOf(5);
    for (let race = 0; race < races; race += 1) {
      const deviceId = `blocked-${race}`;
      const connected = createClient(there.url).post("/api/verify", { ...question, deviceId });
      const isSleeping = async () =>
        (await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'`).length > 0;
      while (!(await isSleeping())) await Bun.sleep(5);
      const { status } = await admin.post("/api/admin/blocked-devices", { deviceId, reason: "Key resold" });
      expect([status, (await connected).body.code]).toEqual([201, "DEVICE_BLOCKED"]);
    }
    await sql.unsafe("DROP TRIGGER slowly ON key_devices");
    expect((await admin.get(`/api/admin/keys/${key.id}/details`)).body.devices).toEqual([]);
  });

  test("of 40 purchases with credits for 7 keys, exactly 7 succeed", async () => {
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
    const responses = await parallel(40, (index) =>
      at(either(index), reseller).post("/api/reseller/keys/generate", order),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(7);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(33);
    expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(0);
  });

  test("of 10 people who register with one token, one gets an account and the bonus", async () => {
    const referralToken = (await admin.post("/api/admin/tokens/generate", { credits: 10 })).body.token.token;
    const responses = await parallel(10, (index) =>
      createClient(either(index).url).post("/api/auth/reseller/register", {
        ...{ username: `racer${index}`, password: "secret1", referralToken },
      }),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    const found = (await admin.get("/api/admin/resellers?search=racer")).body;
    expect(found.map(({ credits }: { credits: number }) => credits)).toEqual([10]);
  });

  test("one Idempotency-Key sent 20 times is charged once, with one response", async () => {
    const order = { game: "FREE FIRE", deviceLimit: 1, days: 30, count: 1 };
    const responses = await parallel(20, (index) =>
      at(either(index), reseller).post("/api/reseller/keys/generate", order, { "idempotency-key": "order-1" }),
    );
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await reseller.get("/api/reseller/profile")).body.credits).toBe(4);
  });

  test("two compensations that start at the same time both change each key exactly once", async () => {
    const keys = await adminKeys(100);
    const sent = await parallel(2, (index) =>
      at(either(index), admin).post("/api/admin/interventions", { ...compensation, hours: 1 + index }),
    );
    const ids = sent.map(({ body }) => body.id);
    await until(async () => (await statesOf(admin, ids)).every((state) => state === "finished"));
    expect(await givenMs(admin, keys)).toEqual(new Set([3 * msPerHour]));
  });
});

test("an intervention of a process that is killed is finished by another, with each key changed exactly once", async () => {
  const killed = await startLatchkey({ environment: environmentOfBoth });
  const keys = await adminKeys(1_000);
  const { body } = await at(killed, admin).post("/api/admin/interventions", compensation);
  const done = async () =>
    (await sql<{ done: number }[]>`SELECT done_count AS done FROM interventions WHERE id = ${body.id}`)[0]?.done ?? 0;
  await until(async () => Number(await done()) > 0);
  await killed.kill();
  expect(Number(await done())).toBeLessThan(body.count);
  await until(async () => (await statesOf(admin, [body.id]))[0] === "finished");
  expect(Number(await done())).toBe(body.count);
  expect(await givenMs(admin, keys)).toEqual(new Set([msPerHour]));
}, 60_000);

const compensation = { kind: "compensate", scope: { all: true }, hours: 1, reason: "Outage", dryRun: false };

interface Made {
  id: number;
  expiryDate: string;
}

async function adminKeys(count: number): Promise<Made[]> {
  const expiryDate = new Date(Date.now() + msPerDay).toISOString();
  const order = { game: "FREE FIRE", deviceLimit: 1, expiryDate, count: 100 };
  const keys: Made[] = [];
  while (keys.length < count) keys.push(...(await admin.post("/api/admin/keys/generate", order)).body.keys);
  return keys;
}

async function statesOf(client: Client, ids: number[]): Promise<string[]> {
  const { body } = await client.get("/api/admin/interventions");
  return body.filter(({ id }: { id: number }) => ids.includes(id)).map(({ state }: { state: string }) => state);
}

/** By how much the expiries have moved. */
async function givenMs(client: Client, keys: Made[]): Promise<Set<number>> {
  const { body } = await client.get("/api/admin/keys/manage");
  const expiries = new Map<number, string>(body.keys.map(({ id, expiryDate }: Made) => [id, expiryDate]));
  return new Set(keys.map(({ id, expiryDate }) => Date.parse(expiries.get(id) ?? "") - Date.parse(expiryDate)));
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

test("a process killed during purchases loses nothing that was acknowledged, and the other keeps running", async () => {
  const { url, drop: dropOwn } = await makePostgresDatabase(testServer as string);
  const environment = { DATABASE_URL: url, SECRET: sharedSecret };
  const [killed, other] = await Promise.all([startLatchkey({ environment }), startLatchkey({ environment })]);
  const boss = await signInAdmin(() => createClient(killed.url));
  const buyer = await registerReseller(() => createClient(killed.url), boss, { username: "buyer", credits: 500 });
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };
  let acknowledged = 0;
  await parallel(60, async () => {
    // Calls in flight at the kill get no response.
    const response = await buyer.post("/api/reseller/keys/generate", order).catch(() => null);
    acknowledged += response?.status === 201 ? 1 : 0;
    if (acknowledged === 20) await killed.kill();
  });
  const survivor = at(other, buyer);
  const keys = (await survivor.get("/api/reseller/keys")).body.length;
  expect(keys).toBeGreaterThanOrEqual(acknowledged);
  expect((await survivor.get("/api/reseller/profile")).body.credits).toBe(500 - keys);
  expect((await survivor.post("/api/reseller/keys/generate", order)).status).toBe(201);
  await killed.stop();
  await other.stop();
  await dropOwn();
});

async function keyOf(deviceLimit: number) {
  const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
  const order = { game: "FREE FIRE", deviceLimit, expiryDate, count: 1 };
  const [key] = (await admin.post("/api/admin/keys/generate", order)).body.keys;
  return { key, question: { key: key.keyString, game: "FREE FIRE" } };
}
