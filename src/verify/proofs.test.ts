import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { testServer } from "../../tests/database.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { bindFor, newNonce, readProof } from "../../tests/read-proof.ts";
import { msPerDay, msPerHour } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
let game: Client;

beforeAll(async () => {
  panel = await openPanel();
  await panel.server.signingKeys.makeFirst();
  admin = await signInAdmin(panel.newClient);
  game = panel.newClient();
});
afterAll(() => panel.close());

const name = "FREE FIRE";
const hour = 3_600;
const now = () => Math.floor(panel.clock.now / 1_000);

let serial = 0;
async function newKey(over: object = {}): Promise<{ id: number; keyString: string; until: number }> {
  serial += 1;
  const expiry = panel.clock.now + 30 * msPerDay + 999;
  const order = { game: name, deviceLimit: 1, expiryDate: new Date(expiry).toISOString(), count: 1 };
  const keyString = `Proof-${serial}-abcdefgh`;
  const { body } = await admin.post("/api/admin/keys/generate", { ...order, keyString, ...over });
  return { ...body.keys[0], until: Math.floor(expiry / 1_000) };
}

const ask = (key: string, over: object = {}) =>
  game.post("/api/verify", { key, game: name, deviceId: "phone", nonce: newNonce(), ...over });
const look = (key: string, deviceId = "phone", nonce = newNonce()) =>
  game.get(`/api/verify/${encodeURIComponent(key)}/${encodeURIComponent(name)}/${deviceId}?nonce=${nonce}`);

async function payloadIn({ proof }: { proof?: string }) {
  return readProof(proof, (await game.get("/.well-known/latchkey-keys")).body.keys);
}

describe("with a nonce", () => {
  test("a verdict is signed with the active key, and the proof repeats it in seconds", async () => {
    const { keyString, until } = await newKey({ deviceLimit: 2 });
    const nonce = newNonce();
    const { body } = await ask(keyString, { nonce });
    const { keys } = (await game.get("/.well-known/latchkey-keys")).body;
    expect(keys.map(({ state }: { state: string }) => state)).toEqual(["active", "next"]);
    expect(readProof(body.proof, keys)).toEqual({
      ...{ kid: keys[0].kid, n: nonce, bind: bindFor(name, keyString.toUpperCase(), "phone") },
      ...{ valid: true, code: "VALID", iat: now(), exp: now() + 24 * hour, until, limit: 2, used: 1 },
    });
    expect(Object.keys(JSON.parse(Buffer.from(body.proof.split(".")[2], "base64url").toString()))).toEqual(
      "n bind valid code iat exp until limit used".split(" "),
    );
    const [changed] = body.proof.split(".").slice(2);
    expect(readProof(body.proof.replace(changed, `${changed.slice(0, -2)}AA`), keys)).toBeNull();
  });

  test("both forms are signed, from memory too, and only a connected device may play offline", async () => {
    const { keyString, until } = await newKey();
    expect(await payloadIn((await look(keyString)).body)).toMatchObject({ valid: true, exp: null, until, used: 0 });
    for (const _ of [1, 2, 3]) {
      const { body } = await ask(keyString);
      expect(await payloadIn(body)).toMatchObject({ valid: true, exp: now() + 24 * hour, used: 1 });
    }
    const { body } = await look(keyString);
    expect(Object.keys(body).at(-1)).toBe("proof");
    expect(await payloadIn(body)).toMatchObject({ valid: true, exp: now() + 24 * hour, used: 1 });
    const other = await ask(keyString, { deviceId: "tablet" });
    expect(await payloadIn(other.body)).toMatchObject({ valid: false, code: "DEVICE_LIMIT_REACHED", exp: null, until });
  });

  test("a proof ends with the key", async () => {
    const expiryDate = new Date(panel.clock.now + 5 * msPerHour).toISOString();
    const { keyString } = await newKey({ expiryDate });
    expect(await payloadIn((await ask(keyString)).body)).toMatchObject({ exp: now() + 5 * hour });
    panel.clock.now += 5 * msPerHour;
    const { body } = await ask(keyString);
    expect(await payloadIn(body)).toMatchObject({ valid: false, code: "EXPIRED", exp: null, until: now() });
  });

  test("the lease is the game's, from memory too, and 0 gives no time offline", async () => {
    const { keyString } = await newKey();
    for (const leaseHours of [24, 168, 0, 1]) {
      expect((await admin.call("PUT", "/api/admin/games/3", { leaseHours })).status).toBe(200);
      const exp = leaseHours === 0 ? null : now() + leaseHours * hour;
      for (const _ of [1, 2]) expect(await payloadIn((await ask(keyString)).body)).toMatchObject({ valid: true, exp });
    }
    await admin.call("PUT", "/api/admin/games/3", { leaseHours: 24 });
  });

  test("refusals are signed too, each without a time offline", async () => {
    const missing = (await ask("NO-SUCH-KEY-OF-OURS")).body;
    expect(await payloadIn(missing)).toMatchObject({
      ...{ valid: false, code: "NOT_FOUND", exp: null, until: null, limit: null, used: null },
    });
    const { id, keyString, until } = await newKey();
    await ask(keyString);
    await admin.call("PUT", "/api/admin/games/3", { maintenance: "Back soon.", minimumVersion: "2" });
    expect(await payloadIn((await ask(keyString)).body)).toMatchObject({ code: "MAINTENANCE", exp: null, until });
    await admin.call("PUT", "/api/admin/games/3", { maintenance: null });
    const old = await ask(keyString, { version: "1.9" });
    expect(await payloadIn(old.body)).toMatchObject({ code: "UPDATE_REQUIRED", exp: null, until });
    await admin.call("PUT", "/api/admin/games/3", { minimumVersion: null });
    await admin.post(`/api/admin/keys/${id}/pause`);
    expect(await payloadIn((await ask(keyString)).body)).toMatchObject({ code: "PAUSED", exp: null, until: null });
    await admin.call("DELETE", `/api/admin/keys/${id}`);
    expect(await payloadIn((await ask(keyString)).body)).toMatchObject({ code: "REVOKED", exp: null, until });
  });

  test("a proof is bound to the texts as they were sent, apart from the key's spaces and a to z", async () => {
    const { keyString } = await newKey();
    const bindOf = async (key: string, over: { game?: string; deviceId?: string } = {}) =>
      (await payloadIn((await ask(key, over)).body))?.bind;
    const upper = keyString.toUpperCase();
    for (const key of [keyString, ` \t\r\n${upper}\n `]) expect(await bindOf(key)).toBe(bindFor(name, upper, "phone"));
    expect(await bindOf(keyString, { game: "free fire" })).toBe(bindFor("free fire", upper, "phone"));
    // The same key for us, but not for a client that knows nothing of Unicode.
    const dashed = upper.replaceAll("-", "–");
    expect(await bindOf(dashed)).toBe(bindFor(name, dashed, "phone"));
    expect(await bindOf(`\u00a0${upper}`)).toBe(bindFor(name, `\u00a0${upper}`, "phone"));
    expect(await bindOf(`${upper}é`, { deviceId: "télé" })).toBe(bindFor(name, `${upper}é`, "télé"));
    const path = `/api/verify/${encodeURIComponent(` ${keyString}`)}/free%20fire/t%C3%A9l%C3%A9?nonce=${newNonce()}`;
    expect((await payloadIn((await game.get(path)).body))?.bind).toBe(bindFor("free fire", upper, "télé"));
  });
});

