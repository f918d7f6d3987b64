import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "../../tests/client.ts";
import { openPanel, type Panel } from "../../tests/panel.ts";
import { isoOf, msPerDay, msPerHour } from "../core/clock.ts";
import { contentRules } from "../db/copies/content-rules.ts";
import type { Import } from "./schema.ts";

let panel: Panel;
let admin: Client;
let seller: ResellerClient;

beforeEach(async () => {
  panel = await openPanel({ refundDays: 7 });
  admin = await signInAdmin(panel.newClient);
  seller = await registerReseller(panel.newClient, admin, { username: "Seller", credits: 100 });
});

afterEach(async () => {
  await panel.server.importWork.run();
  for (const { broken, problem } of contentRules) {
    const rows = await panel.database.read`${{ strings: [broken], values: [] }}`;
    expect({ problem, rows }).toEqual({ problem, rows: [] });
  }
  await panel.close();
});

const send = (file: string, query = "", type = "text/csv") =>
  admin.post(`/api/admin/imports${query}`, file, { "content-type": type });

/** Sends a file of these lines, and waits until all are handled. */
async function imported(lines: string[], query?: string, type?: string): Promise<Import> {
  const { status, body } = await send(lines.join("\n"), query, type);
  expect({ status, body }).toEqual({ status: 202, body: { id: expect.any(Number), state: "running" } });
  await panel.server.importWork.run();
  return opened(body.id);
}
const opened = async (id: number): Promise<Import> => (await admin.get(`/api/admin/imports/${id}`)).body;
const undo = (id: number) => admin.post(`/api/admin/imports/${id}/undo`);
const report = async ({ id }: Import) => {
  const { text } = await admin.get(`/api/admin/imports/${id}/report`);
  return text.replace("\uFEFF", "").trimEnd().split("\r\n");
};
const keyNamed = async (text: string) => {
  const { body } = await admin.get(`/api/admin/search?q=${encodeURIComponent(text)}`);
  return (await admin.get(`/api/admin/keys/${body.keys[0].id}/details`)).body;
};
const verify = async (key: string, deviceId: string, game = "FREE FIRE") =>
  (await panel.newClient().post("/api/verify", { key, game, deviceId })).body;
const seconds = (instant: string) => instant.replace(".000Z", "Z");

const head = "key,game,expires,device_limit,owner,note,devices";
const line = (key: string, over: Partial<Record<"game" | "owner" | "note" | "devices", string>> = {}) =>
  [key, over.game ?? "FREE FIRE", "2026-01-31", 3, over.owner ?? "", over.note ?? "", over.devices ?? ""].join();

