import { type Client, createClient, signInAdmin } from "../../client.ts";
import { adminLogin } from "../../process.ts";
import { type Bench, type Findings, keysFew, resellersFew } from "../bench.ts";
import { spreadOf } from "../compare.ts";
import { atMost, stated, times } from "../goal.ts";
import type { Server } from "../server.ts";

const slowerTimesMax = 2;
const askedPerRound = 8;
const limit = 50;

/** What people open, with the rows that a screen asks for at first. */
const opened = {
  admin: [
    "/admin",
    "/admin/resellers",
    "/api/admin/stats",
    `/api/admin/resellers?limit=${limit}`,
    `/api/admin/keys/manage?limit=${limit}`,
    `/api/admin/keys/manage?limit=${limit}&status=REVOKED`,
    `/api/admin/keys/manage?limit=${limit}&search=9VJW5`,
    `/api/admin/tokens?limit=${limit}`,
    `/api/admin/audit?limit=${limit}`,
    "/api/admin/backup/collections",
    "/admin/keys/2",
    "/admin/orders/1",
    `/api/admin/orders?limit=${limit}`,
    "/api/admin/orders/1",
    "/api/admin/keys/2/details",
    "/api/admin/keys/2/timeline",
    "/api/admin/figures?days=30",
    "/api/admin/condition",
  ],
  adminAtOneReseller: [
    "/admin/resellers/3",
    "/api/admin/resellers/3",
    `/api/admin/resellers/3/keys?limit=${limit}`,
    `/api/admin/resellers/3/ledger?limit=${limit}`,
    `/api/admin/resellers/3/orders?limit=${limit}`,
  ],
  reseller: [
    "/reseller",
    "/reseller/keys",
    "/reseller/orders",
    "/reseller/credits",
    `/api/reseller/keys?limit=${limit}`,
    `/api/reseller/keys?limit=${limit}&search=9VJW5`,
    `/api/reseller/orders?limit=${limit}`,
    `/api/reseller/orders?limit=${limit}&search=nothing`,
    `/api/reseller/ledger?limit=${limit}`,
    "/api/reseller/profile",
    "/api/reseller/figures?days=30",
  ],
};

/** What is typed into the one box: a rare text, the beginning of every text, a part of many, a note, nothing that there is. */
const searched = ["00042", "PBGM", "00", "customer 9", "nothing"];
const searchMsMax = 50;

/**
 * P6: how much longer a page takes where there are very many keys and resellers than where there are a hundred of each. What is of one reseller
 * is compared with one of two that have the hundred keys, so that the pages of its lists are as full.
 */
export async function pages(bench: Bench): Promise<Findings> {
  const among = async (keys?: number, resellers?: number) => {
    const { admin, reseller } = await people(await bench.latchkey(keys, resellers));
    return { admin, adminAtOneReseller: admin, reseller };
  };
  const many = await among();
  const few = { ...(await among(keysFew, resellersFew)), admin: (await among(keysFew)).admin };
  // The first page that is opened after a start has the texts of all keys read for searches, which takes some seconds: a search waits for them.
  for (const { admin, adminAtOneReseller } of [few, many])
    for (const client of new Set([admin, adminAtOneReseller]))
      for (const path of ["/admin", "/api/admin/search?q=nothing"]) await answerMs(client, path);
  const paths = (["admin", "adminAtOneReseller", "reseller"] as const).flatMap((who) =>
    opened[who].map((path) => ({ path, who })),
  );
  const goals = [];
  for (const { path, who } of paths) {
    const [ofFew, ofMany]: [number[], number[]] = [[], []];
    for (let asked = 0; asked < bench.rounds * askedPerRound; asked += 1) {
      ofFew.push(await answerMs(few[who], path));
      ofMany.push(await answerMs(many[who], path));
    }
    const [before, after] = [spreadOf(ofFew).median, spreadOf(ofMany).median];
    goals.push({ path, ratio: after / before, text: `${before.toFixed(1)} to ${after.toFixed(1)} ms` });
  }
  const work = `a page or list, from ${keysFew} to ${bench.keys} keys`;
  const [slowest] = goals.toSorted((a, b) => b.ratio - a.ratio) as [(typeof goals)[number]];
  return {
    rows: [],
    goals: [
      times("P6", `${work}, the one that grows most`, { max: slowerTimesMax }, slowest.ratio),
      ...goals.map(({ path, text }) => stated("P6", `\`${path}\``, text)),
      ...(await searches(many, bench)),
    ],
  };
}

/** The slowest of what is typed into the one box, where there are very many keys. */
async function searches({ admin, reseller }: Awaited<ReturnType<typeof people>>, { rounds, keys }: Bench) {
  const goals = [];
  for (const [whose, client, path] of [
    ["an admin's", admin, "/api/admin/search"],
    ["a reseller's", reseller, "/api/reseller/search"],
  ] as const) {
    const medians = [];
    for (const text of searched) {
      const taken: number[] = [];
      for (let asked = 0; asked < rounds * askedPerRound; asked += 1)
        taken.push(await answerMs(client, `${path}?q=${encodeURIComponent(text)}`));
      medians.push(spreadOf(taken).median);
    }
    const found = Math.max(...medians);
    goals.push(atMost("P6", `${whose} search of everything, ${keys} keys, the slowest`, searchMsMax, "ms", found));
  }
  return goals;
}

async function people({ url }: Server): Promise<{ admin: Client; reseller: Client }> {
  const reseller = createClient(url);
  // Filled accounts have the first admin's password.
  const login = { username: "reseller00001", password: adminLogin.password };
  const answer = await reseller.post("/api/auth/reseller/login", login);
  if (answer.status !== 200) throw new Error(`A reseller could not sign in: ${answer.text}`);
  return { admin: await signInAdmin(() => createClient(url)), reseller };
}

async function answerMs(client: Client, path: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await client.get(path);
  if (status !== 200) throw new Error(`${path} was answered: ${text}`);
  return performance.now() - startedAt;
}