test("without a nonce the verdict is the same, without a proof", async () => {
  const { keyString } = await newKey();
  const { proof, ...verdict } = (await ask(keyString)).body;
  expect(proof).toStartWith("lk1.");
  expect(JSON.stringify((await ask(keyString, { nonce: undefined })).body)).toBe(JSON.stringify(verdict));
});

// PostgreSQL has no key cache.
if (!testServer) {
  test("without a nonce, a key in memory gets its verdict at once: no statement, no await", async () => {
    const { keyString } = await newKey();
    await ask(keyString);
    await ask(keyString);
    const request = { key: keyString, game: name, deviceId: "phone" };
    const verdict = panel.server.verification.verify(request, () => "192.0.2.1");
    // A promise has no such properties.
    expect(verdict).toMatchObject({ valid: true, code: "VALID" });
  });
}

test("a nonce is 22 characters of canonical base64url, or left out", async () => {
  const { keyString } = await newKey();
  const wrong = ["short", `${newNonce()}A`, `${newNonce().slice(0, 21)}=`, `${newNonce().slice(0, 21)}+`];
  wrong.push(`${newNonce().slice(0, 21)}B`);
  for (const nonce of [...wrong, 7, [newNonce()]]) {
    const { status, body } = await ask(keyString, { nonce });
    expect([nonce, status, body.valid, body.errors[0].path]).toEqual([nonce, 422, false, "nonce"]);
  }
  for (const nonce of wrong.map(encodeURIComponent)) {
    expect([nonce, (await look(keyString, "phone", nonce)).status]).toEqual([nonce, 422]);
  }
  const without = [await ask(keyString, { nonce: "" }), await ask(keyString, { nonce: null })];
  for (const { status, body } of [...without, await look(keyString, "phone", "")])
    expect([status, body.code, "proof" in body]).toEqual([200, "VALID", false]);
});
