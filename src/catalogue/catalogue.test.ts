import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type ApiResponse,
  type Client,
  type ResellerClient,
  registerReseller,
  signInAdmin,
} from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import type { Catalogue, Game, PriceList } from "./schema.ts";

let panel: Panel;
let admin: Client;
let owl: ResellerClient;

beforeAll(async () => {
  panel = await openPanel();
  admin = await signInAdmin(panel.newClient);
  owl = await registerReseller(panel.newClient, admin, { username: "night.owl", credits: 1_000 });
});
afterAll(() => panel.close());

const put = (path: string, body: unknown, by: Client = admin) => by.call("PUT", path, body);
const order = (more: object) => ({ game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1, ...more });
const buy = (more: object) => owl.post("/api/reseller/keys/generate", order(more));
const catalogueOf = async (client: Client): Promise<Catalogue> => (await client.get("/api/catalogue")).body;
const codeOf = ({ status, body }: ApiResponse) => `${status} ${body.code ?? ""}`.trim();

test("a new database sells three games for five durations", async () => {
  const { games, durations, deviceLimits, prices } = await catalogueOf(owl);
  expect(games.map(({ name, prefix, aliases }) => [name, prefix, aliases])).toEqual([
    ["PUBG MOBILE", "PBGM", []],
    ["LAST ISLAND OF SURVIVAL", "LIOS", ["LAST ISLAND"]],
    ["FREE FIRE", "FIRE", []],
  ]);
  expect(durations.map(({ label, hours }) => [label, hours])).toEqual([
    ["5 days", 120],
    ["10 days", 240],
    ["20 days", 480],
    ["30 days", 720],
    ["60 days", 1_440],
  ]);
  expect(deviceLimits).toEqual([1, 2, 100]);
  expect(prices).toHaveLength(3 * 5 * 3);
  const creditsByHours = durations.map(({ id }) => [
    ...new Set(prices.filter(({ durationId }) => durationId === id).map(({ credits }) => credits)),
  ]);
  expect(creditsByHours).toEqual([[0.5], [1], [2], [3], [6]]);
});

test("admins see no prices, and their device limits", async () => {
  const { deviceLimits, prices } = await catalogueOf(admin);
  expect([deviceLimits, prices]).toEqual([[1, 2, 5, 10, 100], []]);
  const { headers } = await admin.get("/api/catalogue");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(codeOf(await panel.newClient().get("/api/catalogue"))).toBe("401 NOT_SIGNED_IN");
});

