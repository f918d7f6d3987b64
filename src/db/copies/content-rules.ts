import { msPerDay } from "../../core/clock.ts";
import { totalsDay } from "../../core/key-time.ts";
import { OperatorError } from "../../core/operator-error.ts";

/** An invariant of the rows, on both engines. */
interface ContentRule {
  /** Describes a violation, as the end of a sentence. */
  problem: string;
  /** The newest table in the rule, or its newest column: older databases do not have it. */
  table: string;
  column?: string;
  /** SQL for both engines that returns a row if the rule is violated, in one pass over each table. */
  broken: string;
}

const keysByTotal = `SELECT coalesce(reseller_id, 0) AS owner, game_id,
  ${totalsDay} AS day, 1 AS made,
  CASE WHEN revoked_at IS NULL THEN 0 ELSE 1 END AS revoked FROM license_keys k`;

const wrongTotals = "the totals of the keys do not add up";

export const contentRules: readonly ContentRule[] = [
  {
    problem: "a balance is not the sum of its ledger",
    table: "credit_ledger",
    broken: `SELECT id FROM (
        SELECT id, credits_tenths AS tenths FROM resellers UNION ALL SELECT reseller_id, -amount_tenths FROM credit_ledger) AS entries
      GROUP BY id HAVING sum(tenths) <> 0 LIMIT 1`,
  },
  {
    problem: "more of a grant was taken back than was granted",
    table: "credit_ledger",
    column: "grant_id",
    broken: `SELECT t.grant_id FROM credit_ledger t JOIN credit_ledger g ON g.id = t.grant_id
      GROUP BY t.grant_id, g.amount_tenths
      HAVING g.amount_tenths + sum(t.amount_tenths) < 0 OR max(CASE
        WHEN g.reason = 'admin_grant' AND g.reseller_id = t.reseller_id THEN 0 ELSE 1 END) > 0 LIMIT 1`,
  },
  {
    problem: "a key has more devices than its limit",
    table: "key_devices",
    broken: `SELECT d.key_id FROM key_devices d JOIN license_keys k ON k.id = d.key_id
      GROUP BY d.key_id, k.device_limit HAVING count(*) > k.device_limit LIMIT 1`,
  },
  {
    problem: wrongTotals,
    table: "license_keys",
    column: "paused_at",
    broken: `SELECT 1 FROM (${keysByTotal} UNION ALL SELECT owner, game_id, expiry_day, -made_count, -revoked_count FROM key_totals) AS entries
      GROUP BY owner, game_id, day HAVING sum(made) <> 0 OR sum(revoked) <> 0 LIMIT 1`,
  },
  {
    problem: wrongTotals,
    table: "all_key_totals",
    broken: `SELECT 1 FROM (
        SELECT expiry_day, made_count AS made, revoked_count AS revoked FROM key_totals
        UNION ALL SELECT expiry_day, -made_count, -revoked_count FROM all_key_totals) AS entries
      GROUP BY expiry_day HAVING sum(made) <> 0 OR sum(revoked) <> 0 LIMIT 1`,
  },
  {
    problem: wrongTotals,
    table: "key_totals",
    broken: `SELECT 1 FROM (
        SELECT owner, made_count AS made FROM key_totals WHERE owner <> 0 UNION ALL SELECT id, -key_count FROM resellers) AS entries
      GROUP BY owner HAVING sum(made) <> 0 LIMIT 1`,
  },
  {
    // An order's keys and price match it, and the keys belong to its owner.
    problem: "an order does not match its keys and price",
    table: "orders",
    broken: `SELECT 1 FROM (
        SELECT id, coalesce(reseller_id, 0) AS owner, key_count AS keys, cost_tenths AS cost FROM orders
        UNION ALL SELECT order_id, coalesce(reseller_id, 0), -1, 0 FROM license_keys WHERE order_id IS NOT NULL
        UNION ALL SELECT order_id, reseller_id, 0, amount_tenths FROM credit_ledger WHERE reason = 'key_purchase' AND order_id IS NOT NULL) AS entries
      GROUP BY id, owner HAVING sum(keys) <> 0 OR sum(cost) <> 0 LIMIT 1`,
  },
  {
    // What was paid for keys later is in the totals of its day.
    problem: "the totals of the orders do not add up",
    table: "orders",
    column: "import_id",
    broken: `SELECT 1 FROM (
        SELECT created_at / ${msPerDay} AS day, game_id, key_count AS keys, cost_tenths AS cost FROM orders WHERE import_id IS NULL
        UNION ALL SELECT l.created_at / ${msPerDay}, k.game_id, 0, -l.amount_tenths
        FROM credit_ledger l JOIN license_keys k ON k.id = l.key_id WHERE l.reason <> 'key_refund'
        UNION ALL SELECT made_day, game_id, -key_count, -cost_tenths FROM order_totals) AS entries
      GROUP BY day, game_id HAVING sum(keys) <> 0 OR sum(cost) <> 0 LIMIT 1`,
  },
  {
    problem: "the totals of the orders do not add up",
    table: "reseller_totals",
    broken: `SELECT 1 FROM (
        SELECT created_at / ${msPerDay} AS day, reseller_id, key_count AS keys, cost_tenths AS cost
        FROM orders WHERE import_id IS NULL AND reseller_id IS NOT NULL
        UNION ALL SELECT created_at / ${msPerDay}, reseller_id, 0, -amount_tenths
        FROM credit_ledger WHERE reason IN ('key_extension', 'device_limit_change')
        UNION ALL SELECT made_day, reseller_id, -key_count, -cost_tenths FROM reseller_totals) AS entries
      GROUP BY day, reseller_id HAVING sum(keys) <> 0 OR sum(cost) <> 0 LIMIT 1`,
  },
  {
    problem: "figures belong to no reseller",
    table: "verdict_totals",
    broken: `SELECT v.owner FROM verdict_totals v
      WHERE v.owner <> 0 AND NOT EXISTS (SELECT 1 FROM resellers r WHERE r.id = v.owner) LIMIT 1`,
  },
  {
    problem: "a blocked device belongs to no reseller",
    table: "blocked_devices",
    broken: `SELECT b.owner FROM blocked_devices b
      WHERE b.owner <> 0 AND NOT EXISTS (SELECT 1 FROM resellers r WHERE r.id = b.owner) LIMIT 1`,
  },
  {
    problem: "a webhook gets the events of another account",
    table: "webhooks",
    broken: `SELECT w.id FROM webhooks w JOIN accounts a ON a.id = w.account_id
      WHERE w.owner <> CASE a.role WHEN 'admin' THEN 0 ELSE a.id END LIMIT 1`,
  },
  {
    problem: "a shop link sold the keys of another account",
    table: "shop_links",
    broken: `SELECT o.id FROM orders o JOIN shop_links l ON l.id = o.shop_link_id WHERE o.made_by <> l.account_id LIMIT 1`,
  },
  {
    problem: "more was given back for a key than was paid, or to another reseller",
    table: "credit_ledger",
    column: "key_id",
    broken: `SELECT l.key_id FROM credit_ledger l JOIN license_keys k ON k.id = l.key_id LEFT JOIN orders o ON o.id = k.order_id
      GROUP BY l.key_id, k.reseller_id, k.order_id, o.cost_tenths, o.key_count
      HAVING sum(l.amount_tenths) > coalesce(o.cost_tenths / o.key_count, 0) OR max(CASE
        WHEN l.reseller_id = k.reseller_id AND l.order_id IS NOT DISTINCT FROM k.order_id THEN 0 ELSE 1 END) > 0 LIMIT 1`,
  },
];

/**
 * Checks the content rules on PostgreSQL, which itself enforces references and bounds. Servers may keep running. Throws
 * `OperatorError`.
 */
export async function checkPostgres(connection: Bun.ReservedSQL): Promise<void> {
  for (const { broken, problem } of contentRules) {
    const rows: unknown[] = await connection.unsafe(broken);
    if (rows.length > 0) throw new OperatorError(`The database is damaged: ${problem}.`);
  }
}
