import { expect } from "bun:test";
import { msPerDay } from "../src/core/clock.ts";
import { balanceTenthsMax, tenthsOf } from "../src/core/credits.ts";
import { totalsDay } from "../src/core/key-time.ts";
import { raw } from "../src/db/append-only.ts";
import { part, type SqlPart } from "../src/db/contract.ts";
import { contentRules } from "../src/db/copies/content-rules.ts";
import { addToHistory } from "../src/facts/history-store.ts";
import { give } from "../src/resellers/charge.ts";
import { type Client, type ResellerClient, registerReseller, signInAdmin } from "./client.ts";
import { openPanel } from "./panel.ts";

export interface Sold {
  id: number;
  keyString: string;
  orderId: number;
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A panel in which resellers buy keys, for tests about what happens to these keys later. */
export async function openShop(options: Parameters<typeof openPanel>[0] = {}) {
  const panel = await openPanel(options);
  const { clock, database } = panel;
  const newAdmin = () => signInAdmin(panel.newClient);
  let serial = 0;

  return {
    ...{ panel, clock, database, newAdmin, close: panel.close },

    async newReseller(credits = 1_000): Promise<ResellerClient> {
      serial += 1;
      return registerReseller(panel.newClient, await newAdmin(), { username: `shop.${serial}`, credits });
    },

    buy: (reseller: Client, over: object = {}): Promise<[Sold, ...Sold[]]> => generate(reseller, over),

    connect: ({ keyString }: Sold, deviceId = "phone") =>
      panel.newClient().post("/api/verify", { key: keyString, deviceId, game: "FREE FIRE" }),

    detail: async ({ id }: { id: number }) => (await (await newAdmin()).get(`/api/admin/keys/${id}/details`)).body,
    timeline: async ({ id }: { id: number }) =>
      (await (await newAdmin()).get(`/api/admin/keys/${id}/timeline`)).body.events,
    credits: async (reseller: Client) => (await reseller.get("/api/reseller/profile")).body.credits,
    ledger: async (reseller: Client) => (await reseller.get("/api/reseller/ledger")).body,
    lastAudit: async () => (await (await newAdmin()).get("/api/admin/audit?limit=50")).body.find(isChange),

    pause: async ({ id }: Sold) => (await newAdmin()).post(`/api/admin/keys/${id}/pause`),
    setExpiry: (key: Sold, expiresAt: number) => changeTime(key, part`expires_at = ${expiresAt}`),
    setDuration: (key: Sold, hours: number) => changeTime(key, part`duration_hours = ${hours}`),

    /** Up to the maximum, with a grant. */
    async fillBalance(reseller: ResellerClient) {
      const { credits } = (await reseller.get("/api/reseller/profile")).body;
      const amountTenths = balanceTenthsMax - (tenthsOf(credits) ?? 0);
      const grant = { resellerId: reseller.id, reason: "admin_grant" as const, madeBy: 1, at: clock.now };
      await database.transaction(null, ({ sql }) => give(sql, { ...grant, gives: { tenths: amountTenths } }));
    },

    /** A price list of the games, durations and limits that are given, for this reseller. */
    async sellOnly(reseller: ResellerClient, prices: [durationId: number, deviceLimit: number, credits: number][]) {
      serial += 1;
      const admin = await newAdmin();
      const rows = prices.map(([durationId, deviceLimit, credits]) => ({
        gameId: 3,
        durationId,
        deviceLimit,
        credits,
      }));
      const { body } = await admin.post("/api/admin/price-lists", { name: `List ${serial}`, prices: rows });
      await admin.call("PUT", `/api/admin/resellers/${reseller.id}/price-list`, { priceListId: body.id });
    },

    /** What a restore checks: balances, totals and orders agree with their rows. */
    async expectSound() {
      for (const { broken, problem } of contentRules) {
        const rows = await database.read`${{ strings: [broken], values: [] }}`;
        expect({ problem, rows }).toEqual({ problem, rows: [] });
      }
    },
  };

  function changeTime({ id }: Sold, assignments: SqlPart): Promise<void> {
    return database.transaction(null, async (unit) => {
      const { sql } = unit;
      await addToHistory(sql, { what: "COMPENSATED", ids: [id], madeBy: 1, at: clock.now });
      await sql`UPDATE license_keys SET ${assignments} WHERE id = ${id}`;
      unit.keyChanged(id);
      await sql`DELETE FROM all_key_totals`;
      await sql`DELETE FROM key_totals`;
      await sql`
        INSERT INTO key_totals (owner, game_id, expiry_day, made_count, revoked_count)
        SELECT coalesce(reseller_id, 0), game_id, ${raw(totalsDay)}, count(*), count(revoked_at) FROM license_keys k GROUP BY 1, 2, 3`;
    });
  }

  async function generate(reseller: Client, over: object): Promise<[Sold, ...Sold[]]> {
    const order = { game: "FREE FIRE", deviceLimit: 2, days: 30, count: 1, ...over };
    return (await reseller.post("/api/reseller/keys/generate", order)).body.keys;
  }
}

function isChange({ action }: { action: string }): boolean {
  return action !== "signed_in";
}

export const days = (count: number) => count * msPerDay;
