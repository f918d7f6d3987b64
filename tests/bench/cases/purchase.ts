import { type Client, createClient } from "../../client.ts";
import { adminLogin } from "../../process.ts";
import type { Bench, Findings } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { atMost, times } from "../goal.ts";
import type { Server } from "../server.ts";

const batchKeys = 100;
const batchTimesMax = 10;
const buyers = 100;
const slowestMsMax = 250;

/** The server lets 40 sign-ins wait; more at once would be told to come back. */
const signInsAtOnce = 20;

const purchasesPerRound = 20;

/** P7: a batch beside a single key, and as many resellers as a large shop has, all buying at one moment. */
export async function purchase(bench: Bench): Promise<Findings> {
  const resellers = await signInResellers(await bench.latchkey());
  const [first] = resellers as [Client];
  const single: number[] = [];
  const batch: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round < bench.rounds; round += 1) {
    for (let each = 0; each < purchasesPerRound; each += 1) {
      single.push(await buyMs(first, 1));
      batch.push(await buyMs(first, batchKeys));
    }
    slowest.push(Math.max(...(await Promise.all(resellers.map((reseller) => buyMs(reseller, 1))))));
  }
  const ratio = spreadOf(batch).median / spreadOf(single).median;
  return {
    rows: [],
    goals: [
      times("P7", `a batch of ${batchKeys} keys over one key`, { max: batchTimesMax }, ratio),
      atMost("P7", `${buyers} resellers buying at once, the slowest`, slowestMsMax, "ms", spreadOf(slowest).median),
    ],
  };
}

/** With credits for more than a run buys. */
export async function signInResellers(server: Server): Promise<Client[]> {
  const clients = Array.from({ length: buyers }, () => createClient(server.url));
  for (let first = 0; first < buyers; first += signInsAtOnce) {
    const group = clients.slice(first, first + signInsAtOnce);
    await Promise.all(
      group.map(async (client, index) => {
        const username = `reseller${String(first + index).padStart(5, "0")}`;
        // Filled accounts have the first admin's password.
        const answer = await client.post("/api/auth/reseller/login", { username, password: adminLogin.password });
        if (answer.status !== 200) throw new Error(`${username} could not sign in: ${answer.text}`);
      }),
    );
  }
  return clients;
}

async function buyMs(reseller: Client, count: number): Promise<number> {
  const startedAt = performance.now();
  const order = { game: "FREE FIRE", deviceLimit: 1, days: 5, count };
  const answer = await reseller.post("/api/reseller/keys/generate", order);
  if (answer.status !== 201) throw new Error(`A purchase was answered: ${answer.text}`);
  return performance.now() - startedAt;
}
