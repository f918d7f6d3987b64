import { type Client, createClient, registerReseller, signInAdmin } from "../../client.ts";
import { adminLogin, runLatchkey } from "../../process.ts";
import type { Supervised } from "../harness/supervisor.ts";
import type { FuzzResponse } from "./document.ts";
import type { Facts, FuzzedRequest } from "./requests.ts";

/**
 * The callers: an anonymous client, an admin, two resellers, a suspended reseller, and a client with a forged cookie.
 */
export interface Accounts {
  callers: number;
  facts: Facts;
  /** The callers who may use this path. */
  callersFor(path: string): number[];
  cookieOf(caller: number): string;
  nameOf(caller: number): string;
  /** Texts that no response may contain. */
  secrets(): string[];
  /** Applies password changes and signs in again after a session ended, so that the accounts stay usable. */
  track(request: FuzzedRequest, response: FuzzResponse): Promise<void>;
}

interface Account {
  username: string;
  role: "admin" | "reseller";
  id: number;
  password: string;
  client: Client;
}

const resellerPassword = "test-reseller-password";
const adminPassword = "fuzzed-admin-password";
const forgedCookie = "session=eyJhbGciOiJub25lIn0.eyJzaWQiOiIxIn0.";
const day = 86_400_000;

/** Creates the accounts and sample data on a new server. */
export async function createAccounts(server: Supervised): Promise<Accounts> {
  const newClient = () => createClient(server.url);
  // Not one of the callers, so that no generated request can lock this admin out.
  const keeper = await signInAdmin(newClient);
  const made = await runLatchkey(["admin", "create", "fuzzed.admin", "--password-stdin"], {
    environment: server.environment,
    input: `${adminPassword}\n`,
  });
  if (made.code !== 0) throw new Error(`The admin could not be made: ${made.stderr}`);
  const accounts: (Account | null)[] = [null];
  accounts.push({ username: "fuzzed.admin", role: "admin", id: 0, password: adminPassword, client: newClient() });
  for (const username of ["fuzzed.one", "fuzzed.two", "fuzzed.suspended"]) {
    const { id, ...client } = await registerReseller(newClient, keeper, { username, credits: 500 });
    accounts.push({ username, role: "reseller", id, password: resellerPassword, client });
  }
  const [, admin, one, , suspended] = accounts as [null, Account, Account, Account, Account];
  await signIn(admin);
  const facts = await fill(admin.client, one.client);
  await keeper.post(`/api/admin/resellers/${suspended.id}/toggle-status`, { isActive: false });
  const leftCookie = suspended.client.cookie();

  return {
    callers: accounts.length + 1,
    facts: { ...facts, username: accounts.flatMap((account) => account?.username ?? []) },
    callersFor: (path) => (path.startsWith("/api/admin/") ? [1] : path.startsWith("/api/reseller/") ? [2, 3] : [1, 2]),
    cookieOf: (caller) => (caller === accounts.length ? forgedCookie : (accounts[caller]?.client.cookie() ?? "")),
    nameOf: (caller) => (caller === accounts.length ? "forged" : (accounts[caller]?.username ?? "")),
    secrets: () => [adminLogin.password, adminPassword, resellerPassword, keeper.cookie(), leftCookie],

    async track({ caller, method, address, body }, { status, text }) {
      const [path = ""] = address.split("?");
      if (status === 200 && method === "POST" && path === "/api/auth/password") {
        (accounts[caller] as Account).password = JSON.parse(body ?? "").newPassword;
      }
      const [, reset] = /^\/api\/admin\/resellers\/(\d+)\/password$/.exec(path) ?? [];
      const account = accounts.find((one) => one?.id === Number(reset));
      if (status === 200 && method === "POST" && account) account.password = JSON.parse(text).password;
      const sender = accounts[caller];
      if (sender && sender !== suspended && status === 401 && text.includes('"NOT_SIGNED_IN"')) await signIn(sender);
    },
  };

  async function signIn(account: Account): Promise<void> {
    const { role, id, username } = account;
    if (role === "reseller") await keeper.post(`/api/admin/resellers/${id}/toggle-status`, { isActive: true });
    const response = await account.client.post(`/api/auth/${role}/login`, { username, password: account.password });
    if (response.status !== 200) throw new Error(`${username} could not sign in again: ${response.text}`);
  }
}

/** Creates sample data and returns the values that exist. */
async function fill(admin: Client, reseller: Client): Promise<Facts> {
  const games = ["PUBG MOBILE", "LAST ISLAND OF SURVIVAL", "FREE FIRE"];
  const expiryDate = new Date(Date.now() + 30 * day).toISOString();
  const texts = Array.from({ length: 6 }, (_, index) => `FUZZED-${index}`);
  for (const [index, keyString] of texts.entries()) {
    const order = { game: games[index % 3], deviceLimit: 2, count: 2, keyString };
    if (index < 3) await admin.post("/api/admin/keys/generate", { ...order, expiryDate });
    else await reseller.post("/api/reseller/keys/generate", { ...order, days: 30 });
    await admin.post("/api/verify", { key: keyString, deviceId: `phone-${index}`, game: games[index % 3] });
    await admin.post("/api/admin/online-updates", { title: `News ${index}`, message: "For all" });
  }
  const tokens: string[] = [];
  for (let made = 0; made < 4; made += 1) {
    tokens.push((await admin.post("/api/admin/tokens/generate", { credits: 1 })).body.token.token);
  }
  const cursors: string[] = [];
  for (const list of ["resellers", "tokens", "orders", "audit"]) {
    const link = (await admin.get(`/api/admin/${list}?limit=1`)).headers.get("link") ?? "";
    cursors.push(new URL(/<(.*)>/.exec(link)?.[1] ?? "?cursor=", "http://x").searchParams.get("cursor") ?? "");
  }
  return {
    ...{ key: texts, keyString: [...texts, "NEW-KEY-1", ""], deviceId: ["phone-0", "phone-1", "new-phone"], q: texts },
    ...{
      referralToken: tokens,
      expiryDate: [expiryDate, expiryDate.slice(0, 10)],
      cursor: cursors,
      search: ["FUZZED"],
    },
    ...{ password: [resellerPassword, adminPassword], currentPassword: [resellerPassword, adminPassword] },
    ...{ newPassword: [resellerPassword, adminPassword], resellerId: [3, 4, 5], role: ["admin", "reseller"] },
    ...{ name: ["license_keys", "resellers", "audit"], count: [1, 2], linkUrl: ["https://example.com/news"] },
    ...{ from: ["2020-01-01"], to: ["2099-01-01"], limit: [1, 2, 200], days: [5, 30] },
  };
}
