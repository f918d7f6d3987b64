/**
 * One work of an admin, again and again until this process is ended, beside which verification is measured. A process of its own, so that the load can
 * go before it: who opens pages has a machine of their own, and here the load's core.
 */
export interface LongWorkOrder {
  name: LongWork;
  url: string;
  /** Of an admin who is signed in. */
  cookie: string;
  /** Keys in the server's database. */
  keys: number;
}

export type LongWork = keyof typeof works;

/** The smallest database that is asked has a hundred. */
const resellersOpened = 90;

const works = {
  "lists and searches": async () => {
    await taken("/api/admin/keys/manage?limit=50&search=zz");
    await taken("/api/admin/resellers?limit=50&search=9");
    await taken("/api/admin/stats");
    await taken("/admin");
  },
  // Each time about others: a page that was opened before would come from memory.
  "pages in use": async () => {
    const reseller = 3 + below(resellersOpened);
    const key = 1 + below(order.keys);
    for (const path of [
      `/admin/resellers/${reseller}`,
      `/api/admin/resellers/${reseller}/ledger?limit=30`,
      "/api/admin/orders/1",
      `/admin/keys/${key}`,
      `/api/admin/keys/${key}/timeline`,
      "/api/admin/search?q=00042",
      "/api/admin/figures?days=30",
    ])
      await taken(path);
  },
  "a whole list": () => taken("/api/admin/keys/manage"),
  "a download of everything": () => taken("/api/admin/backup/download-all"),
  "a reset of all devices": () => taken("/api/admin/keys/reset-devices", "POST"),
};

const order = JSON.parse(process.argv[2] ?? "") as LongWorkOrder;
for (;;) await works[order.name]();

/** One call, whose answer is read to its end. */
async function taken(path: string, method = "GET"): Promise<void> {
  const response = await fetch(order.url + path, { method, headers: { cookie: order.cookie } });
  if (!response.ok) throw new Error(`${path} was answered: ${await response.text()}`);
  for await (const piece of response.body ?? []) void piece;
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}
