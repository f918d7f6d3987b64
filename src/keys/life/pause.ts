import { type AuditedChanges, type Caller, happened, unchanged } from "../../accounts/audited-changes.ts";
import { type Clock, msPerDay } from "../../core/clock.ts";
import { Refusal, refuseIfAhead } from "../../core/refusal.ts";
import type { Database, Sql, Unit } from "../../db/contract.ts";
import type { RefuseFreeCalls } from "../free-calls.ts";
import { pauseDaysMax } from "../limits.ts";
import { type KeyView, statusOf } from "../model.ts";
import { found, namedOwnerOf } from "../open-key.ts";
import type { KeyStatus } from "../schema.ts";
import { keyOf, ownerFor } from "../store.ts";
import * as store from "./store.ts";

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
  return {
    /**
     * Pauses one's own ACTIVE key; as an admin any, or takes its reseller's pause over. Throws `NOT_FOUND`,
     * `KEY_NOT_ACTIVE`, `CLOCK_AHEAD`, `PAUSE_USED_UP` or `TOO_MANY_TRIES`.
     */
    pause: <View>(caller: Caller, id: number, view: KeyView<View>) => change(caller, id, pause, view),
    /** Resumes a key that one paused oneself; as an admin any. Throws the same, or `PAUSED_BY_ADMIN`. */
    resume: <View>(caller: Caller, id: number, view: KeyView<View>) => change(caller, id, resume, view),

    /**
     * Resumes the keys whose reseller has used up the days, each at the instant when that happened. Whatever reads keys
     * calls it first. While the clock is ahead, no pause ends.
     */
    async endUsedUp(): Promise<void> {
      if (clock.isAhead()) return;
      const find = (sql: Sql) => store.usedUpPauses(sql, clock.now(), { rowsMax: keysAtOnce });
      while ((await find(database.read)).length > 0) {
        await database.transaction("used-up pauses", async (unit) => store.endPauses(unit, await find(unit.sql)));
      }
    },
  };

  function change<View>(caller: Caller, id: number, work: Work, view: KeyView<View>): Promise<View> {
    return changes.carryOut(caller, async (unit, at) => {
      refuseIfAhead(clock);
      // It may have been used up since the call began.
      await store.endPauses(unit, await store.usedUpPauses(unit.sql, at, { id }));
      const key = found(await keyOf(unit.sql, ownerFor(caller), id));
      const refuseFree = () => refuseFreeCalls(unit.sql, caller, id, at);
      const did = await work(unit, { caller, id, status: statusOf(key, at), at, refuseFree });
      if (did === null) return unchanged(view(key, at));
      const owner = await namedOwnerOf(unit.sql, id);
      return happened(did, { key, owner }, view(found(await keyOf(unit.sql, ownerFor(caller), id)), at));
    });
  }
}

/** Changes the key, which exists, and returns what it did, or null if nothing changes. `refuseFree` comes before. */
type Work = (
  unit: Unit,
  call: { caller: Caller; id: number; status: KeyStatus; at: number; refuseFree: () => Promise<void> },
) => Promise<"key_paused" | "key_resumed" | null>;

const pause: Work = async (unit, { caller, id, status, at, refuseFree }) => {
  const { pauseEndsAt, pauseUsedMs } = await store.pauseOf(unit.sql, id);
  if (status === "PAUSED" && (caller.role === "reseller" || pauseEndsAt === null)) return null;
  if (status === "PAUSED") await store.takeOverPause(unit, id, at);
  else if (status !== "ACTIVE") throw notActive("paused");
  else if (caller.role === "admin") await store.pauseKeys(unit, [id], { at });
  else {
    const leftMs = pauseDaysMax * msPerDay - pauseUsedMs;
    if (leftMs <= 0) throw new Refusal("PAUSE_USED_UP", usedUpSentence);
    await refuseFree();
    await store.pauseKeys(unit, [id], { at, endsAt: at + leftMs });
  }
  return "key_paused";
};

const resume: Work = async (unit, { caller, id, status, at, refuseFree }) => {
  if (status === "ACTIVE") return null;
  if (status !== "PAUSED") throw notActive("resumed");
  const { pauseEndsAt } = await store.pauseOf(unit.sql, id);
  if (caller.role === "reseller" && pauseEndsAt === null) {
    throw new Refusal("PAUSED_BY_ADMIN", "An admin paused this key, so only an admin can resume it.");
  }
  await refuseFree();
  await store.resumeKeys(unit, [id], at);
  return "key_resumed";
};

const usedUpSentence = `This key has been paused for ${pauseDaysMax} days in total, so it cannot be paused again.`;

function notActive(done: string): Refusal {
  return new Refusal("KEY_NOT_ACTIVE", `A key that has expired or was revoked cannot be ${done}.`);
}