describe("a game", () => {
  test("is sold, verified and counted as soon as it has a price", async () => {
    const game: Game = (await admin.post("/api/admin/games", { name: "Chess 2", prefix: "CHSS" })).body;
    expect(game).toEqual({
      ...{ id: game.id, name: "Chess 2", aliases: [], prefix: "CHSS", isRetired: false, maintenance: null },
      ...{ minimumVersion: null, updateMessage: null },
      release: { isAllowed: true, cooldownHours: 24, perThirtyDays: 3, idleDays: null },
      leaseHours: 24,
    });
    expect(codeOf(await buy({ game: "Chess 2" }))).toBe("422 NOT_SOLD");
    expect(codeOf(await buy({ game: "Chess 2", days: 9 }))).toBe("422 INVALID_DAY_TIER");
    await addPrice({ gameId: game.id, durationId: 1, deviceLimit: 1, credits: 0.7 });
    const { body } = await buy({ game: "chess 2", count: 3 });
    const [key] = body.keys;
    expect([key.game, key.keyString]).toEqual(["Chess 2", expect.stringMatching(/^CHSS(-[A-Z0-9]{5}){3}$/)]);
    const [{ id, cost }] = (await owl.get("/api/reseller/orders?game=Chess+2&limit=1")).body;
    expect([id, cost]).toEqual([body.orderId, 2.1]);
    const verdict = await panel.newClient().post("/api/verify", { key: key.keyString, game: "CHESS 2", deviceId: "a" });
    expect(verdict.body.code).toBe("VALID");
    const wrong = await panel.newClient().post("/api/verify", { key: key.keyString, game: "FREE FIRE", deviceId: "a" });
    expect(wrong.body.code).toBe("NOT_FOUND");
    expect((await owl.get("/api/reseller/figures")).body.at(-1).keys["Chess 2"]).toBe(3);
    expect((await owl.get("/api/reseller/keys?game=Chess+2")).body).toHaveLength(3);
  });

  test("without a prefix has keys of three blocks", async () => {
    const { body: game } = await admin.post("/api/admin/games", { name: "Bare" });
    await addPrice({ gameId: game.id, durationId: 1, deviceLimit: 1, credits: 1 });
    expect((await buy({ game: "Bare" })).body.keys[0].keyString).toMatch(/^[A-Z0-9]{5}(-[A-Z0-9]{5}){2}$/);
  });

  test("keeps its old name when it is renamed, and an alias may become its name", async () => {
    const { body: game } = await admin.post("/api/admin/games", { name: "Old Name", aliases: ["Nick"] });
    const path = `/api/admin/games/${game.id}`;
    expect((await put(path, { name: "New Name" })).body.aliases).toEqual(["Nick", "Old Name"]);
    expect((await put(path, { name: "Nick" })).body).toMatchObject({ name: "Nick", aliases: ["New Name", "Old Name"] });
    expect((await put(path, { name: "NICK" })).body).toMatchObject({ name: "NICK", aliases: ["New Name", "Old Name"] });
    for (const name of ["old name", "New Name", "nick"])
      expect(codeOf(await owl.get(`/api/reseller/keys?game=${encodeURIComponent(name)}`))).toBe("200");
  });

  test("is found by a name of 40 emoji", async () => {
    const name = "📱".repeat(40);
    expect(codeOf(await admin.post("/api/admin/games", { name }))).toBe("201");
    expect(codeOf(await owl.get(`/api/reseller/keys?game=${encodeURIComponent(name)}`))).toBe("200");
    const question = { key: "NO-SUCH-KEY", deviceId: "a", game: name };
    expect((await panel.newClient().post("/api/verify", question)).body.code).toBe("NOT_FOUND");
  });

  test("has a name that no other game has, in any case, also if two admins add it at once", async () => {
    for (const name of ["free fire", "Last island"])
      expect(codeOf(await admin.post("/api/admin/games", { name }))).toBe("409 NAME_TAKEN");
    expect(codeOf(await put("/api/admin/games/1", { aliases: ["FREE fire"] }))).toBe("409 NAME_TAKEN");
    await admin.post("/api/admin/games", { name: "İstanbul ❤️ Straße" });
    expect(codeOf(await admin.post("/api/admin/games", { name: "ISTANBUL ❤ STRASSE" }))).toBe("409 NAME_TAKEN");
    expect(codeOf(await owl.get(`/api/reseller/keys?game=${encodeURIComponent("ıstanbul ❤ straẞe")}`))).toBe("200");
    await admin.post("/api/admin/price-lists", { name: "Größe 👩‍👧" });
    expect(codeOf(await admin.post("/api/admin/price-lists", { name: "GRÖSSE 👩👧" }))).toBe("409 NAME_TAKEN");
    const racing = await Promise.all([1, 2, 3].map(() => admin.post("/api/admin/games", { name: "Racing" })));
    expect(racing.map(codeOf).sort()).toEqual(["201", "409 NAME_TAKEN", "409 NAME_TAKEN"]);
  });

  test.each([
    ["a name with a slash", { name: "A/B" }],
    ["a name with a backslash", { name: "A\\B" }],
    ["a name that is a dot segment", { name: ".." }],
    ["a name of spaces", { name: "   " }],
    ["a name that is too long", { name: "x".repeat(41) }],
    ["an invisible character", { name: "A\u200bB" }],
    ["an alias with a slash", { name: "Alias", aliases: ["A/B"] }],
    ["an alias that is a dot segment", { name: "Alias", aliases: ["."] }],
    ["an alias that is too long", { name: "Alias", aliases: ["x".repeat(41)] }],
    ["a prefix in lower case", { name: "Lower", prefix: "abc" }],
    ["a prefix that is too long", { name: "Prefix", prefix: "ABCDEFGH1" }],
    ["a version that is none", { name: "Version", minimumVersion: "1.x" }],
    ["a version of five numbers", { name: "Version", minimumVersion: "1.2.3.4.5" }],
    ["an update message that is too long", { name: "Long", updateMessage: "x".repeat(201) }],
    ["a maintenance sentence that is too long", { name: "Long", maintenance: "x".repeat(201) }],
  ])("is refused with %s", async (_, form) => {
    expect(codeOf(await admin.post("/api/admin/games", form))).toBe("422 INVALID");
  });

  test("changes only what is sent, and an empty maintenance ends it", async () => {
    const path = "/api/admin/games/3";
    expect((await put(path, { maintenance: "Back soon.", minimumVersion: "1.2" })).body).toMatchObject({
      ...{ name: "FREE FIRE", prefix: "FIRE", maintenance: "Back soon.", minimumVersion: "1.2" },
    });
    expect((await put(path, { maintenance: "", minimumVersion: null })).body).toMatchObject({
      ...{ maintenance: null, minimumVersion: null },
    });
    const { body } = await admin.get("/api/admin/audit?action=game_changed&limit=2");
    expect(body.map(({ target, details }: { target: string; details: object }) => [target, details])).toEqual([
      ["game FREE FIRE", { maintenance: "", minimumVersion: "" }],
      ["game FREE FIRE", { maintenance: "Back soon.", minimumVersion: "1.2" }],
    ]);
    expect(codeOf(await put("/api/admin/games/999", { prefix: "X" }))).toBe("404 NOT_FOUND");
  });

  test("lets no device lose its slot as unseen while it may play offline, whichever of the two changes", async () => {
    const path = "/api/admin/games/3";
    const problemOf = ({ status, body }: { status: number; body: { errors?: object[] } }) => [status, body.errors];
    const message = "The hours offline must be at most 48, as long as the idle days";
    expect((await put(path, { release: { idleDays: 2 }, leaseHours: 48 })).body).toMatchObject({ leaseHours: 48 });
    for (const leaseHours of [-1, 1.5, 169, null]) {
      expect(problemOf(await put(path, { leaseHours }))).toEqual([
        422,
        [expect.objectContaining({ path: "leaseHours" })],
      ]);
    }
    expect(problemOf(await put(path, { leaseHours: 49 }))).toEqual([422, [{ path: "leaseHours", message }]]);
    expect(problemOf(await put(path, { release: { idleDays: 1 } }))).toEqual([
      422,
      [{ path: "release", message: message.replace("48", "24") }],
    ]);
    const long = { name: "Long Lease", release: { idleDays: 1 }, leaseHours: 25 };
    expect(codeOf(await admin.post("/api/admin/games", long))).toBe("422 INVALID");
    expect((await put(path, { release: { idleDays: null }, leaseHours: 168 })).body).toMatchObject({ leaseHours: 168 });
    expect((await put(path, { leaseHours: 24 })).status).toBe(200);
    const { body } = await admin.get("/api/admin/audit?action=game_changed&limit=2");
    expect(body.map(({ details }: { details: object }) => details)).toEqual([
      { leaseHours: 24 },
      { releaseIdleDays: 0, leaseHours: 168 },
    ]);
  });

  test("keeps when it was under maintenance", async () => {
    const path = "/api/admin/games/2";
    const since = panel.clock.now;
    for (const maintenance of ["Back soon.", "Back later.", null, "Again."]) {
      await put(path, { maintenance });
      panel.clock.now += 1_000;
    }
    expect(
      await panel.database
        .read`SELECT began_at AS began, ended_at AS ended FROM game_maintenance WHERE game_id = 2 ORDER BY id`,
    ).toEqual([
      { began: since, ended: since + 2_000 },
      { began: since + 3_000, ended: null },
    ]);
    await put(path, { maintenance: null });
  });

  test("that is retired is not sold to anyone, and its keys work", async () => {
    const { body: game } = await admin.post("/api/admin/games", { name: "Gone" });
    await addPrice({ gameId: game.id, durationId: 1, deviceLimit: 1, credits: 1 });
    const [key] = (await buy({ game: "Gone" })).body.keys;
    await put(`/api/admin/games/${game.id}`, { isRetired: true });
    expect(codeOf(await buy({ game: "Gone" }))).toBe("422 NOT_SOLD");
    const made = await admin.post("/api/admin/keys/generate", {
      ...{ game: "Gone", deviceLimit: 1, expiryDate: new Date(panel.clock.now + 86_400_000).toISOString(), count: 1 },
    });
    expect(codeOf(made)).toBe("422 NOT_SOLD");
    const asked = { key: key.keyString, game: "Gone", deviceId: "a" };
    expect((await panel.newClient().post("/api/verify", asked)).body.code).toBe("VALID");
    expect((await catalogueOf(owl)).games.map(({ name }) => name)).not.toContain("Gone");
    expect((await owl.get("/api/games")).body).toContainEqual({
      id: game.id,
      name: "Gone",
      isRetired: true,
      leaseHours: 24,
    });
  });

  test("that does not exist is refused in orders, lists and verification", async () => {
    expect(codeOf(await buy({ game: "No such game" }))).toBe("422 INVALID");
    expect(codeOf(await owl.get("/api/reseller/keys?game=nothing"))).toBe("422 INVALID");
    expect(codeOf(await owl.get("/api/reseller/orders?game=nothing&limit=5"))).toBe("422 INVALID");
    const asked = { key: "ANY-KEY", game: "No such game", deviceId: "a" };
    expect(codeOf(await panel.newClient().post("/api/verify", asked))).toBe("422 INVALID");
  });
});

