import type { Caller } from "../../accounts/audited-changes.ts";
import { deviceLimitUnlimited } from "../../catalogue/limits.ts";
import { gameNamed } from "../../catalogue/store.ts";
import { isoOf, msPerDay, type Now } from "../../core/clock.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { pageOf, pageOfRows } from "../../db/paging.ts";
import { verdictCodes } from "../../verify/schema.ts";
import { refusalDaysKept } from "../../verify/statistics.ts";
import { type KeyRow, statusOf } from "../model.ts";
import { keyOf, ownerFor } from "../store.ts";
import { eventsDefault, type KeyAnswer, type TimelineEvent, type TimelineQuery } from "./timeline-schema.ts";
import { type EventRow, eventsOf } from "./timeline-store.ts";

export type Timelines = ReturnType<typeof createTimelines>;

/** Whether a key works, and everything that happened to it (rules.md: Key timeline). */
export function createTimelines({ database, now }: { database: Database; now: Now }) {
  return {
    /** Of one's own key; for admins of any. Throws `NOT_FOUND` or `INVALID`. */
    async of(caller: Caller, id: number, query: TimelineQuery) {
      const at = now();
      const { after } = pageOf(query, isEventCursor);
      const key = await keyOf(database.read, ownerFor(caller), id);
      if (key === null) throw new Refusal("NOT_FOUND", "There is no such key.");
      const { limit = eventsDefault } = query;
      const today = Math.floor(at / msPerDay);
      const rows = await eventsOf(database.query(caller), id, {
        after,
        rowsMax: limit + 1,
        today,
        refusalDays: refusalDaysKept,
      });
      const shown = pageOfRows(rows, limit, (last) => [last.at, last.place, last.id]);
      const maintenance = (await gameNamed(database.read, key.game))?.maintenance ?? null;
      return {
        answer: answerOf({ ...key, maintenance }, await askerAs(caller, id), at),
        rows: shown.rows.map(eventView),
        nextCursor: shown.nextCursor,
      };
    },
  };

  async function askerAs({ role }: Caller, id: number): Promise<Asker> {
    if (role === "reseller") return "owner";
    const isAdmins = (await keyOf(database.read, "admins", id)) !== null;
    return isAdmins ? "admin of an own key" : "admin of a reseller's key";
  }
}

function isEventCursor(values: unknown[]): values is [number, number, number] {
  return values.length === 3 && values.every(Number.isSafeInteger);
}

function eventView({ at, kind, by, deviceId, deviceName, code, count }: EventRow): TimelineEvent {
  return {
    at: isoOf(at),
    kind,
    by,
    deviceId,
    deviceName,
    code: code === null ? null : (verdictCodes[code] ?? null),
    count,
  };
}

/** Who asks about whose key, which decides the advice. */
export type Asker = "owner" | "admin of an own key" | "admin of a reseller's key";

/**
 * What a device that is not connected yet would learn about the key now, and what to do about it
 * (rules.md: Key timeline).
 */
export function answerOf(key: KeyRow & { maintenance: string | null }, asker: Asker, at: number): KeyAnswer {
  const status = statusOf(key, at);
  if (key.maintenance !== null) {
    const message = `Refused on every device: the game is under maintenance (${key.maintenance}).`;
    return { code: "MAINTENANCE", message, advice: "It is checked as before once an admin ends the maintenance." };
  }
  if (key.replacedBy !== null) {
    const message = "Refused on every device: it was replaced by a new key.";
    return { code: "REVOKED", message, advice: "Send the customer the new key." };
  }
  if (status === "REVOKED") {
    const message = "Refused on every device: it was revoked.";
    return { code: status, message, advice: `Revoking cannot be undone. ${replacement[asker]}` };
  }
  if (status === "PAUSED") {
    return {
      code: status,
      message: "Refused on every device: it is paused.",
      advice: "It works again once it is resumed.",
    };
  }
  if (status === "EXPIRED") {
    const message = "Refused on every device: it has expired.";
    return { code: status, message, advice: "Extend it, and the same key works again." };
  }
  const { deviceCount: used, deviceLimit: limit } = key;
  if (used >= limit) {
    const message = `Works. ${used} of ${limit} devices connected, so a new one is refused.`;
    return { code: "DEVICE_LIMIT_REACHED", message, advice: "Remove one below." };
  }
  const inUse = limit === deviceLimitUnlimited ? devices(used) : `${used} of ${limit} devices`;
  return { code: "VALID", message: `Works. ${inUse} connected.`, advice: elsewhere };
}

const replacement: Record<Asker, string> = {
  owner: "Generate another key for this customer.",
  "admin of an own key": "Generate another key.",
  "admin of a reseller's key": "Its reseller can generate another key.",
};

const elsewhere = "If a customer says it doesn't work, check the key's text and the game.";

function devices(count: number): string {
  return count === 1 ? "1 device" : `${count} devices`;
}
