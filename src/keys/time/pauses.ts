import type { AuditedChanges, Caller } from "../../accounts/audited-changes.ts";
import { type Clock, msPerDay } from "../../core/clock.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Database, Sql, Unit } from "../../db/contract.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { keyTarget } from "../key-target.ts";
import { pauseDaysMax } from "../limits.ts";
import { adminKeyView, type KeyRow, resellerKeyView, statusOf } from "../model.ts";
import { found } from "../open-key.ts";
import type { KeyStatus } from "../schema.ts";
import { keyOf, makersOf, type Owner } from "../store.ts";
import * as store from "./pause-store.ts";

export type Pauses = ReturnType<typeof createPauses>;

/** Used-up pauses that one transaction ends. */
const keysAtOnce = 25;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  refuseFreeCalls: RefuseFreeCalls;
  clock: Pick<Clock, "now" | "isAhead">;
}

/** Stops the time of a key and lets it run again (rules.md: The time of a key). */
export function createPauses({ database, changes, refuseFreeCalls, clock }: Dependencies) {
  const { now } = clock;
  return {
    /** Pauses any ACTIVE key, or takes its reseller's pause over. Throws `NOT_FOUND`, `KEY_NOT_ACTIVE` or `CLOCK_AHEAD`. */
    pauseAsAdmin: async (admin: Caller, id: number) => adminKeyView(await change(admin, "anyone", id, pause), now()),
    /** Pauses one's own ACTIVE key. Throws the same, or `PAUSE_USED_UP`. */
    pauseAsReseller: async (reseller: Caller, id: number) =>
      resellerKeyView(await change(reseller, { resellerId: reseller.id }, id, pause), now()),
    /** Resumes any PAUSED key. Throws `NOT_FOUND`, `KEY_NOT_ACTIVE` or `CLOCK_AHEAD`. */
    resumeAsAdmin: async (admin: Caller, id: number) => adminKeyView(await change(admin, "anyone", id, resume), now()),
    /** Resumes a key that one paused oneself. Throws the same, or `PAUSED_BY_ADMIN`. */
    resumeAsReseller: async (reseller: Caller, id: number) =>
      resellerKeyView(await change(reseller, { resellerId: reseller.id }, id, resume), now()),
    endUsedUp,
  };

  /**
   * Resumes the keys whose reseller has used up the days, each at the instant when that happened. Whatever reads keys
   * calls it first. While the clock is ahead, no pause ends.
   */
  async function endUsedUp(): Promise<void> {
    if (clock.isAhead()) return;
    const find = (sql: Sql) => store.usedUpPauses(sql, now(), { rowsMax: keysAtOnce });
    while ((await find(database.read)).length > 0) {
      await database.transaction("used-up pauses", async (unit) => store.endPauses(unit, await find(unit.sql)));
    }
  }

  function change(caller: Caller, owner: Owner, id: number, work: Work): Promise<KeyRow> {
    return changes.carryOut(caller, async (unit) => {
      refuseIfAhead(clock);
      const at = now();
      // It may have been used up since the call began.
      await store.endPauses(unit, await store.usedUpPauses(unit.sql, at, { id }));
      const key = found(await keyOf(unit.sql, owner, id));
      const status = statusOf(key, at);
      const refuse = () => refuseFreeCalls(unit.sql, caller, id, at);
      const action = await work(unit, { caller, key, status, at, refuse });
      if (action === null) return { result: key, record: null };
      const { owner: username } = await makersOf(unit.sql, id);
      const details = { game: key.game, ...(username !== null && { owner: username }) };
      const result = found(await keyOf(unit.sql, owner, id));
      return { result, record: { action, target: keyTarget(key), details } };
    });
  }
}

/** Changes the key, which exists, and returns what it did, or null if nothing changes. `refuse` comes before a change. */
type Work = (
  unit: Unit,
  call: { caller: Caller; key: KeyRow; status: KeyStatus; at: number; refuse: () => Promise<void> },
) => Promise<"key_paused" | "key_resumed" | null>;

const pause: Work = async (unit, { caller, key: { id }, status, at, refuse }) => {
  const { pauseEndsAt, pauseUsedMs } = await store.pauseOf(unit.sql, id);
  const change = { madeBy: caller.id, at };
  if (status === "PAUSED" && (caller.role === "reseller" || pauseEndsAt === null)) return null;
  if (status === "PAUSED") await store.takeOverPause(unit, id, change);
  else if (status !== "ACTIVE") throw notActive("paused");
  else if (caller.role === "admin") await store.pauseKeys(unit, [id], change);
  else {
    const leftMs = pauseDaysMax * msPerDay - pauseUsedMs;
    if (leftMs <= 0) throw new Refusal("PAUSE_USED_UP", usedUpSentence);
    await refuse();
    await store.pauseKeys(unit, [id], { ...change, endsAt: at + leftMs });
  }
  return "key_paused";
};

const resume: Work = async (unit, { caller, key: { id }, status, at, refuse }) => {
  if (status === "ACTIVE") return null;
  if (status !== "PAUSED") throw notActive("resumed");
  const { pauseEndsAt } = await store.pauseOf(unit.sql, id);
  if (caller.role === "reseller" && pauseEndsAt === null) {
    throw new Refusal("PAUSED_BY_ADMIN", "An admin paused this key, so only an admin can resume it.");
  }
  await refuse();
  await store.resumeKeys(unit, [id], { madeBy: caller.id, at });
  return "key_resumed";
};

const usedUpSentence = `This key has been paused for ${pauseDaysMax} days in total, so it cannot be paused again.`;

function notActive(done: string): Refusal {
  return new Refusal("KEY_NOT_ACTIVE", `A key that has expired or was revoked cannot be ${done}.`);
}
