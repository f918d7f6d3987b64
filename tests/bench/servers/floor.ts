import { Database as Connection } from "bun:sqlite";

/**
 * What a good programmer writes by hand in an afternoon, and no product: Bun.serve, bun:sqlite, two prepared statements, three checks of
 * what was sent. A new device is answered when it is on the disk; `together` commits those that wait in one fsync, `each` every one alone.
 */
const [, , file = "", commits = "together"] = process.argv;
const database = new Connection(file, { readwrite: true, create: false });
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = FULL");
database.run("PRAGMA cache_size = -65536");

type Row = [
  id: number,
  game: string,
  limit: number,
  count: number,
  expiresAt: number,
  revokedAt: number | null,
  known: number,
];

const standing = database.prepare(`
  SELECT id, game, device_limit, device_count, expires_at, revoked_at,
    EXISTS (SELECT 1 FROM devices WHERE key_id = id AND device_id = ?2)
  FROM keys WHERE key_string = ?1`);
const takeSlot = database.prepare(
  "UPDATE keys SET device_count = device_count + 1 WHERE id = ? AND device_count < device_limit",
);
const addDevice = database.prepare("INSERT OR IGNORE INTO devices (key_id, device_id) VALUES (?, ?)");

const headers = { "content-type": "application/json" };
let waiting: (() => void)[] = [];

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/api/verify": {
      POST: async (request) => {
        const { key, deviceId, game } = (await request.json()) as Record<string, string>;
        if (!isText(key, 128) || !isText(deviceId, 128) || !isText(game, 32))
          return new Response(null, { status: 422 });
        const found = look(key, deviceId);
        if (found?.[1] !== game || found[6] === 1) return answer(found, game);
        if (commits === "each") begin();
        const registered = commits === "each" ? register(key, deviceId) : await inTurn(() => register(key, deviceId));
        if (commits === "each") database.run("COMMIT");
        return answer(registered, game);
      },
    },
    "/api/verify/:key/:game/:deviceId": {
      GET: ({ params }) => answer(look(params.key, params.deviceId), params.game),
    },
  },
});
console.log(`ready at http://localhost:${server.port}`);

function isText(value: string | undefined, charactersMax: number): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= charactersMax;
}

function look(key: string, deviceId: string): Row | undefined {
  return standing.values(key.toLowerCase(), deviceId)[0] as Row | undefined;
}

function begin(): void {
  database.run("BEGIN IMMEDIATE");
}

function register(key: string, deviceId: string): Row | undefined {
  const row = look(key, deviceId);
  if (!row || row[6] === 1 || takeSlot.run(row[0]).changes === 0) return row;
  addDevice.run(row[0], deviceId);
  row[3] += 1;
  row[6] = 1;
  return row;
}

/** Whoever waits when the event loop turns is written in one transaction, and answered after its commit. */
function inTurn<Result>(write: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    let result: Result;
    if (waiting.length === 0) setImmediate(commitAll);
    waiting.push(() => {
      result = write();
      answered.push(() => resolve(result));
    });
  });
}

let answered: (() => void)[] = [];

function commitAll(): void {
  const writes = waiting;
  waiting = [];
  answered = [];
  begin();
  for (const write of writes) write();
  database.run("COMMIT");
  for (const tell of answered) tell();
}

function answer(row: Row | undefined, game: string | undefined): Response {
  if (row?.[1] !== game)
    return json({ valid: false, code: "NOT_FOUND", message: "There is no such key for this game." });
  const [, , deviceLimit, currentDevices, expiresAt, revokedAt, known] = row as Row;
  const isFull = known === 0 && currentDevices >= deviceLimit;
  const valid = revokedAt === null && expiresAt > Date.now() && !isFull;
  const code = valid ? "VALID" : "REFUSED";
  const expiry = new Date(expiresAt).toISOString();
  return json({ valid, code, message: "The key is valid on this device.", expiry, deviceLimit, currentDevices });
}

function json(body: object): Response {
  return new Response(JSON.stringify(body), { headers });
}
