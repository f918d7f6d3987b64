import { getLogger } from "@logtape/logtape";
import { type Clock, msPerHour, msPerMinute } from "../core/clock.ts";
import type { Database } from "../db/contract.ts";
import { recordEvents } from "../facts/outbox-store.ts";
import * as store from "./expiry-store.ts";

const log = getLogger(["latchkey", "webhooks"]);

/** rules.md: Webhooks. */
const noticeMs = 72 * msPerHour;

/** Keys whose events one transaction records. */
const keysPerBatch = 100;

/** Records key.expiring for keys that expire soon, once for each expiry. */
export function createExpiringKeys({ database, clock }: { database: Database; clock: Pick<Clock, "now" | "isAhead"> }) {
  return {
    recordExpiring,
    /** Looks every minute. Returns how to stop. */
    begin() {
      const look = () =>
        recordExpiring().catch((error) =>
          log.error("Webhooks could not be sent the keys that expire soon: {error}", { error }),
        );
      const timer = setInterval(look, msPerMinute).unref();
      return () => clearInterval(timer);
    },
  };

  /** Without a webhook for them it only reads. While the clock is ahead, every key would seem to expire. */
  async function recordExpiring(): Promise<void> {
    if (clock.isAhead() || !(await store.isAnyWatching(database.read))) return;
    while (await database.transaction("expiring keys", ({ sql }) => recordSome(sql, clock.now())));
  }

  /** Returns whether there may be more. */
  async function recordSome(sql: Parameters<typeof recordEvents>[0], now: number): Promise<boolean> {
    const keys = await store.nextExpiring(sql, { now, noticeMs, rowsMax: keysPerBatch });
    await recordEvents(
      sql,
      keys.map(({ id, resellerId }) => ({ type: "key.expiring", resellerId, at: now, data: { keyId: id } })),
    );
    const last = keys.length < keysPerBatch ? undefined : keys.at(-1);
    if (last) await store.markRecorded(sql, last.expiresAt - noticeMs, last.id);
    else await store.markRecorded(sql, now, null);
    return last !== undefined;
  }
}