describe("a duration", () => {
  test("is ordered by its id or by its days, which must agree", async () => {
    const { body: hour } = await admin.post("/api/admin/durations", { label: "One hour", hours: 1 });
    await addPrice({ gameId: 3, durationId: hour.id, deviceLimit: 1, credits: 0.1 });
    const { body } = await buy({ days: undefined, durationId: hour.id });
    const [key] = body.keys;
    expect(Date.parse(key.expiryDate) - Date.parse(key.createdAt)).toBe(3_600_000);
    expect(codeOf(await buy({ days: 5, durationId: 1 }))).toBe("201");
    expect(codeOf(await buy({ days: 5, durationId: 2 }))).toBe("422 INVALID");
    expect(await buy({ days: undefined })).toMatchObject({
      status: 422,
      body: { message: "Day selection is required" },
    });
    expect(await buy({ days: 7 })).toMatchObject({ status: 422, body: { message: "Invalid day tier selected" } });
    expect(codeOf(await buy({ days: undefined, durationId: 999 }))).toBe("422 INVALID_DAY_TIER");
    const { body: week } = await admin.post("/api/admin/durations", { label: "A week", hours: 168 });
    expect(codeOf(await buy({ days: 7 }))).toBe("422 NOT_SOLD");
    await addPrice({ gameId: 3, durationId: week.id, deviceLimit: 1, credits: 0.7 });
    expect((await buy({ days: 7 })).body.keys[0]).toMatchObject({ durationHours: 168 });
  });

  test("has hours that are unique and never change; its label may, and it may be retired", async () => {
    expect(codeOf(await admin.post("/api/admin/durations", { label: "Five", hours: 120 }))).toBe("409 HOURS_TAKEN");
    for (const hours of [0, 8_761, 1.5])
      expect(codeOf(await admin.post("/api/admin/durations", { label: "Wrong", hours }))).toBe("422 INVALID");
    for (const label of ["", " ", "x".repeat(41)])
      expect(codeOf(await admin.post("/api/admin/durations", { label, hours: 7 }))).toBe("422 INVALID");
    expect(codeOf(await put("/api/admin/durations/999", { label: "None" }))).toBe("404 NOT_FOUND");
    expect(codeOf(await put("/api/admin/durations/2", { hours: 241 }))).toBe("422 INVALID");
    expect((await put("/api/admin/durations/2", { label: "Ten days", isRetired: true, hours: 240 })).body).toEqual({
      ...{ id: 2, label: "Ten days", hours: 240, isRetired: true },
    });
    expect(codeOf(await buy({ days: 10 }))).toBe("422 INVALID_DAY_TIER");
    expect((await catalogueOf(owl)).durations.map(({ id }) => id)).not.toContain(2);
    await put("/api/admin/durations/2", { label: "10 days", isRetired: false });
  });
});