describe("an import", () => {
  test("makes keys that work at once, with devices, notes and owners by name", async () => {
    const result = await imported([
      head,
      line("ABC-1", { owner: "seller", note: "from the old panel", devices: "phone tablet" }),
      line("ABC-2", { game: "last island" }),
    ]);
    expect(result).toEqual({
      ...{ id: 1, state: "finished", valid: 2, duplicate: 0, wrong: 0, done: 2, total: 2 },
      orderIds: [expect.any(Number), expect.any(Number)],
    });
    expect(await verify("abc-1", "phone")).toMatchObject({ code: "VALID", expiry: "2026-01-31T23:59:59.999Z" });
    expect(await keyNamed("ABC-1")).toMatchObject({
      ...{ keyString: "ABC-1", game: "FREE FIRE", status: "ACTIVE", starts: "creation", durationHours: null },
      ...{ deviceLimit: 3, deviceCount: 2, owner: "Seller", createdBy: "admin", note: "from the old panel" },
      devices: [
        { deviceId: "phone", firstConnected: "2025-03-05T14:30:00.000Z", lastSeen: "2025-03-05" },
        { deviceId: "tablet", lastSeen: "2025-03-05" },
      ],
    });
    expect(await keyNamed("ABC-2")).toMatchObject({ game: "LAST ISLAND OF SURVIVAL", owner: null });
    expect((await seller.get("/api/reseller/keys?search=oldpanel")).body).toHaveLength(0);
    expect((await seller.get("/api/reseller/keys?search=old panel")).body).toMatchObject([{ keyString: "ABC-1" }]);
    expect((await admin.get("/api/admin/search?q=tablet")).body.keys).toMatchObject([{ keyString: "ABC-1" }]);
    expect((await seller.get("/api/reseller/profile")).body).toMatchObject({ credits: 100 });
    expect(await report(result)).toEqual(["line,key,result,reason", "2,ABC-1,valid,", "3,ABC-2,valid,"]);
  });

  test("keeps start, expiry, pause and revocation", async () => {
    const at = (days: number) => seconds(isoOf(panel.clock.now + days * msPerDay));
    const result = await imported(
      [
        "key,created,expires,duration_hours,starts,started,paused_at,revoked,status",
        `STARTED,${at(-20)},,720,first_use,${at(-10)},,,`,
        "WAITING,,,720,first_use,,,,",
        `PAUSED,${at(-20)},${at(10)},,,,${at(-5)},,`,
        `REVOKED,${at(-20)},${at(10)},,,,,${at(-1)},`,
        `EXPIRED,,${at(-400)},,,,,,`,
        `OUT,,${at(10)},,,,,,revoked`,
        `LONG,,${at(4000)},,,,,,active`,
      ],
      "?game=free+fire",
    );
    expect({ result, report: await report(result) }).toMatchObject({ result: { valid: 7, wrong: 0 } });
    const day = (days: number) => isoOf(panel.clock.now + days * msPerDay);
    expect(await keyNamed("STARTED")).toMatchObject({
      ...{ status: "ACTIVE", starts: "first_use", startedAt: day(-10), expiryDate: day(20), durationHours: 720 },
    });
    expect(await keyNamed("WAITING")).toMatchObject({
      status: "ACTIVE",
      startedAt: null,
      expiryDate: null,
      daysRemaining: 30,
    });
    expect(await verify("WAITING", "phone")).toMatchObject({ code: "VALID", expiry: day(30) });
    expect(await keyNamed("PAUSED")).toMatchObject({ status: "PAUSED", pausedAt: day(-5), daysRemaining: 15 });
    const paused = await keyNamed("PAUSED");
    expect((await admin.post(`/api/admin/keys/${paused.id}/resume`)).body.key).toMatchObject({ expiryDate: day(15) });
    expect(await keyNamed("REVOKED")).toMatchObject({ status: "REVOKED", revokedAt: day(-1), revokedBy: "admin" });
    expect(await keyNamed("EXPIRED")).toMatchObject({ status: "EXPIRED", expiryDate: day(-400) });
    expect(await keyNamed("OUT")).toMatchObject({ status: "REVOKED", revokedAt: day(0) });
    expect(await keyNamed("LONG")).toMatchObject({ status: "ACTIVE", expiryDate: day(4000) });
  });

  test("is one order for each owner, whose game, limit and days are null where its keys differ", async () => {
    const { orderIds } = await imported([
      head,
      line("A-1"),
      line("S-1", { owner: "Seller" }),
      line("A-2"),
      line("S-2", { owner: "seller", game: "PUBG MOBILE" }),
    ]);
    const found = (await admin.get("/api/admin/export")).text.split("\r\n").map((row: string) => row.split(",")[0]);
    expect(found).toEqual(["key", "A-1", "S-1", "A-2", "S-2", ""]);
    const [ofAdmins, ofSeller] = await Promise.all(
      orderIds.map(async (id) => (await admin.get(`/api/admin/orders/${id}`)).body),
    );
    const common = { kind: "import", deviceLimit: 3, count: 2, cost: 0, by: "admin", externalId: null };
    expect(ofAdmins).toMatchObject({ ...common, game: "FREE FIRE", days: 332, reseller: null });
    expect(ofSeller).toMatchObject({ ...common, game: null, reseller: { username: "Seller" } });
    expect(ofSeller.keys.map(({ keyString }: { keyString: string }) => keyString)).toEqual(["S-1", "S-2"]);
    expect((await seller.get("/api/reseller/orders")).body).toMatchObject([{ kind: "import", count: 2, game: null }]);
    expect((await seller.get("/api/reseller/ledger")).body).toHaveLength(1);
  });

  test("appears in no figures of keys made, but in the totals", async () => {
    await imported([head, line("A-1"), line("S-1", { owner: "seller" })]);
    for (const figures of ["/api/admin/figures?days=7", "/api/reseller/figures?days=7"]) {
      const client = figures.includes("admin") ? admin : seller;
      for (const day of (await client.get(figures)).body) expect(day).toMatchObject({ keys: {}, credits: {} });
    }
    expect((await admin.get("/api/admin/stats")).body).toMatchObject({ activeKeys: 2, totalAdminKeys: 1 });
    expect((await admin.get("/api/admin/resellers")).body).toMatchObject([{ username: "Seller", totalKeys: 1 }]);
  });

  test("leaves out duplicate and wrong lines, and says why", async () => {
    await imported([head, line("OLD-1")]);
    const result = await imported([
      head,
      line("NEW-1"),
      line("ｎｅｗ–１"),
      line("old-1"),
      line("NEW-2", { game: "CHESS" }),
      line("NEW-2", { owner: "unknown.one" }),
      line("NEW-2", { owner: "admin" }),
      line("NEW-2"),
      line("=NEW-3", { devices: "a b c d" }),
    ]);
    expect(result).toMatchObject({ valid: 2, duplicate: 2, wrong: 4, done: 8, total: 8 });
    const lines = await report(result);
    expect(lines.slice(0, 8)).toEqual([
      "line,key,result,reason",
      "2,NEW-1,valid,",
      "3,ｎｅｗ–１,duplicate,An earlier line has the same key.",
      "4,old-1,duplicate,The panel has this key already.",
      "5,NEW-2,wrong,There is no game CHESS.",
      "6,NEW-2,wrong,There is no reseller unknown.one.",
      "7,NEW-2,wrong,There is no reseller admin.",
      "8,NEW-2,valid,",
    ]);
    expect(lines[8]).toStartWith(`9,"'=NEW-3",wrong,`);
  });

  test("groups wrong lines by their mistake, the most frequent first", async () => {
    const result = await imported([
      head,
      line("K-1", { game: "CHESS" }),
      line("K-2", { owner: "unknown.one" }),
      line("K-3", { devices: "a b c d" }),
      line("K-4", { devices: "a b c d e" }),
      line("K-5", { game: "CHESS" }),
      line("K-6", { game: "chess" }),
      ...["K-7", "K-8", "K-9"].map((key) => `${key},FREE FIRE,never,3,,,`),
      '"K-10',
    ]);
    const causes = () => admin.get(`/api/admin/imports/${result.id}/causes`);
    const devices = "There are 4 devices, but device_limit is 3.";
    const date = "expires must be a date such as 2026-11-27 or 2026-11-27T14:30:00Z.";
    expect((await causes()).body).toEqual([
      { field: "expires", value: null, reason: date, lines: 3 },
      { field: "game", value: "CHESS", reason: "There is no game CHESS.", lines: 2 },
      { field: "devices", value: null, reason: devices, lines: 2 },
      { field: "owner", value: "unknown.one", reason: "There is no reseller unknown.one.", lines: 1 },
      { field: "game", value: "chess", reason: "There is no game chess.", lines: 1 },
      { field: null, value: null, reason: "A quote in this line is never closed.", lines: 1 },
    ]);
    panel.clock.now += 31 * msPerDay;
    await panel.server.importRetention.eraseOld();
    admin = await signInAdmin(panel.newClient);
    expect((await causes()).body).toEqual([]);
  });

  test("reads a file of other names and dates, and refuses what it cannot read by", async () => {
    const file = ["key,game,expires,owner,status", "A-1,CHESS,31.01.2026,owl,sold"];
    const query = "value=game%3Achess%3DFREE+FIRE&value=owner%3AOWL%3Dseller&dates=dmy&map=status%3D";
    expect(await imported(file, `?${query}`)).toMatchObject({ valid: 1 });
    expect(await keyNamed("A-1")).toMatchObject({ game: "FREE FIRE", owner: "Seller" });
    for (const [wrong, path] of [
      ["value=key%3Aa%3Db", "value"],
      [`value=game%3A${"a".repeat(512)}`, "value"],
      ["dates=ymd", "dates"],
      [`name=${"n".repeat(256)}`, "name"],
      ["name=a%E2%80%8Bb", "name"],
    ]) {
      expect(await send(file.join("\n"), `?${wrong}`)).toMatchObject({ status: 422, body: { errors: [{ path }] } });
    }
  });

  test("is listed with its file, newest first, and a dry run is not", async () => {
    expect((await admin.get("/api/admin/imports")).body).toEqual([]);
    await imported([head, line("A-1")]);
    await imported([head, line("A-2")], "?dryRun=true&name=dry.csv");
    const { id } = await imported(
      [head, line("A-1"), line("A-2"), line("A-3", { game: "CHESS" })],
      "?name=my+keys.csv",
    );
    await undo(id);
    const first = { id: 1, at: isoOf(panel.clock.now), by: "admin", fileName: null, state: "finished" };
    const second = { ...first, id, fileName: "my keys.csv", state: "undone" };
    const rows = [
      { ...second, valid: 1, duplicate: 1, wrong: 1 },
      { ...first, valid: 1, duplicate: 0, wrong: 0 },
    ];
    expect((await admin.get("/api/admin/imports")).body).toEqual(rows);
    const page = await admin.get("/api/admin/imports?limit=1");
    expect(page.body).toEqual(rows.slice(0, 1));
    const [, next = ""] = page.headers.get("link")?.match(/<([^>]*)>/) ?? [];
    expect((await admin.get(next)).body).toEqual(rows.slice(1));
  });

  test("takes keys of a retired game", async () => {
    const { body } = await admin.get("/api/admin/games");
    const { id } = body.find(({ name }: { name: string }) => name === "FREE FIRE");
    await admin.call("PUT", `/api/admin/games/${id}`, { isRetired: true });
    expect(await imported([head, line("A-1")])).toMatchObject({ valid: 1 });
    expect(await verify("A-1", "phone")).toMatchObject({ code: "VALID" });
  });

  test("of more lines than a batch handles each of them once", async () => {
    const lines = Array.from({ length: 250 }, (_, index) => line(`KEY-${index}`, { owner: index % 2 ? "seller" : "" }));
    const result = await imported([head, ...lines, line("key-7")], "", "text/csv; charset=utf-8");
    expect(result).toMatchObject({ valid: 250, duplicate: 1, done: 251, total: 251 });
    expect((await admin.get("/api/admin/resellers")).body).toMatchObject([{ totalKeys: 125 }]);
  });

  test("takes JSON lines, other headings by map, and owner and game for lines without", async () => {
    const result = await imported(
      [JSON.stringify({ "Serial, No.": "J-1", Ends: "2026-01-31" }), JSON.stringify({ "Serial, No.": "J-2" })],
      "?map=key%3DSerial%2C%20No.&map=expires%3DEnds&owner=seller&game=FREE+FIRE",
      "application/x-ndjson",
    );
    expect(result).toMatchObject({ valid: 1, wrong: 1 });
    expect(await keyNamed("J-1")).toMatchObject({ owner: "Seller", game: "FREE FIRE" });
  });

  test("writes one row of the audit log, and its report another when it is downloaded", async () => {
    const result = await imported([head, line("A-1")]);
    await report(result);
    expect((await admin.get("/api/admin/audit?search=import")).body).toMatchObject([
      { action: "data_downloaded", target: "report of import 1" },
      { action: "keys_imported", target: "import 1", details: { lines: 1 }, actor: { username: "admin" } },
    ]);
  });

  test("is one event for the admins' webhooks once it is finished, and its undo none", async () => {
    await admin.post("/api/admin/webhooks", {
      kind: "standard",
      url: "https://example.com",
      events: ["keys.imported"],
    });
    const { id } = await imported([head, line("A-1"), line("S-1", { owner: "seller" }), line("a-1")]);
    await imported([head, line("A-2")], "?dryRun=true");
    await undo(id);
    const deliveries = await panel.database.read<{ data: string }>`SELECT data FROM webhook_deliveries`;
    expect(deliveries.map(({ data }) => JSON.parse(data))).toEqual([
      { by: "admin", count: 2, keyIds: [expect.any(Number), expect.any(Number)] },
    ]);
  });

  test("is refused without a key column or a key, as another type, over 200 MiB, and while the clock is ahead", async () => {
    expect(await send("name,game\na,b")).toMatchObject({ status: 422, body: { code: "INVALID" } });
    const isWithoutKeys = { status: 422, body: { code: "INVALID", message: "The file has no keys." } };
    expect(await send(`${head}\n`)).toMatchObject(isWithoutKeys);
    expect(await send(`${head}\n`, "?dryRun=true")).toMatchObject(isWithoutKeys);
    expect(await send("[]", "", "application/x-ndjson")).toMatchObject(isWithoutKeys);
    expect(await send("{}", "", "application/json")).toMatchObject({ status: 415, body: { code: "NOT_JSON" } });
    expect(await send(head, "?dryRun=yes")).toMatchObject({ status: 422, body: { errors: [{ path: "dryRun" }] } });
    expect(await send(head, "?map=key")).toMatchObject({ status: 422, body: { code: "INVALID" } });
    const tooLarge = { "content-type": "text/csv", "content-length": String(201 * 2 ** 20) };
    expect(await admin.post("/api/admin/imports", head, tooLarge)).toMatchObject({ status: 413 });
    panel.clock.isAhead = true;
    expect(await send(head)).toMatchObject({ status: 503, body: { code: "CLOCK_AHEAD" } });
    expect((await admin.get("/api/admin/audit?action=keys_imported")).body).toEqual([]);
    for (const path of ["1", "1/report", "4"]) expect((await admin.get(`/api/admin/imports/${path}`)).status).toBe(404);
  });
});

