import { isoOf, msPerDay, type Now } from "../../core/clock.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { pageOf, pageOfRows } from "../../db/paging.ts";
import { verdictCodes } from "../../verify/schema.ts";
import { refusalDaysKept } from "../../verify/statistics-retention.ts";
import { keyOf, type Owner } from "../store.ts";
import { type Asker, answerOf } from "./answer.ts";
import { eventsUnasked, type Timeline, type TimelineEvent, type TimelineQuery } from "./timeline-schema.ts";
import { type EventRow, eventsOf } from "./timeline-store.ts";

type PageOfLife = Timeline & { nextCursor: string | null };

/** Whether a key works, and everything that happened to it (rules.md: The life of a key). */
export interface Timelines {
  /** Of any key. Throws `NOT_FOUND` or `INVALID`. */
  forAdmin(id: number, query: TimelineQuery): Promise<PageOfLife>;
  /** Throws `NOT_FOUND`, also for another reseller's key, or `INVALID`. */
  forReseller(resellerId: number, id: number, query: TimelineQuery): Promise<PageOfLife>;
}

export function createTimelines({ database, now }: { database: Database; now: Now }): Timelines {
  return {
    async forAdmin(id, query) {
      const isAdmins = (await keyOf(database.read, "admins", id)) !== null;
      return lifeOf("anyone", id, query, isAdmins ? "admin of an own key" : "admin of a reseller's key");
    },
    forReseller: (resellerId, id, query) => lifeOf({ resellerId }, id, query, "owner"),
  };

  async function lifeOf(owner: Owner, id: number, query: TimelineQuery, asker: Asker): Promise<PageOfLife> {
    const at = now();
    const { after } = pageOf(query, isEventCursor);
    const key = await keyOf(database.read, owner, id);
    if (key === null) throw new Refusal("NOT_FOUND", "There is no such key.");
    const { limit = eventsUnasked } = query;
    const today = Math.floor(at / msPerDay);
    const rows = await eventsOf(database.query, id, { after, rowsMax: limit + 1, today, refusalDays: refusalDaysKept });
    const shown = pageOfRows(rows, limit, (last) => [last.at, last.place, last.id]);
    return { answer: answerOf(key, asker, at), events: shown.rows.map(eventView), nextCursor: shown.nextCursor };
  }
}

function isEventCursor(values: unknown[]): values is [number, number, number] {
  return values.length === 3 && values.every(Number.isSafeInteger);
}

function eventView({ at, kind, by, deviceId, code, count }: EventRow): TimelineEvent {
  return { at: isoOf(at), kind, by, deviceId, code: code === null ? null : (verdictCodes[code] ?? null), count };
}
