import { Database } from "bun:sqlite";
import { Elysia, t } from "elysia";

/**
 * What an engineer writes in an afternoon: Elysia and prepared SQL on a copy of the same database, without limits,
 * statistics or a panel. Devices that arrive together share a commit, which is on disk before they get a response.
 */
const database = new Database(process.argv[2]);
for (const setting of ["journal_mode = WAL", "synchronous = FULL", "cache_size = -65536"])
  database.run(`PRAGMA ${setting}`);

interface KeyRow {
  id: number;
  game: string;
  device_limit: number;
  expires_at: number;
  revoked_at: number | null;
  device_count: number;
  is_connected: 0 | 1;
}

const find = database.query<KeyRow, [key: string, deviceId: string]>(`
  SELECT k.id, g.name AS game, k.device_limit, k.expires_at, k.revoked_at,
    (SELECT count(*) FROM key_devices WHERE key_id = k.id) AS device_count,
    EXISTS (SELECT 1 FROM key_devices WHERE key_id = k.id AND device_id = ?2) AS is_connected
  FROM license_keys k JOIN games g ON g.id = k.game_id WHERE k.normal_form = lower(?1)`);
const connect = database.prepare("INSERT INTO key_devices (key_id, device_id, first_connected_at) VALUES (?, ?, ?)");

const listUpdates = database.query(`
  SELECT id, title, message, button_text AS buttonText, link_url AS linkUrl, created_at AS createdAt
  FROM online_updates WHERE is_active = 1 ORDER BY id DESC LIMIT 50`);

const VerifyFields = t.Object({
  key: t.String({ minLength: 1, maxLength: 128 }),
  game: t.String({ minLength: 1, maxLength: 40 }),
  deviceId: t.String({ minLength: 1, maxLength: 128 }),
});
type VerifyFields = typeof VerifyFields.static;

function verify(request: VerifyFields) {
  const row = find.get(request.key, request.deviceId);
  return isNew(row, request) ? inSharedCommit(() => register(request)) : verdictOf(row, request);
}

function register(request: VerifyFields) {
  const row = find.get(request.key, request.deviceId);
  if (!isNew(row, request)) return verdictOf(row, request);
  connect.run(row.id, request.deviceId, Date.now());
  return verdictOf({ ...row, device_count: row.device_count + 1, is_connected: 1 }, request);
}

function isNew(row: KeyRow | null, request: VerifyFields): row is KeyRow {
  return row?.is_connected === 0 && verdictOf(row, request).valid;
}

function verdictOf(row: KeyRow | null, { game }: VerifyFields) {
  if (row?.game !== game) return { valid: false, code: "NOT_FOUND", message: "There is no such key for this game." };
  const isFull = row.is_connected === 0 && row.device_count >= row.device_limit;
  const valid = row.revoked_at === null && row.expires_at > Date.now() && !isFull;
  const facts = { deviceLimit: row.device_limit, currentDevices: row.device_count };
  const message = "The key is valid on this device.";
  return {
    valid,
    code: valid ? "VALID" : "REFUSED",
    message,
    expiry: new Date(row.expires_at).toISOString(),
    ...facts,
  };
}

let waiting: (() => () => void)[] = [];

function inSharedCommit<Result>(write: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push(() => {
      const result = write();
      return () => resolve(result);
    });
  });
}

function commit() {
  const writes = waiting;
  waiting = [];
  database.run("BEGIN IMMEDIATE");
  const settle = writes.map((write) => write());
  database.run("COMMIT");
  for (const resolve of settle) resolve();
}

new Elysia({ precompile: true, handler: { standardHostname: false } })
  .post("/api/verify", ({ body }) => verify(body), { body: VerifyFields, parse: "json" })
  .get("/api/verify/:key/:game/:deviceId", ({ params }) => verdictOf(find.get(params.key, params.deviceId), params), {
    params: VerifyFields,
  })
  .get("/api/updates", ({ headers }) => {
    const text = JSON.stringify(listUpdates.all());
    const etag = `"${Bun.hash(text).toString(36)}"`;
    if (headers["if-none-match"] === etag) return new Response(null, { status: 304, headers: { etag } });
    return new Response(text, { headers: { etag, "content-type": "application/json" } });
  })
  .listen({ port: Number(process.env.PORT), hostname: "127.0.0.1" });
