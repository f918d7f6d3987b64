import { createHmac } from "node:crypto";
import type { Client } from "./client.ts";
import { adminLogin } from "./process.ts";

/** A link as a test made it, with its secret. */
export interface TestLink {
  id: number;
  url: string;
  /** Its path on this server. */
  path: string;
  secret: string;
}

/** Durations 1 to 5 last 5, 10, 20, 30 and 60 days. 30 days of FREE FIRE on one device cost 3 credits. */
export const linkForm = {
  ...{ name: "Shop", game: "FREE FIRE", durationId: 4, deviceLimit: 1, saleId: ["unique_id", "item.id"] },
  quantity: "item.quantity",
};

export const passwordOf = { admin: adminLogin.password, reseller: "test-reseller-password" };

export async function createLink(client: Client, role: "admin" | "reseller", over: object = {}): Promise<TestLink> {
  const form = { ...linkForm, password: passwordOf[role], ...over };
  const { status, body } = await client.post(`/api/${role}/shop-links`, form);
  if (status !== 201) throw new Error(`The link was refused: ${status} ${JSON.stringify(body)}`);
  return { ...body, path: new URL(body.url).pathname };
}

export function signatureOf(body: string | Uint8Array, secret: string, algorithm = "sha256"): string {
  return createHmac(algorithm, secret).update(body).digest("hex");
}

/** What SellAuth sends for a sale. */
export function sellAuthBody(saleId: string, quantity: unknown = 1): string {
  return JSON.stringify({ unique_id: saleId, item: { id: 40_127, quantity } });
}

/** Sends a body as a shop does, signed unless the headers say otherwise. */
export function callShop(client: Client, link: TestLink, body: string, headers: Record<string, string> = {}) {
  return client.post(link.path, body, { "x-signature": signatureOf(body, link.secret), ...headers });
}

export function sell(client: Client, link: TestLink, saleId: string, quantity: unknown = 1) {
  return callShop(client, link, sellAuthBody(saleId, quantity));
}
