import type { Client } from "../../client.ts";
import { makePostgresDatabase } from "../../database.ts";
import { startPostgres } from "../../postgres-server.ts";
import { runLatchkey, sharedSecret } from "../../process.ts";
import { type Bench, executable, type Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { stated } from "../goal.ts";
import { load } from "../load.ts";
import { type Server, startServer } from "../server.ts";
import type { TrafficName } from "../traffic.ts";
import { signInResellers } from "./purchase.ts";

/** Enough that no cache holds all of them, and moved within seconds. */
const keys = 100_000;

const connections = 64;

interface Engine {
  name: string;
  servers: Server[];
}

/**
 * The same shop on the embedded engine, on a PostgreSQL with one process and with two. Processes share the servers' core, PostgreSQL takes what
 * either core leaves: so on two cores this says what each kind of work costs, and not yet what more machines give.
 */
export async function engines(bench: Bench): Promise<Findings> {
  const { command, environment } = await bench.startCommand(keys);
  const postgres = await startPostgres({ isDurable: true });
  const database = await makePostgresDatabase(postgres.url, { isEmpty: true });
  const moved = await runLatchkey(["move", "--to", database.url], { environment, command: [executable] });
  if (moved.code !== 0) throw new Error(`The database could not be moved: ${moved.stderr}`);
  const onPostgres = { ...environment, DATABASE_URL: database.url, SECRET: sharedSecret };
  const embedded = await startServer({ command, environment });
  const [one, other] = [
    await startServer({ command, environment: onPostgres }),
    await startServer({ command, environment: onPostgres }),
  ];
  const all: Engine[] = [
    { name: "embedded", servers: [embedded] },
    { name: "PostgreSQL, one process", servers: [one] },
    { name: "PostgreSQL, two processes", servers: [one, other] },
  ];
  try {
    const goals = [
      ...(await verified("connected device", "knownDevice", all, bench)),
      ...(await verified("new device", "newDevice", all, bench)),
      ...(await bought(all, bench)),
    ];
    return { rows: [], goals };
  } finally {
    for (const server of [embedded, one, other]) await server.stop();
    await database.drop();
    await postgres.stop();
  }
}

async function verified(what: string, traffic: TrafficName, all: Engine[], bench: Bench) {
  return inTurn(all, bench, `POST verify, ${what}`, async ({ servers }) => {
    const groups = [{ traffic, connections: connections / servers.length }];
    const reports = await Promise.all(
      servers.map(({ port }) => load({ port, seconds: bench.seconds, keys, etag: "", groups })),
    );
    return reports.flat().reduce((sum, { perSecond }) => sum + perSecond, 0);
  });
}

/** Each reseller buys one key after the other. */
async function bought(all: Engine[], bench: Bench) {
  const buyersOf = new Map<Server, Client[]>();
  for (const server of new Set(all.flatMap(({ servers }) => servers)))
    buyersOf.set(server, await signInResellers(server));
  return inTurn(all, bench, "a purchase of one key", async ({ servers }) => {
    const buyers = servers.flatMap((server, index) =>
      (buyersOf.get(server) ?? []).filter((_, buyer) => buyer % servers.length === index),
    );
    const endsAt = performance.now() + bench.seconds * 1_000;
    let count = 0;
    await Promise.all(
      buyers.map(async (buyer) => {
        while (performance.now() < endsAt) {
          const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count: 1 };
          const { status, text } = await buyer.post("/api/reseller/keys/generate", order);
          if (status !== 201) throw new Error(`A purchase was answered: ${text}`);
          count += 1;
        }
      }),
    );
    return count / bench.seconds;
  });
}

/** What each engine does a second, in rounds that take turns. */
async function inTurn(
  all: Engine[],
  { rounds }: Bench,
  work: string,
  perSecondOf: (engine: Engine) => Promise<number>,
) {
  for (const engine of all) await perSecondOf(engine);
  const figures = new Map<Engine, number[]>(all.map((engine) => [engine, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const engine of all) figures.get(engine)?.push(await perSecondOf(engine));
  }
  return all.map((engine) => {
    const { median, low, high } = spreadOf(figures.get(engine) ?? []);
    const inWords = (figure: number) => Math.round(figure).toLocaleString("en-US");
    const found = `${inWords(median)} a second (${inWords(low)} to ${inWords(high)})`;
    return stated("engines", `${work}, ${engine.name}`, found);
  });
}
