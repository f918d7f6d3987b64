import assert from "node:assert/strict";
import { type Client, createClient, type ResellerClient, registerReseller, signInAdmin } from "../../client.ts";
import type { Witness } from "./witness.ts";

const resellers = 4;
const keysRemembered = 100;

interface Shop {
  admin: Client;
  resellers: ResellerClient[];
}

interface OwnKey {
  id: number;
  keyString: string;
}

/** An admin and several resellers, all signed in, with more credits than a drill spends. */
export async function openShop(url: string, count = resellers): Promise<Shop> {
  const newClient = () => createClient(url);
  const admin = await signInAdmin(newClient);
  const shop: Shop = { admin, resellers: [] };
  for (let index = 0; index < count; index += 1) {
    const username = `reseller${index}`;
    shop.resellers.push(await registerReseller(newClient, admin, { username, credits: 1_000_000 }));
  }
  return shop;
}

/**
 * Changes money, keys and devices in random order from many clients at once, until the server ends or `stop` is called.
 * Acknowledged writes are recorded by the witness. A request without a response may or may not have taken effect.
 */
export function beginMixedWrites({
  url,
  shop,
  witness,
  writers = 12,
  restMs = 0,
}: {
  url: string;
  shop: Shop;
  witness: Witness;
  writers?: number;
  restMs?: number;
}): { stop: () => Promise<void>; ended: Promise<void> } {
  let stopping = false;
  const client = createClient(url);
  const ended = Promise.all(Array.from({ length: writers }, write)).then(() => {});
  // The caller may await it later; until then a failure must not be an unhandled rejection.
  ended.catch(() => {});
  return {
    ended,
    stop: () => {
      stopping = true;
      return ended;
    },
  };

  async function write(_: unknown, index: number): Promise<void> {
    const reseller = shop.resellers[index % shop.resellers.length] as ResellerClient;
    const keys: OwnKey[] = [];
    const work = [buy, buy, connect, connect, connect, revoke, remove, grant, issueToken, publish];
    while (!stopping) {
      const chosen = keys.length === 0 ? buy : (work[below(work.length)] as typeof buy);
      try {
        await chosen(reseller, keys);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
      if (restMs > 0) await Bun.sleep(restMs);
    }
  }

  async function buy(reseller: ResellerClient, keys: OwnKey[]): Promise<void> {
    const order = { game: "FREE FIRE", deviceLimit: 2, days: 5, count: 1 + below(5) };
    const { status, text, body } = await reseller.post("/api/reseller/keys/generate", order);
    assert.ok(status === 201, `A write got: ${text}`);
    for (const { id, keyString } of body.keys as OwnKey[]) {
      witness.acknowledged("key", keyString);
      keys.push({ id, keyString });
    }
    keys.splice(0, keys.length - keysRemembered);
  }

  async function connect(_: ResellerClient, keys: OwnKey[]): Promise<void> {
    const { keyString } = keys[below(keys.length)] as OwnKey;
    const deviceId = crypto.randomUUID();
    const { status, text, body } = await client.post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE" });
    assert.ok(status === 200, `A write got: ${text}`);
    if (body.valid) witness.acknowledged("connection", `${keyString} ${deviceId}`);
  }

  async function revoke(reseller: ResellerClient, keys: OwnKey[]): Promise<void> {
    const [{ id, keyString }] = keys.splice(below(keys.length), 1) as [OwnKey];
    const { status, text } = await reseller.post(`/api/reseller/keys/${id}/revoke`);
    assert.ok(status === 200, `A write got: ${text}`);
    witness.acknowledged("revocation", keyString);
  }

  async function remove(reseller: ResellerClient, keys: OwnKey[]): Promise<void> {
    const { id, keyString } = keys[below(keys.length)] as OwnKey;
    const [device] = (await reseller.get(`/api/reseller/keys/${id}`)).body.devices;
    if (device === undefined) return;
    witness.forget("connection", `${keyString} ${device.deviceId}`);
    const { status } = await reseller.post(`/api/reseller/keys/${id}/devices/${device.id}/remove`);
    if (status === 200) witness.acknowledged("removal", device.deviceId);
  }

  async function grant({ id }: ResellerClient): Promise<void> {
    const note = crypto.randomUUID();
    const { status, text } = await shop.admin.post("/api/admin/resellers/credits", { resellerId: id, amount: 5, note });
    assert.ok(status === 200, `A write got: ${text}`);
    witness.acknowledged("grant", note);
  }

  async function issueToken(): Promise<void> {
    const { status, text, body } = await shop.admin.post("/api/admin/tokens/generate", { credits: 1 });
    assert.ok(status === 201, `A write got: ${text}`);
    witness.acknowledged("token", body.token.token);
  }

  async function publish(): Promise<void> {
    const title = crypto.randomUUID();
    const form = { title, message: "What is new", isActive: false };
    const { status, text } = await shop.admin.post("/api/admin/online-updates", form);
    assert.ok(status === 201, `A write got: ${text}`);
    witness.acknowledged("update", title);
  }
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}