test("an owner or a game that does not exist refuses the call before the file is read", async () => {
  let isRead = false;
  const pull = (controller: ReadableStreamDefaultController) => {
    isRead = true;
    controller.close();
  };
  const refusedFor = async (query: string) => {
    const headers = { "content-type": "text/csv", cookie: admin.cookies() };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const request = new Request(`http://localhost/api/admin/imports?${query}`, { method: "POST", headers, body });
    const response = await panel.app.fetch(request);
    return { status: response.status, ...(await response.json()) };
  };
  for (const [query, path, message] of [
    ["owner=unknown.one", "owner", "There is no reseller unknown.one."],
    ["owner=admin", "owner", "There is no reseller admin."],
    ["game=CHE%00SS", "game", "There is no game CHE SS."],
  ]) {
    expect(await refusedFor(`${query}`)).toMatchObject({ status: 422, code: "INVALID", errors: [{ path, message }] });
  }
  expect({ isRead, imports: await panel.database.read`SELECT 1 FROM imports` }).toEqual({ isRead: false, imports: [] });
  expect(await imported([head, line("A-1")], "?owner=&game=")).toMatchObject({ valid: 1 });
});

test("the same file again is refused while it is being imported, but may be checked", async () => {
  const file = [head, ...Array.from({ length: 1_000 }, (_, index) => line(`KEY-${index}`))].join("\n");
  const { body } = await send(file);
  const isUnderWay = { code: "IMPORT_UNDER_WAY", message: "This file is being imported already." };
  expect(await send(file)).toMatchObject({ status: 409, body: isUnderWay });
  expect(await send(file, "?owner=seller")).toMatchObject({ status: 409, body: isUnderWay });
  expect((await send(file, "?dryRun=true")).status).toBe(202);
  expect((await send(`${file}\n`)).status).toBe(202);
  expect((await undo(body.id)).status).toBe(200);
  expect((await send(file)).status).toBe(202);
});

