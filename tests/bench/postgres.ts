import { type Client, createClient } from "../client.ts";
import { makePostgresDatabase } from "../database.ts";
import { NoPostgres, startPostgres, type TestPostgres } from "../postgres-server.ts";
import { runLatchkey, sharedSecret } from "../process.ts";
import { startTcpProxy } from "../tcp-proxy.ts";
import { type Bench, type Figure, inRounds, median } from "./bench.ts";
import { load } from "./load.ts";
import { buyMs, signInResellers } from "./purchases.ts";
import type { Server } from "./server.ts";

const keysOnPostgres = 100_000;
const delayMs = 2;

/** Returns the reason if PostgreSQL is missing. */
export async function postgres(bench: Bench): Promise<Figure[] | string> {
  let engine: TestPostgres;
  try {
    engine = await startPostgres({ isDurable: true });
  } catch (error) {
    if (error instanceof NoPostgres) return error.message;
    throw error;
  }
  const { url } = await makePostgresDatabase(engine.url, { isEmpty: true });
  const keys = Math.min(bench.keys, keysOnPostgres);
  const folder = await bench.dataFolder(keys);
  const proxy = await startTcpProxy([Number(new URL(url).port)], { delayMs });
  const serveOn = (address: string) => bench.serve(folder, { DATABASE_URL: address, SECRET: sharedSecret });
  try {
    const command = [bench.executable];
    const moved = await runLatchkey(["move", "--to", url], { command, environment: { DATA_DIR: folder } });
    if (moved.code !== 0) throw new Error(`The database could not be moved: ${moved.stderr}`);
    const near = await serveOn(url);
    const perSecond = await connectedPerSecond(bench, near, keys);
    await near.stop();
    const far = Object.assign(new URL(url), { port: proxy.port }).href;
    const [one, other] = [await serveOn(far), await serveOn(far)];
    const figures = [{ value: perSecond }, await twoOverOne(bench, one, other)];
    for (const server of [one, other]) await server.stop();
    return figures;
  } finally {
    await proxy.stop();
    await engine.stop();
  }
}

async function connectedPerSecond({ rounds, seconds }: Bench, { port }: Server, keys: number): Promise<number> {
  const reports = await inRounds(rounds + 1, () => load({ port, kind: "connected", keys: { count: keys }, seconds }));
  // The first round warms up.
  return median(reports.slice(-rounds).map(({ perSecond }) => perSecond));
}

async function twoOverOne({ rounds, seconds }: Bench, one: Server, other: Server): Promise<Figure> {
  const onOne = await signInResellers(one);
  // Sessions are in the database, so the other process knows them too.
  const onOther = onOne.map((client) => createClient(other.url, withCookie(client.cookie())));
  const onBoth = onOne.map((client, index) => (index % 2 === 0 ? client : (onOther[index] as Client)));
  const rates = await inRounds(rounds, async () => ({
    one: await buysPerSecond(onOne, seconds),
    both: await buysPerSecond(onBoth, seconds),
  }));
  const [oneRate, bothRate] = [median(rates.map((each) => each.one)), median(rates.map((each) => each.both))];
  return { value: bothRate / oneRate, note: `${oneRate.toFixed(0)} to ${bothRate.toFixed(0)} a second` };
}

const withCookie = (cookie: string) => (request: Request) => {
  request.headers.set("cookie", cookie);
  return fetch(request);
};

async function buysPerSecond(resellers: Client[], seconds: number): Promise<number> {
  const startedAt = performance.now();
  const elapsedSeconds = () => (performance.now() - startedAt) / 1_000;
  const bought = await Promise.all(
    resellers.map(async (reseller) => {
      let count = 0;
      for (; elapsedSeconds() < seconds; count += 1) await buyMs(reseller, 1);
      return count;
    }),
  );
  return bought.reduce((sum, count) => sum + count, 0) / elapsedSeconds();
}
