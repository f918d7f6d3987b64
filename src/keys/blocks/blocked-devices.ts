import { type AuditedChanges, type Caller, unchanged, type Work } from "../../accounts/audited-changes.ts";
import { resellerIdOf } from "../../accounts/schema.ts";
import { isoOf } from "../../core/clock.ts";
import { nonBlank } from "../../core/field.ts";
import { invalid, Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { inBatches } from "../../db/maintenance.ts";
import { isIdCursor, listOf } from "../../db/paging.ts";
import { isSharedDeviceId } from "../../verify/device-rules.ts";
import { removeDevices } from "../devices/device-store.ts";
import type { Block, BlockForm, BlockListQuery } from "./block-schema.ts";
import * as store from "./block-store.ts";

/** Of a reseller, and of the admins together. */
const blocksMax = 10_000;
const tooManySentence = "At most 10,000 devices can be blocked. Unblock some first.";
/** Devices that one look finds and one transaction removes. */
const rowsPerBatch = 200;

export type BlockedDevices = ReturnType<typeof createBlockedDevices>;

/**
 * Blocked devices: a reseller's block covers that reseller's keys, an admin's all keys (rules.md: Blocked devices).
 */
export function createBlockedDevices({ database, changes }: { database: Database; changes: AuditedChanges }) {
  return {
    list: (caller: Caller, { search, ...query }: BlockListQuery) =>
      blockList.read(database, caller, { owner: ownerOf(caller), search: nonBlank(search) }, query),

    /**
     * Blocks a device and removes it from every key that the block covers. Of a device that is blocked already, it
     * finishes that and returns the first block. Throws `INVALID` or `TOO_MANY_BLOCKS`.
     */
    async block(caller: Caller, form: BlockForm): Promise<{ block: Block; isNew: boolean }> {
      const owner = ownerOf(caller);
      const { deviceId, reason } = form;
      if (isSharedDeviceId(deviceId)) throw invalid("deviceId", "Many devices share this id, so it cannot be blocked");
      const done = await changes.carryOut(caller, async ({ sql }, at) => {
        const known = await store.blockOf(sql, owner, { deviceId });
        if (known) return unchanged({ block: viewOf(known), isNew: false });
        if ((await store.countBlocks(sql, owner)) >= blocksMax) throw new Refusal("TOO_MANY_BLOCKS", tooManySentence);
        const id = await store.insertBlock(sql, { ...form, owner, madeBy: caller.id, at });
        const block = viewOf({ id, deviceId, reason, by: caller.username, at });
        const record = { action: "device_blocked", target: targetOf(id), details: { deviceId, reason } } as const;
        return { result: { block, isNew: true }, record };
      });
      // It changes nothing, but looks over as many keys as the first.
      if (!done.isNew) await changes.carryOut(caller, async () => unchanged(null), { isCounted: "if any are left" });
      await removeFromKeys(caller, { id: done.block.id, owner, deviceId });
      return done;
    },

    /** From then on the device connects like a new one. Throws `NOT_FOUND`. */
    unblock: (caller: Caller, id: number): Promise<void> =>
      changes.carryOut(caller, async ({ sql }) => {
        const block = await store.blockOf(sql, ownerOf(caller), { id });
        if (!block) throw new Refusal("NOT_FOUND", "There is no such block.");
        await store.deleteBlock(sql, id);
        const { deviceId, reason } = block;
        const record = { action: "device_unblocked", target: targetOf(id), details: { deviceId, reason } } as const;
        return { result: undefined, record };
      }),
  };

  async function removeFromKeys(caller: Caller, block: Blocked): Promise<void> {
    await inBatches(found(caller, block), (ids) =>
      carryOutPart(caller, async (unit, at) => {
        return unchanged(await removeDevices(unit, { ids, madeBy: caller.id, at }));
      }),
    );
  }

  /** Looks again until no key has the device. */
  async function* found(caller: Caller, block: Blocked): AsyncGenerator<number[]> {
    for (let ids = await look(caller, block); ids.length > 0; ids = await look(caller, block)) yield ids;
  }

  /**
   * On PostgreSQL a connection may have begun before the block and commit after the look. Only if the look is a unit,
   * too, one of them fails then and runs again.
   */
  function look(caller: Caller, block: Blocked): Promise<number[]> {
    if (database.file !== null) return store.connectedDespite(database.query(caller), block, rowsPerBatch);
    return carryOutPart(caller, async ({ sql }) => unchanged(await store.connectedDespite(sql, block, rowsPerBatch)));
  }

  function carryOutPart<Result>(caller: Caller, work: Work<Result>): Promise<Result> {
    return changes.carryOut(caller, work, { isCounted: false });
  }
}

type Blocked = Parameters<typeof store.connectedDespite>[1];

function ownerOf(caller: Caller): store.BlockOwner {
  return caller.role === "admin" ? 0 : resellerIdOf(caller);
}

function targetOf(id: number): string {
  return `blocked device ${id}`;
}

function viewOf({ at, ...block }: store.BlockRow): Block {
  return { ...block, at: isoOf(at) };
}

export const blockList = listOf({
  name: "blocked devices",
  isAfter: () => isIdCursor,
  rowsOf: store.listBlocks,
  afterOf: ({ id }) => [id] as [number],
  view: viewOf,
});
