import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Client, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { msPerHour } from "../core/clock.ts";

let panel: Panel;
let admin: Client;
beforeEach(async () => {
  panel = await openPanel({ rateLimits: true, behindProxy: true });
  admin = await signInAdmin(panel.newClient);
});
afterEach(() => panel.close());

const newToken = async (credits?: number): Promise<string> =>
  (await admin.post("/api/admin/tokens/generate", { credits })).body.token.token;
const register = (form: { username?: string; referralToken: string }, address?: string) =>
  panel.newClient(address).post("/api/auth/reseller/register", { username: "seller", password: "secret1", ...form });
const guess = (address?: string) => register({ referralToken: "guessed" }, address);

test("an unknown token, a used one and a taken name are refused, and the token stays free", async () => {
  const referralToken = await newToken(2.5);
  expect((await register({ referralToken: "no-such-token" })).body.code).toBe("TOKEN_UNKNOWN");
  const taken = await register({ username: "Admin", referralToken });
  expect([taken.status, taken.body.code]).toEqual([409, "USERNAME_TAKEN"]);
  expect((await register({ referralToken: ` ${referralToken} ` })).status).toBe(201);
  const used = await register({ username: "second", referralToken });
  expect([used.status, used.body.code]).toEqual([409, "TOKEN_USED"]);
  const [reseller] = (await admin.get("/api/admin/resellers")).body;
  expect(reseller).toMatchObject({ username: "seller", credits: 2.5, totalKeys: 0, isActive: true });
  expect((await admin.get("/api/admin/tokens")).body[0]).toMatchObject({
    usedBy: "seller",
    isUsed: true,
    credits: 2.5,
  });
});

test("a token that is deleted during a registration is either unknown or used", async () => {
  const referralToken = await newToken();
  const [{ id }] = (await admin.get("/api/admin/tokens")).body;
  const registering = register({ referralToken });
  const takenBack = await admin.call("DELETE", `/api/admin/tokens/${id}`);
  const { status, body } = await registering;
  const possible = [
    [200, 422, "TOKEN_UNKNOWN"],
    [409, 201, undefined],
  ];
  expect(possible).toContainEqual([takenBack.status, status, body.code]);
});

test("a second registration with the same token and name is refused for both at once", async () => {
  const referralToken = await newToken();
  expect((await register({ referralToken })).status).toBe(201);
  const again = await register({ username: "SELLER", referralToken });
  expect([again.status, again.body]).toEqual([
    409,
    {
      code: "TOKEN_USED",
      message: "This referral token has already been used.",
      errors: [
        { path: "referralToken", message: "This referral token has already been used." },
        { path: "username", message: "This username is already taken." },
      ],
    },
  ]);
});

test("without a free token no other taken name is revealed", async () => {
  const referralToken = await newToken();
  expect((await register({ referralToken })).status).toBe(201);
  const refusals = [
    await register({ username: "admin", referralToken }),
    await register({ username: "free.name", referralToken }),
    await register({ username: "admin", referralToken: "guessed" }),
    await register({ username: "free.name", referralToken: "guessed" }),
  ];
  const [taken, free, unknownTaken, unknownFree] = refusals.map(({ text }) => text);
  expect([taken, unknownTaken]).toEqual([free, unknownFree]);
  expect(refusals.map(({ body }) => body.code)).toEqual([
    ...["TOKEN_USED", "TOKEN_USED"],
    ...["TOKEN_UNKNOWN", "TOKEN_UNKNOWN"],
  ]);
});

test("an address may try 5 times an hour", async () => {
  const referralToken = await newToken();
  for (let tries = 0; tries < 5; tries += 1) expect((await guess()).status).toBe(422);
  const refused = await register({ referralToken });
  expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
    429,
    "TOO_MANY_TRIES",
    "3600",
  ]);
  expect((await guess("198.51.100.77")).status).toBe(422);
  panel.clock.now += msPerHour;
  expect((await register({ referralToken })).status).toBe(201);
});

test("with a free token 10 names an hour can be probed: a taken name counts half", async () => {
  const referralToken = await newToken();
  for (let tries = 0; tries < 10; tries += 1) {
    expect((await register({ username: "admin", referralToken })).status).toBe(409);
  }
  expect((await register({ username: "admin", referralToken })).status).toBe(429);
  expect((await register({ username: "seller", referralToken })).status).toBe(429);
  expect((await guess()).status).toBe(429);
  panel.clock.now += msPerHour;
  expect((await register({ username: "seller", referralToken })).status).toBe(201);
});

test("while the queue for hashing is full, free and taken names are refused alike, and count", async () => {
  await panel.close();
  panel = await openPanel({ rateLimits: true, behindProxy: true, realPasswordCost: true });
  admin = await signInAdmin(panel.newClient);
  const referralToken = await newToken();
  let isOver = false;
  const queueIsFull = Promise.withResolvers<void>();
  const flood = Array.from({ length: 50 }, async (_, index) => {
    for (let turn = 0; !isOver; turn += 1) {
      const stranger = panel.newClient(`10.${index}.${turn >> 8}.${turn & 255}`);
      const { status } = await stranger.post("/api/auth/admin/login", { username: "no-one", password: "wrong" });
      if (status === 503) queueIsFull.resolve();
    }
  });
  await queueIsFull.promise;
  const names = ["admin", "free.name", "admin", "free.name"];
  const tried = await Promise.all(names.map((username) => register({ username, referralToken })));
  isOver = true;
  await Promise.all(flood);
  const busy = tried.filter(({ status }) => status === 503);
  // One address keeps one place in a full queue.
  expect(busy.length).toBeGreaterThanOrEqual(3);
  expect(new Set(busy.map(({ text }) => text)).size).toBe(1);
  for (const _ of [1, 2]) expect([422, 429]).toContain((await guess()).status);
  expect((await guess()).status).toBe(429);
  const isUsed = tried.some(({ status }) => status === 201);
  expect((await register({ referralToken }, "198.51.100.77")).status).toBe(isUsed ? 409 : 201);
});

test("a successful registration counts too", async () => {
  const tokens = await Promise.all(Array.from({ length: 6 }, () => newToken()));
  const statuses: number[] = [];
  for (const [index, referralToken] of tokens.entries()) {
    statuses.push((await register({ username: `seller${index}`, referralToken })).status);
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
});

test("a deleted token cannot be used and is in no list; a used one cannot be deleted", async () => {
  const { id, token } = (await admin.post("/api/admin/tokens/generate", { credits: 2.5 })).body.token;
  expect((await admin.call("DELETE", `/api/admin/tokens/${id}`)).status).toBe(200);
  expect((await register({ referralToken: token })).body.code).toBe("TOKEN_UNKNOWN");
  expect((await admin.get("/api/admin/tokens")).body).not.toContainEqual(expect.objectContaining({ id }));
  expect((await admin.call("DELETE", `/api/admin/tokens/${id}`)).body.code).toBe("NOT_FOUND");

  const { token: used } = (await admin.post("/api/admin/tokens/generate")).body;
  expect((await register({ referralToken: used.token })).status).toBe(201);
  const refused = await admin.call("DELETE", `/api/admin/tokens/${used.id}`);
  expect([refused.status, refused.body.code]).toEqual([409, "TOKEN_USED"]);
});
