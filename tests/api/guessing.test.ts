import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient, signInAdmin } from "../client.ts";
import { adminLogin, type Latchkey, startLatchkey } from "../process.ts";

/** The number of guessed keys, ten times the number of guessed passwords. `GUESSES` makes the attack longer. */
const guesses = Number(process.env.GUESSES ?? 2_000);
const keysAtOnce = 50;
/** Fewer than may wait for a hash. */
const passwordsAtOnce = 8;

const generated = "FIRE-7K2M9-QX4RT-B8W1Z";
const wrong = { password: "wrong-password" };
const owner = "203.0.113.7";
const oneAddress = () => "198.51.100.1";
const thousandAddresses = (index: number) => `10.1.${index % 250}.${Math.floor(index / 250) % 4}`;

/** An attacker with many machines. Each guesses a hundred times, and 20 of those guesses get a verdict. */
const guessers = guesses / 100;
const verdictsPerAddress = 20;

/** Sends all requests, `atOnce` at a time, and counts the statuses. */
async function attack(count: number, atOnce: number, send: (index: number) => Promise<{ status: number }>) {
  const statuses: Record<number, number> = {};
  let next = 0;
  const sender = async () => {
    for (let index = next++; index < count; index = next++) {
      const { status } = await send(index);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return statuses;
}

/**
 * Behind a trusted proxy, clients have the address that it reports. Behind another proxy, all have the proxy's address.
 */
describe.each([
  { behind: "a trusted proxy", TRUSTED_PROXIES: "127.0.0.1" },
  { behind: "an untrusted proxy", TRUSTED_PROXIES: "" },
])("behind $behind", ({ TRUSTED_PROXIES }) => {
  const isTrusted = TRUSTED_PROXIES !== "";
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
    for (const keyString of ["AB12", generated]) {
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

  test(`of ${guesses} guessed keys 20 get a verdict, none takes a slot, and players are unaffected`, async () => {
    const statuses = await attack(guesses, keysAtOnce, (index) => {
      // The real key comes last.
      const key = index < guesses - keysAtOnce ? `G${index.toString(36)}` : "AB12";
      return verify(oneAddress(), key);
    });
    expect(statuses).toEqual({ 200: 20, 429: guesses - 20 });
    expect((await verify(oneAddress(), "AB12", "phone")).body.code).toBe("VALID");
    expect((await verify(oneAddress(), generated, "phone")).body.code).toBe("VALID");
    const { keys } = (await admin.get("/api/admin/keys/manage?search=AB12")).body;
    expect(keys[0].deviceCount).toBe(1);
  }, 300_000);

  test(`of ${guesses} guessed keys from ${guessers} addresses ${isTrusted ? verdictsPerAddress : 0} per address get a verdict`, async () => {
    const statuses = await attack(guesses, keysAtOnce, (index) =>
      verify(thousandAddresses(index % guessers), index < guesses - keysAtOnce ? `H${index.toString(36)}` : "AB12"),
    );
    const answered = guessers * verdictsPerAddress;
    expect(statuses).toEqual(isTrusted ? { 200: answered, 429: guesses - answered } : { 429: guesses });
    const { keys } = (await admin.get("/api/admin/keys/manage?search=AB12")).body;
    expect(keys[0].deviceCount).toBe(1);
  }, 300_000);

  test(`of ${guesses} guessed keys from 1,000 networks of one IPv6 /48 ${isTrusted ? 320 : 0} get a verdict`, async () => {
    const statuses = await attack(guesses, keysAtOnce, (index) =>
      verify(`2001:db8:1:${((index % 1_000) * 64).toString(16)}::1`, `I${index.toString(36)}`),
    );
    expect(statuses).toEqual(isTrusted ? { 200: 320, 429: guesses - 320 } : { 429: guesses });
  }, 300_000);

  const lookups = guesses / 5;

  test(`of ${lookups} keys guessed in turn at verification, release and /k ${isTrusted ? 20 : 0} are looked up`, async () => {
    const guesser = newClient();
    const another = from("198.51.100.2");
    const page = { ...another, "content-type": "application/x-www-form-urlencoded" };
    const game = "FREE FIRE";
    const statuses = await attack(lookups, keysAtOnce, async (index) => {
      // The real key comes last.
      const key = index < lookups - keysAtOnce ? `J${index.toString(36)}` : "AB12";
      if (index % 3 === 0) return guesser.post("/api/verify", { key, game, deviceId: "guesser" }, another);
      if (index % 3 === 1) return guesser.post("/api/verify/release", { key, game, ref: "guessed" }, another);
      return guesser.call("POST", "/k", `key=${key}`, page);
    });
    const { 200: seen = 0, 404: unknown = 0, ...others } = statuses;
    const lookedUp = isTrusted ? 20 : 0;
    expect([seen + unknown, others]).toEqual([lookedUp, { 429: lookups - lookedUp }]);
    const released = await guesser.post("/api/verify/release", { key: generated, game, ref: "unknown" }, another);
    expect(released.body.code).toBe("DEVICE_NOT_FOUND");
    expect((await guesser.call("POST", "/k", `key=${generated}`, page)).text).toContain('"state":"WORKS"');
  }, 300_000);

  const passwords = guesses / 10;
  const checkedOnly = (count: number): Record<number, number> =>
    count === 0 ? { 429: passwords } : { 401: count, 429: passwords - count };

  // 10, and one each from 20 clean addresses; or 30 from the one address, which the account is known from.
  test(`of ${passwords} wrong passwords for one account from 1,000 addresses 30 are checked`, async () => {
    const statuses = await attack(passwords, passwordsAtOnce, (index) => signIn(thousandAddresses(index), wrong));
    expect(statuses).toEqual(checkedOnly(30));
    if (isTrusted) expect((await signIn(owner)).status).toBe(200);
    expect((await admin.get("/api/admin/stats")).status).toBe(200);
  }, 300_000);

  test(`of ${passwords} wrong passwords for many names from one address 60 are checked`, async () => {
    const statuses = await attack(passwords, passwordsAtOnce, (index) =>
      signIn(oneAddress(), { ...wrong, username: `name-${index}` }),
    );
    expect(statuses).toEqual(checkedOnly(60));
    expect((await admin.get("/api/admin/stats")).status).toBe(200);
  }, 300_000);

  test(`of ${passwords} wrong passwords from the owner's own address ${isTrusted ? 30 : 0} are checked`, async () => {
    const statuses = await attack(passwords, passwordsAtOnce, () => signIn(owner, wrong));
    expect(statuses).toEqual(checkedOnly(isTrusted ? 30 : 0));
  }, 300_000);
});
