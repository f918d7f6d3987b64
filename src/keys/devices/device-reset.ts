import type { Acts } from "../../accounts/acts.ts";
import type { Caller } from "../../accounts/caller.ts";
import type { Now } from "../../core/clock.ts";
import type { Database } from "../../db/contract.ts";
import { resetChore } from "../chores.ts";
import type { Standings } from "../standings.ts";
import * as devices from "./device-store.ts";

/** Keys in a slice, and ids that it may span, because those between are looked at as well: a slice takes some milliseconds. */
const keysPerSlice = 250;
const idsPerSlice = 2_500;

/** Ids that are asked for at once. */
const keysPerLook = 10_000;

/**
 * Removes every device from every key, and answers how many keys had any (rules.md: Resetting all devices). It goes slice by slice, so that
 * nobody waits long: each key is reset at one instant between the call and its answer. The first key is reset with the row in the record,
 * so no device goes without it. Throws `NOT_SIGNED_IN` when the session ends meanwhile. Then, and when the server dies, the keys that were not
 * reached are as they were.
 */
export async function resetAllDevices(
  { database, acts, standings, now }: { database: Database; acts: Acts; standings: Standings; now: Now },
  admin: Caller,
): Promise<number> {
  const { count, first, last } = await devices.keysInUse(database.scan);
  if (count === 0) return 0;
  const madeBy = admin.id;
  let keysReset = await standings.changing([first], () =>
    acts.carryOut(admin, async (sql) => ({
      result: await devices.resetDevices(sql, { first, last: first, madeBy, at: now() }),
      record: { action: "devices_reset", target: "all keys", details: { keys: count } },
    })),
  );
  for (let after = first; after < last; ) {
    const ids = await devices.nextKeysInUse(database.scan, { after, last, limit: keysPerLook });
    for (const slice of slicesOf(ids)) {
      const given = { ...slice, madeBy, sessionId: admin.sessionId, at: now() };
      keysReset += await database.aside(resetChore, given, () => standings.forget(idsOf(slice)));
    }
    after = ids.length < keysPerLook ? last : (ids.at(-1) as number);
  }
  return keysReset;
}

/** All that stand in it, because a key between may have got its first device since. */
function* idsOf({ first, last }: { first: number; last: number }): Generator<number> {
  for (let id = first; id <= last; id += 1) yield id;
}

/** The ids in their order, put together to slices. */
function slicesOf(ids: number[]): { first: number; last: number }[] {
  const slices: { first: number; last: number; keys: number }[] = [];
  for (const id of ids) {
    const slice = slices.at(-1);
    if (slice && slice.keys < keysPerSlice && id - slice.first < idsPerSlice) {
      slice.last = id;
      slice.keys += 1;
    } else {
      slices.push({ first: id, last: id, keys: 1 });
    }
  }
  return slices;
}
