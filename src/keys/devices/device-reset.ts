import type { AuditedChanges, Caller } from "../../accounts/audited-changes.ts";
import type { Now } from "../../core/clock.ts";
import type { Database, Sql } from "../../db/contract.ts";
import { inBatches } from "../../db/maintenance.ts";
import * as devices from "./device-store.ts";

/**
 * Keys in a batch, and ids that it may span, because the statements also scan the ids between. A batch takes 2 to 3 ms.
 */
const keysPerBatch = 100;
const idsPerBatch = 1_000;

/** Ids that one query reads. */
const keysPerLook = 10_000;

interface Range {
  first: number;
  last: number;
}

/**
 * Removes every device from every key and returns how many keys had any (rules.md: Removing devices). It goes batch by
 * batch, so that no request waits long: each key is reset at one instant between the call and its response. The first
 * key is reset with the audit entry, so no device goes without it. Each batch checks the session again and throws
 * `NOT_SIGNED_IN` once it has ended. Then, and if the server dies, the keys that were not reached are as they were.
 */
export async function resetAllDevices(
  { database, changes, now }: { database: Database; changes: AuditedChanges; now: Now },
  admin: Caller,
): Promise<number> {
  const query = database.query(admin);
  const { count, first, last } = await devices.keysInUse(query);
  if (count === 0) return 0;
  const record = { action: "devices_reset", target: "all keys", details: { keys: count } } as const;
  const reset = (range: Range, isFirst: boolean) =>
    changes.carryOut(
      admin,
      async (unit) => ({
        result: await devices.resetDevices(unit, { ...range, madeBy: admin.id, at: now() }),
        record: isFirst ? record : null,
      }),
      { isCounted: isFirst },
    );

  let keysReset = await reset({ first, last: first }, true);
  await inBatches(batchesOf(query, { first, last }), async (batch) => {
    keysReset += await reset(batch, false);
  });
  return keysReset;
}

/** The keys in use after the first one. */
async function* batchesOf(query: Sql, { first, last }: Range): AsyncGenerator<Range> {
  for (let after = first; after < last; ) {
    const ids = await devices.nextKeysInUse(query, { after, last, limit: keysPerLook });
    yield* rangesOf(ids);
    after = ids.length < keysPerLook ? last : (ids.at(-1) as number);
  }
}

/** Groups sorted ids into ranges. */
function rangesOf(ids: number[]): Range[] {
  const ranges: (Range & { keys: number })[] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range && range.keys < keysPerBatch && id - range.first < idsPerBatch) {
      range.last = id;
      range.keys += 1;
    } else {
      ranges.push({ first: id, last: id, keys: 1 });
    }
  }
  return ranges;
}
