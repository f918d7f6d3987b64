import { afterAll, expect, test } from "bun:test";
import { open, platform, type Response as SdkResponse, type System } from "../../public/sdk/latchkey.ts";
import { active, bindOf, nonceOf, pinOf, proofOf } from "./signing.ts";

/* What the vectors cannot show: the network, device ids and mistakes of the caller. */

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/silent") await Bun.sleep(60_000);
    if (pathname === "/moved") return Response.redirect("/verdict");
    const wait = pathname === "/date" ? "Fri, 15 Jan 2027 08:10:00 GMT" : "30";
    return Response.json(await request.json(), { status: 503, headers: { "retry-after": wait } });
  },
});
afterAll(() => server.stop(true));

const send = (path: string, seconds = 5) => platform.send({ url: `${server.url.origin}${path}`, body: "{}", seconds });

const memory = () => {
  const texts = new Map<string, string>();
  return {
    texts,
    get: (name: string) => texts.get(name),
    set: (name: string, text: string) => void texts.set(name, text),
    remove: (name: string) => void texts.delete(name),
  };
};

const options = { addresses: ["https://keys.example"], game: "PUBG MOBILE", pins: [pinOf(active)] };

test("a response has its status, its text and the seconds of Retry-After", async () => {
  expect(await send("/busy")).toEqual({ status: 503, body: "{}", retryAfter: 30 });
  expect(await send("/date")).toEqual({ status: 503, body: "{}", retryAfter: null });
});

test("silence, a redirect and a closed port are no response", async () => {
  const none = { status: 0, body: "", retryAfter: null };
  expect(await send("/silent", 0.05)).toEqual(none);
  expect(await send("/moved")).toEqual(none);
  expect(await platform.send({ url: "http://127.0.0.1:1/", body: "{}", seconds: 5 })).toEqual(none);
});

test("an address before others has 4 s, and the last one what is left of 10 s", async () => {
  const seconds: number[] = [];
  let uptime = 0;
  const system: Partial<System> = {
    uptime: () => uptime,
    async send(request) {
      seconds.push(request.seconds);
      uptime += request.seconds / 2;
      return { status: 0, body: "", retryAfter: null };
    },
  };
  const addresses = ["https://a.example", "https://b.example", "https://c.example"];
  const client = await open({ ...options, addresses, store: memory(), system });
  await client.check("SOME-KEY-00001");
  expect(seconds).toEqual([4, 4, 6]);
});

test("without a device id, a random one is made once and stays, also after forgetting", async () => {
  const store = memory();
  const first = await open({ ...options, store });
  await first.forget();
  expect(first.deviceId).toMatch(/^d1\.[\w-]{22}$/);
  expect((await open({ ...options, store })).deviceId).toBe(first.deviceId);
  expect((await open({ ...options, store: memory() })).deviceId).not.toBe(first.deviceId);
  expect((await open({ ...options, game: "FREE FIRE", store })).deviceId).not.toBe(first.deviceId);
});

test("with a store that refuses, a random device id lasts until the game ends, and replaces none", async () => {
  const store = memory();
  const refuses = () => {
    throw new Error("The store refuses this.");
  };
  const full = await open({ ...options, store: { ...store, set: refuses } });
  expect(full.deviceId).toMatch(/^d1\.[\w-]{22}$/);
  const kept = await open({ ...options, store });
  await open({ ...options, store: { ...store, get: refuses } });
  expect((await open({ ...options, store })).deviceId).toBe(kept.deviceId);
});

test("a running lease is NOT_ASKED for as long as the first refresh takes", async () => {
  const deviceId = "a-device";
  const bind = bindOf(options.game, "SOME-KEY-00001", deviceId);
  const until = Math.floor(Date.now() / 1_000) + 3_600;
  const payload = { n: "", bind, valid: true, code: "VALID", iat: until - 3_600, exp: until, until };
  const store = memory();
  store.set("latchkey.proofs", `${bind} ${payload.iat} ${proofOf(payload)}`);
  const answered = Promise.withResolvers<SdkResponse>();
  const ended = Promise.withResolvers<void>();
  const system: Partial<System> = {
    send: () => answered.promise,
    background: (task) => void task().then(ended.resolve),
  };
  const client = await open({ ...options, deviceId, store, system });
  const codes = async () => [(await client.check("SOME-KEY-00001")).code, (await client.check("SOME-KEY-00001")).code];
  expect(await codes()).toEqual(["NOT_ASKED", "NOT_ASKED"]);
  answered.resolve({ status: 503, body: '{"code":"BUSY"}', retryAfter: null });
  await ended.promise;
  expect(await codes()).toEqual(["BUSY", "BUSY"]);
});

test("a device id that many devices share and a key of the wrong size are mistakes", async () => {
  const message = (changes: object) =>
    open({ ...options, store: memory(), ...changes }).catch(({ message }) => message);
  const shared = "This device id is a placeholder that many devices share.";
  for (const deviceId of ["", "unknown", "9774d56d682e549c", "0000"]) expect(await message({ deviceId })).toBe(shared);
  const pins = [{ kid: "short", publicKey: "AAAA" }];
  expect(await message({ pins })).toBe("The public key short is not 32 bytes of base64url.");
});

test("a player who signs out during a request leaves no proof behind", async () => {
  const store = memory();
  const sent = Promise.withResolvers<string>();
  const answered = Promise.withResolvers<SdkResponse>();
  const deviceId = "a-device";
  const system: Partial<System> = {
    randomBytes: () => new Uint8Array(Buffer.from(nonceOf("sign-out"), "base64url")),
    send({ body }) {
      sent.resolve(body);
      return answered.promise;
    },
  };
  const client = await open({ ...options, deviceId, store, system });
  const checking = client.check("SOME-KEY-00001");
  await sent.promise;
  await client.forget();
  const bind = bindOf(options.game, "SOME-KEY-00001", deviceId);
  const payload = { n: nonceOf("sign-out"), bind, valid: true, code: "VALID", iat: 1, exp: 2, until: null };
  answered.resolve({ status: 200, body: JSON.stringify({ proof: proofOf(payload) }), retryAfter: null });
  expect((await checking).state).toBe("PLAY");
  expect(store.texts.get("latchkey.proofs") ?? "").toBe("");
});
