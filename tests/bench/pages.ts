import { type Client, createClient, signInAdmin } from "../client.ts";
import { adminLogin } from "../process.ts";
import { type Bench, type Figure, inRounds, median } from "./bench.ts";
import { keyText } from "./key-space.ts";
import type { Server } from "./server.ts";

const keysFew = 100;
const resellersFew = 2;

/** Limits are at most the number of rows in the small database, so that both databases return as many. */
const paths = {
  admin: [
    ..."/admin /admin/resellers /admin/resellers/3 /admin/keys/2 /admin/orders/1".split(" "),
    "/api/admin/stats",
    "/api/admin/figures?days=30",
    "/api/admin/figures/resellers?days=30",
    "/api/admin/condition",
    "/api/admin/keys/manage?limit=50",
    "/api/admin/keys/manage?limit=50&status=REVOKED",
    "/api/admin/keys/2/details",
    "/api/admin/keys/2/timeline",
    "/api/admin/orders?limit=10",
    "/api/admin/resellers?limit=2",
    "/api/admin/resellers/3",
    "/api/admin/resellers/3/keys?limit=30",
    "/api/admin/resellers/3/ledger?limit=4",
    "/api/admin/tokens?limit=50",
    "/api/admin/audit?limit=50",
    "/api/admin/backup/collections",
  ],
  reseller: [
    ..."/reseller /reseller/keys /reseller/orders /reseller/credits".split(" "),
    "/api/reseller/keys?limit=30",
    "/api/reseller/orders?limit=4",
    "/api/reseller/ledger?limit=4",
    "/api/reseller/profile",
    "/api/reseller/figures?days=30",
  ],
};
export const adminLists = paths.admin.filter((path) => path.startsWith("/api/"));
export const adminPages = paths.admin.filter((path) => !path.startsWith("/api/"));

/**
 * The end of one key, the start of every key, a part of many keys, a part of many notes, and a text that does not
 * occur.
 */
const searchedTexts = [keyText(42).slice(-5), "PBGM", "00", "customer 9", "nothing-like-this"];
const requestsPerRound = 4;

/** The page or list that grows most. */
export async function pages(bench: Bench): Promise<Figure[]> {
  const server = await bench.serve(await bench.dataFolder(keysFew, resellersFew));
  const few = await signInBoth(server);
  const many = await signInBoth(bench.large);
  const figures: Figure[] = [];
  for (const role of ["admin", "reseller"] as const)
    for (const path of paths[role]) {
      const times = await inRounds(bench.rounds * requestsPerRound, async () => ({
        few: await responseMs(few[role], path),
        many: await responseMs(many[role], path),
      }));
      const [fewMs, manyMs] = [median(times.map((each) => each.few)), median(times.map((each) => each.many))];
      figures.push({ value: manyMs / fewMs, note: `${path}, ${fewMs.toFixed(1)} to ${manyMs.toFixed(1)} ms` });
    }
  await server.stop();
  return [largest(figures)];
}

/** The slowest search in a list or of a reseller, and an admin's slowest over everything. */
export async function searches(bench: Bench): Promise<Figure[]> {
  const { admin, reseller } = await signInBoth(bench.large);
  const slowest = async (client: Client, path: string) => {
    const figures = [];
    for (const text of searchedTexts) {
      const search = path + encodeURIComponent(text);
      const times = await inRounds(bench.rounds * requestsPerRound, () => responseMs(client, search));
      figures.push({ value: median(times), note: search });
    }
    return largest(figures);
  };
  const narrow = [
    await slowest(admin, "/api/admin/keys/manage?limit=50&search="),
    await slowest(admin, "/api/admin/resellers?limit=50&search="),
    await slowest(reseller, "/api/reseller/keys?limit=50&search="),
    await slowest(reseller, "/api/reseller/search?q="),
  ];
  return [largest(narrow), await slowest(admin, "/api/admin/search?q=")];
}

function largest(figures: Figure[]): Figure {
  return figures.reduce((one, other) => (other.value > one.value ? other : one));
}

/** Requests each page once, because the first request after a start fills caches. */
async function signInBoth(server: Server): Promise<Record<keyof typeof paths, Client>> {
  const admin = await signInAdmin(() => createClient(server.url));
  const reseller = await signInReseller(server, 1);
  for (const path of paths.admin) await responseMs(admin, path);
  for (const path of paths.reseller) await responseMs(reseller, path);
  await server.idle();
  return { admin, reseller };
}

export async function signInReseller(server: Server, number: number): Promise<Client> {
  const reseller = createClient(server.url);
  const username = `reseller${String(number).padStart(5, "0")}`;
  const { status, text } = await reseller.post("/api/auth/reseller/login", { ...adminLogin, username });
  if (status !== 200) throw new Error(`${username} could not sign in: ${text}`);
  return reseller;
}

async function responseMs(client: Client, path: string): Promise<number> {
  const startedAt = performance.now();
  const { status, text } = await client.get(path);
  if (status !== 200 || text === "") throw new Error(`${path} returned ${status}: ${text}`);
  return performance.now() - startedAt;
}