test("a file that breaks off, or grows beyond 200 MiB, is not imported", async () => {
  const upload = (body: ReadableStream) => {
    const headers = { "content-type": "text/csv", cookie: admin.cookies() };
    return panel.app.fetch(new Request("http://localhost/api/admin/imports", { method: "POST", headers, body }));
  };
  const begun = Buffer.from(`${head}\n${line("A-1")}\n`);
  const broken = new ReadableStream({
    pull(controller) {
      controller.enqueue(begun);
      controller.error(new Error("The client is gone."));
    },
  });
  expect((await upload(broken)).status).toBe(422);

  const piece = new Uint8Array(2 ** 20).fill(65);
  let pieces = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pieces += 1;
      controller.enqueue(pieces === 1 ? begun : piece);
    },
  });
  expect((await upload(endless)).status).toBe(413);
  expect(pieces).toBeLessThan(205);
  await panel.server.importWork.run();
  expect(await verify("A-1", "phone")).toMatchObject({ code: "NOT_FOUND" });
});

describe("a dry run", () => {
  const file = [head, line("A-1", { owner: "seller" }), line("a-1"), line("OLD-1"), line("A-2", { game: "CHESS" })];

  test("has the same report and imports nothing", async () => {
    await imported([head, line("OLD-1")]);
    const dry = await imported(file, "?dryRun=true");
    expect(dry).toMatchObject({ state: "finished", valid: 1, duplicate: 2, wrong: 1, done: 4, total: 4, orderIds: [] });
    expect(await verify("A-1", "phone")).toMatchObject({ code: "NOT_FOUND" });
    expect((await admin.get("/api/admin/audit?action=keys_imported")).body).toHaveLength(1);
    expect(await undo(dry.id)).toMatchObject({ status: 409, body: { code: "NOT_UNDOABLE" } });
    const real = await imported(file);
    expect(await report(real)).toEqual(await report(dry));
  });
});

