import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { adminLogin, type Latchkey, startLatchkey } from "../process.ts";

/** Guesses at keys, ten times as many as at passwords; `GUESSES` makes the attack longer. */
const guesses = Number(process.env.GUESSES ?? 2_000);
const keysAtOnce = 50;
/** Fewer than may wait at the hash: who is told to come back has not tried. */
const passwordsAtOnce = 8;

const wrong = { password: "wrong-password" };
const owner = "203.0.113.7";
const oneAddress = () => "198.51.100.1";
const thousandAddresses = (index: number) => `10.1.${index % 250}.${Math.floor(index / 250) % 4}`;

/** An attacker with many machines: each guesses a hundred times, and 20 of those are answered. */
const guessers = guesses / 100;
const answeredOfEach = 20;

/** Sends everything, so many at a time, and answers how often each status came. */
async function attack(count: number, atOnce: number, send: (index: number) => Promise<{ status: number }>) {
  const seen: Record<number, number> = {};
  let next = 0;
  const sender = async () => {
    for (let index = next++; index < count; index = next++) {
      const { status } = await send(index);
      seen[status] = (seen[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return seen;
}

/** Behind a proxy that is named, everybody has the address that the proxy says; behind one that is not, the proxy's. */
describe.each([
  { behind: "a proxy that is named", TRUSTED_PROXIES: "127.0.0.1" },
  { behind: "a proxy that nobody named", TRUSTED_PROXIES: "" },
])("behind $behind", ({ TRUSTED_PROXIES }) => {
  const isNamed = TRUSTED_PROXIES !== "";
  let latchkey: Latchkey;
  let admin: Client;
  const newClient = () => createClient(latchkey.url);
  const from = (address: string) => ({ "x-forwarded-for": address });

  const signIn = (address: string, form: object = {}) =>
    newClient().post("/api/auth/admin/login", { ...adminLogin, ...form }, from(address));
  const verify = (address: string, key: string, deviceId = "guesser") =>
    newClient().post("/api/verify", { key, deviceId, game: "FREE FIRE" }, from(address));

  beforeAll(async () => {
    latchkey = await startLatchkey({ environment: { TRUSTED_PROXIES, RATE_LIMITS: "on" } });
    await signIn(owner);
    admin = await signInAdmin(newClient);
    const expiryDate = new Date(Date.now() + 86_400_000).toISOString();
    for (const keyString of ["AB12", "LONG-ENOUGH-KEY"]) {
      await admin.post("/api/admin/keys/generate", {
        game: "FREE FIRE",
        deviceLimit: 2,
        expiryDate,
        keyString,
        count: 1,
      });
    }
    await verify(owner, "AB12", "phone");
  });
  afterAll(() => latchkey.stop());

  test(`of ${guesses} guesses at short keys 20 are answered, none of them takes a slot, and players play on`, async () => {
    const seen = await attack(guesses, keysAtOnce, (index) => {
      // The key that is guessed comes last, when it would have been found.
      const key = index < guesses - keysAtOnce ? `G${index.toString(36)}` : "AB12";
      return verify(oneAddress(), key);
    });
    expect(seen).toEqual({ 200: 20, 429: guesses - 20 });
    expect((await verify(oneAddress(), "AB12", "phone")).body.code).toBe("VALID");
    expect((await verify(oneAddress(), "LONG-ENOUGH-KEY", "phone")).body.code).toBe("VALID");
    const { keys } = (await admin.get("/api/admin/keys/manage?search=AB12")).body;
    expect(keys[0].deviceCount).toBe(1);
  }, 300_000);

  test(`of ${guesses} guesses at short keys from ${guessers} addresses ${isNamed ? answeredOfEach : 0} of each are answered`, async () => {
    const seen = await attack(guesses, keysAtOnce, (index) =>
      verify(thousandAddresses(index % guessers), index < guesses - keysAtOnce ? `H${index.toString(36)}` : "AB12"),
    );
    const answered = guessers * answeredOfEach;
    expect(seen).toEqual(isNamed ? { 200: answered, 429: guesses - answered } : { 429: guesses });
    const { keys } = (await admin.get("/api/admin/keys/manage?search=AB12")).body;
    expect(keys[0].deviceCount).toBe(1);
  }, 300_000);

  const passwords = guesses / 10;
  const lookedAt = (count: number): Record<number, number> =>
    count === 0 ? { 429: passwords } : { 401: count, 429: passwords - count };

  test(`of ${passwords} wrong passwords for one account from 1,000 addresses ${isNamed ? 10 : 30} are looked at`, async () => {
    const seen = await attack(passwords, passwordsAtOnce, (index) => signIn(thousandAddresses(index), wrong));
    expect(seen).toEqual(lookedAt(isNamed ? 10 : 30));
    if (isNamed) expect((await signIn(owner)).status).toBe(200);
    expect((await admin.get("/api/admin/stats")).status).toBe(200);
  }, 300_000);

  test(`of ${passwords} wrong passwords for many names from one address 60 are looked at`, async () => {
    const seen = await attack(passwords, passwordsAtOnce, (index) =>
      signIn(oneAddress(), { ...wrong, username: `name-${index}` }),
    );
    expect(seen).toEqual(lookedAt(60));
    expect((await admin.get("/api/admin/stats")).status).toBe(200);
  }, 300_000);

  test(`of ${passwords} wrong passwords from the owner's own address 30 are looked at, once`, async () => {
    const seen = await attack(passwords, passwordsAtOnce, () => signIn(owner, wrong));
    expect(seen).toEqual(lookedAt(isNamed ? 30 : 0));
  }, 300_000);
});