describe("a price list", () => {
  test("applies to the resellers who have it, at once and for later orders only", async () => {
    const prices = [{ gameId: 3, durationId: 1, deviceLimit: 1, credits: 12.3 }];
    const { body: list } = await admin.post("/api/admin/price-lists", { name: "Dear", prices });
    expect(list).toEqual({ id: list.id, name: "Dear", prices });
    const before = (await buy({ count: 2 })).body.orderId;
    expect(codeOf(await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: list.id }))).toBe("200");
    expect((await catalogueOf(owl)).prices).toEqual(prices);
    const { body: resellers } = await admin.get("/api/admin/resellers");
    expect(resellers.map(({ priceListId }: { priceListId: number }) => priceListId)).toEqual([list.id]);
    const after = (await buy({ count: 2 })).body.orderId;
    expect(codeOf(await buy({ deviceLimit: 2 }))).toBe("422 NOT_SOLD");
    const costOf = async (id: number) => (await owl.get(`/api/reseller/orders/${id}`)).body.cost;
    expect([await costOf(before), await costOf(after)]).toEqual([1, 24.6]);
    await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: 1 });
    expect(codeOf(await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: 999 }))).toBe("404 NOT_FOUND");
    expect(codeOf(await put("/api/admin/resellers/999/price-list", { priceListId: 1 }))).toBe("404 NOT_FOUND");
  });

  test("of nothing costs nothing, and leaves no entry in the ledger", async () => {
    const prices = [{ gameId: 3, durationId: 1, deviceLimit: 1, credits: 0 }];
    const { body: list } = await admin.post("/api/admin/price-lists", { name: "Gifts", prices });
    await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: list.id });
    const entries = async () => (await owl.get("/api/reseller/ledger")).body.length;
    const { credits } = (await owl.get("/api/reseller/profile")).body;
    const before = await entries();
    expect((await buy({ count: 4 })).body).toMatchObject({ credits, keys: { length: 4 } });
    expect(await entries()).toBe(before);
    await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: 1 });
  });

  test.each([
    ["a price finer than a tenth", [{ credits: 0.25 }], "422 INVALID"],
    ["a price below 0", [{ credits: -1 }], "422 INVALID"],
    ["a price above a million", [{ credits: 1_000_001 }], "422 INVALID"],
    ["a device limit that resellers do not have", [{ deviceLimit: 5 }], "422 INVALID"],
    ["two prices for the same", [{}, { credits: 2 }], "422 INVALID"],
    ["a game that does not exist", [{ gameId: 999 }], "404 NOT_FOUND"],
    ["a duration that does not exist", [{ durationId: 999 }], "404 NOT_FOUND"],
  ])("with %s is refused and changes nothing", async (_, changes, code) => {
    const before = await standard();
    const prices = changes.map((change) => ({ gameId: 3, durationId: 1, deviceLimit: 1, credits: 1, ...change }));
    expect(codeOf(await put("/api/admin/price-lists/1", { prices }))).toBe(code);
    expect(await standard()).toEqual(before);
  });

  test("keeps its prices when it is renamed, and says in the audit log how many changed", async () => {
    const before = await standard();
    expect((await put("/api/admin/price-lists/1", { name: "Usual" })).body).toEqual({ ...before, name: "Usual" });
    const [first, second, ...others] = before.prices;
    if (!first || !second) throw new Error("The list has no prices.");
    await put("/api/admin/price-lists/1", { name: "Standard", prices: [{ ...second, credits: 99 }, ...others] });
    const [{ details }] = (await admin.get("/api/admin/audit?action=price_list_changed&limit=1")).body;
    expect(details).toEqual({ name: "Standard", removed: 1, changed: 1 });
    await put("/api/admin/price-lists/1", { prices: before.prices });
    expect(codeOf(await admin.post("/api/admin/price-lists", { name: "STANDARD" }))).toBe("409 NAME_TAKEN");
  });

  test("of 1,000 prices is taken in one call", async () => {
    for (let hours = 2; hours <= 40; hours += 1)
      await admin.post("/api/admin/durations", { label: `${hours} h`, hours });
    const durations: { id: number }[] = (await admin.get("/api/admin/durations")).body;
    const games: Game[] = (await admin.get("/api/admin/games")).body;
    const prices = games.flatMap(({ id: gameId }) =>
      durations.flatMap(({ id: durationId }) =>
        [1, 2, 100].map((deviceLimit) => ({ gameId, durationId, deviceLimit, credits: 1.5 })),
      ),
    );
    expect(prices.length).toBeGreaterThan(1_000);
    const { status, body } = await admin.post("/api/admin/price-lists", { name: "Large", prices });
    expect([status, body.prices.length]).toEqual([201, prices.length]);
  });
});

