import { afterAll, beforeAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../client.ts";
import { makePostgresDatabase } from "../database.ts";
import { connectLive } from "../live-socket.ts";
import { parallel } from "../parallel.ts";
import { startPostgres, type TestPostgres } from "../postgres-server.ts";
import { type Latchkey, sharedSecret, startLatchkey } from "../process.ts";
import { startTcpProxy, type TcpProxy } from "../tcp-proxy.ts";

const order = { game: "FREE FIRE", deviceLimit: 1, days: 10, count: 1 };

/** Repeats a call until its response is as expected, because a fault has no fixed duration. */
async function until<ApiResponse>(
  ask: () => Promise<ApiResponse>,
  isExpected: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  for (;;) {
    const response = await ask();
    if (isExpected(response)) return response;
    await new Promise(setImmediate);
  }
}

/** Buys keys until stopped, and counts acknowledged purchases and refusals. */
function buyEndlessly(buyer: Client) {
  const refused: { status: number; retryAfter: string | null }[] = [];
  let acknowledged = 0;
  let isOver = false;
  const buying = parallel(4, async () => {
    while (!isOver) {
      const { status, headers } = await buyer.post("/api/reseller/keys/generate", order);
      if (status === 201) acknowledged += 1;
      else refused.push({ status, retryAfter: headers.get("retry-after") });
    }
  });
  return {
    count: () => acknowledged,
    async end() {
      isOver = true;
      await buying;
      return { acknowledged, refused };
    },
  };
}

/** Each acknowledged purchase exists and is paid once. A purchase without a response may exist too. */
async function expectPaidOnce(
  buyer: Client,
  credits: number,
  { acknowledged, refused }: Awaited<ReturnType<ReturnType<typeof buyEndlessly>["end"]>>,
) {
  const keys = (await buyer.get("/api/reseller/keys")).body.length;
  expect(keys).toBeGreaterThanOrEqual(acknowledged);
  expect(keys).toBeLessThanOrEqual(acknowledged + refused.length);
  expect((await buyer.get("/api/reseller/profile")).body.credits).toBe(credits - keys);
  for (const each of refused) expect(each).toEqual({ status: 503, retryAfter: expect.any(String) });
}

let postgres: TestPostgres;
let direct: Bun.SQL;
let proxy: TcpProxy;
let latchkey: Latchkey;
let admin: Client;
beforeAll(async () => {
  postgres = await startPostgres();
  proxy = await startTcpProxy([Number(new URL(postgres.url).port)]);
  const { url } = await makePostgresDatabase(postgres.url);
  direct = new SQL(url, { max: 1 });
  const through = new URL(url);
  through.port = String(proxy.port);
  latchkey = await startLatchkey({ environment: { DATABASE_URL: through.href, SECRET: sharedSecret } });
  admin = await signInAdmin(() => createClient(latchkey.url));
}, 60_000);
afterAll(async () => {
  await latchkey.stop();
  await direct.close();
  await proxy.stop();
  await postgres.stop();
});

const newBuyer = (username: string): Promise<ResellerClient> =>
  registerReseller(() => createClient(latchkey.url), admin, { username, credits: 100_000 });

test("a database restart during purchases loses and duplicates none, and the server recovers by itself", async () => {
  const buyer = await newBuyer("buyer1");
  const purchases = buyEndlessly(buyer);
  await until(
    async () => purchases.count(),
    (count) => count >= 20,
  );
  await postgres.restart();
  const before = purchases.count();
  await until(
    async () => purchases.count(),
    (count) => count > before + 20,
  );
  await expectPaidOnce(buyer, 100_000, await purchases.end());
  expect((await createClient(latchkey.url).get("/readyz")).status).toBe(200);
  await until(
    async () => latchkey.output(),
    (output) => output.includes("The database's notifications are arriving again."),
  );
  // Bun must not print messages about reconnecting outside the log.
  for (const line of latchkey.output().trim().split("\n")) expect(line).toStartWith("{");
}, 60_000);

test("a silent network failure causes 503s, and everything works again afterwards, including the live channel", async () => {
  const buyer = await newBuyer("buyer2");
  const open = async ({ id, cookie }: ResellerClient) => {
    const opened = await connectLive(latchkey.url, { cookie: cookie(), origin: latchkey.url });
    opened.send({ type: "auth", resellerId: id });
    expect(await opened.next()).toEqual({ type: "auth_success" });
    return opened;
  };
  const socket = await open(buyer);
  const suspended = await newBuyer("suspended");
  const socketOfSuspended = await open(suspended);
  const purchases = buyEndlessly(buyer);
  await until(
    async () => purchases.count(),
    (count) => count >= 20,
  );
  proxy.cut();
  const cutOff = await createClient(latchkey.url).post("/api/verify", {
    key: "ABCDE-FGHIJ",
    deviceId: "a",
    game: "FREE FIRE",
  });
  expect([cutOff.status, cutOff.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
  proxy.mend();
  const before = purchases.count();
  await until(
    async () => purchases.count(),
    (count) => count > before + 20,
  );
  await expectPaidOnce(buyer, 100_000, await purchases.end());

  // What happens while the server does not listen is told afterwards.
  await direct`UPDATE resellers SET is_active = 0 WHERE id = ${suspended.id}`;
  await direct`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE 'LISTEN %'`;
  const nextButCredits = (live: typeof socket) =>
    // Once the server listens again, pages may get a message to reload their credits, because events may have been
    // missed.
    until(
      async () => (await live.next()) as { type: string },
      ({ type }) => type !== "credits_change",
    );
  expect(await nextButCredits(socketOfSuspended)).toMatchObject({ type: "status_change", isActive: false });
  socketOfSuspended.close();
  await admin.post(`/api/admin/resellers/${buyer.id}/toggle-status`, { isActive: false });
  expect(await nextButCredits(socket)).toMatchObject({ type: "status_change", isActive: false });
  expect((await buyer.get("/api/reseller/profile")).status).toBe(401);
  socket.close();
}, 90_000);