describe("an undo", () => {
  const file = [
    head,
    line("A-1", { devices: "phone" }),
    line("S-1", { owner: "seller", note: "noted", devices: "one two" }),
  ];

  test("deletes the keys and frees their texts; the orders stay, with count 0", async () => {
    const { id, orderIds } = await imported(file);
    await verify("A-1", "phone");
    const { id: keyId } = await keyNamed("S-1");
    await admin.call("DELETE", `/api/admin/keys/${keyId}`);
    await verify("S-1", "one");
    await panel.server.statistics.write();
    expect(await undo(id)).toMatchObject({ status: 200, body: { state: "undone", orderIds } });
    expect(await verify("A-1", "phone")).toMatchObject({ code: "NOT_FOUND" });
    expect((await admin.get(`/api/admin/keys/${keyId}/details`)).status).toBe(404);
    for (const orderId of orderIds) {
      const undone = { importId: id, undoneAt: isoOf(panel.clock.now), count: 0, keys: [] };
      expect((await admin.get(`/api/admin/orders/${orderId}`)).body).toMatchObject(undone);
    }
    expect((await admin.get("/api/admin/stats")).body).toMatchObject({ activeKeys: 0, totalAdminKeys: 0 });
    expect((await admin.get("/api/admin/audit?action=import_undone")).body).toMatchObject([
      { target: `import ${id}`, details: { keys: 2 } },
    ]);
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: "ALREADY_UNDONE" } });
    expect(await imported(file)).toMatchObject({ valid: 2 });
  });

  test("drops refusals of its keys that were counted before, and are written after it", async () => {
    const { id } = await imported(file);
    await admin.call("DELETE", `/api/admin/keys/${(await keyNamed("A-1")).id}`);
    await verify("A-1", "phone");
    await undo(id);
    await panel.server.statistics.write();
    expect(await panel.database.read`SELECT 1 FROM key_refusals`).toEqual([]);
  });

  const isInUse = { status: 409, body: { code: "IMPORT_IN_USE" } };

  test("is refused once a device has connected to any key, even if it was removed since", async () => {
    const { id } = await imported(file);
    expect(await verify("S-1", "three")).toMatchObject({ code: "VALID" });
    expect(await undo(id)).toMatchObject(isInUse);
    await admin.post("/api/admin/keys/reset-devices");
    expect(await undo(id)).toMatchObject(isInUse);
    expect(await verify("A-1", "phone")).toMatchObject({ code: "VALID" });
  });

  test("is not refused because imported devices are removed, or keys changed without payment", async () => {
    const { id } = await imported(file);
    await admin.post("/api/admin/keys/reset-devices");
    const { id: keyId } = await keyNamed("S-1");
    await admin.post(`/api/admin/keys/${keyId}/extend`, { hours: 24 });
    await admin.post(`/api/admin/keys/${keyId}/pause`);
    expect((await undo(id)).status).toBe(200);
  });

  test("is refused once something was paid for a key", async () => {
    const { id } = await imported(file);
    const { id: keyId } = await keyNamed("S-1");
    expect((await seller.post(`/api/reseller/keys/${keyId}/extend`, { days: 5 })).status).toBe(200);
    expect(await undo(id)).toMatchObject(isInUse);
  });

  test("stops an import that is still running", async () => {
    const { body } = await send([head, ...Array.from({ length: 300 }, (_, index) => line(`K-${index}`))].join("\n"));
    expect(await undo(body.id)).toMatchObject({ status: 200, body: { state: "undone" } });
    await panel.server.importWork.run();
    expect((await admin.get("/api/admin/stats")).body).toMatchObject({ activeKeys: 0 });
    expect((await opened(body.id)).state).toBe("undone");
  });

  test("lets no device connect, and nothing be paid, while its keys are being deleted", async () => {
    const { id, orderIds } = await imported(file);
    const { id: keyId } = await keyNamed("S-1");
    await panel.database.transaction(null, ({ sql }) => sql`UPDATE orders SET undone_at = 1 WHERE import_id = ${id}`);
    const connecting = await panel
      .newClient()
      .post("/api/verify", { key: "S-1", game: "FREE FIRE", deviceId: "three" });
    expect(connecting).toMatchObject({ status: 503, body: { code: "BUSY", valid: false } });
    expect((await seller.post(`/api/reseller/keys/${keyId}/extend`, { days: 5 })).status).toBe(404);
    await panel.server.importWork.run();
    expect((await admin.get(`/api/admin/orders/${orderIds[0]}`)).body).toMatchObject({ count: 0 });
  });

  test("of an unknown import is a 404", async () => {
    expect((await undo(99)).status).toBe(404);
  });
});

describe("retention", () => {
  test("erases reports after 30 days and broken-off uploads after 2 hours, and keeps the keys", async () => {
    const kept = await imported([head, line("A-1")]);
    const dry = await imported([head, line("A-2")], "?dryRun=true");
    await panel.database.transaction(
      null,
      ({ sql }) =>
        sql`INSERT INTO imports (made_by, created_at, is_dry_run, state) VALUES (1, ${panel.clock.now}, 0, 'reading')`,
    );
    const count = async () => (await panel.database.read`SELECT 1 FROM imports`).length;
    await panel.server.importRetention.eraseOld();
    expect(await count()).toBe(3);
    panel.clock.now += 3 * msPerHour;
    await panel.server.importRetention.eraseOld();
    expect(await count()).toBe(2);
    panel.clock.now += 30 * msPerDay;
    admin = await signInAdmin(panel.newClient);
    await panel.server.importRetention.eraseOld();
    expect(await report(kept)).toEqual(["line,key,result,reason"]);
    expect(await opened(kept.id)).toMatchObject({ state: "finished", valid: 1 });
    expect((await admin.get(`/api/admin/imports/${dry.id}`)).status).toBe(404);
    expect((await keyNamed("A-1")).status).toBe("ACTIVE");
  });
});