test("every change is in the audit log under the name of what changed", async () => {
  const { body: game } = await admin.post("/api/admin/games", { name: "Logged" });
  await put(`/api/admin/games/${game.id}`, { isRetired: true });
  const { body: duration } = await admin.post("/api/admin/durations", { label: "Logged hours", hours: 4_000 });
  await put(`/api/admin/durations/${duration.id}`, { isRetired: true });
  const { body: list } = await admin.post("/api/admin/price-lists", { name: "Logged list" });
  await put(`/api/admin/price-lists/${list.id}`, { name: "Logged prices" });
  await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: list.id });
  const { body } = await admin.get("/api/admin/audit?limit=7");
  expect(body.map(({ action, target }: { action: string; target: string }) => [action, target])).toEqual([
    ["price_list_assigned", "reseller night.owl"],
    ["price_list_changed", expect.stringMatching(/^price list Logged/)],
    ["price_list_created", "price list Logged list"],
    ["duration_changed", "duration Logged hours"],
    ["duration_created", "duration Logged hours"],
    ["game_changed", "game Logged"],
    ["game_created", "game Logged"],
  ]);
  await put(`/api/admin/resellers/${owl.id}/price-list`, { priceListId: 1 });
  for (const path of ["games", "durations", "price-lists"]) {
    const ids = (await admin.get(`/api/admin/${path}`)).body.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    expect(ids).toContain({ games: game.id, durations: duration.id, "price-lists": list.id }[path]);
  }
});

test("resellers may not change the catalogue", async () => {
  for (const path of ["games", "durations", "price-lists"]) {
    expect(codeOf(await owl.get(`/api/admin/${path}`))).toBe("403 FORBIDDEN");
    expect(codeOf(await owl.post(`/api/admin/${path}`, { name: "Mine" }))).toBe("403 FORBIDDEN");
    expect(codeOf(await put(`/api/admin/${path}/1`, {}, owl))).toBe("403 FORBIDDEN");
  }
});

async function standard(): Promise<PriceList> {
  const lists: PriceList[] = (await admin.get("/api/admin/price-lists")).body;
  return lists.find(({ id }) => id === 1) as PriceList;
}

async function addPrice(price: PriceList["prices"][number]): Promise<void> {
  const { prices } = await standard();
  await put("/api/admin/price-lists/1", { prices: [...prices, price] });
}
