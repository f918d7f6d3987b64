import { type AuditedChanges, type Caller, notedDownload } from "../accounts/audited-changes.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { creditsOf } from "../core/credits.ts";
import { nonBlank } from "../core/field.ts";
import { Refusal } from "../core/refusal.ts";
import type { Database, Unit } from "../db/contract.ts";
import { inBatches } from "../db/maintenance.ts";
import type { Entry } from "../facts/audit-entry.ts";
import { type PartialEvent, recordPart, sendHeld } from "../facts/outbox-store.ts";
import type { Extensions } from "./life/extend.ts";
import type { Refunds } from "./life/refund.ts";
import { selectedCsvStream, selectedTextStream, selectionOf, whoseKeys } from "./selection/selection.ts";
import type {
  AdminKeySelection,
  AdminSelectionDownload,
  AdminSelectionNote,
  AdminSelectionRevocation,
  KeySelection,
  KeySelectionView,
  NotedSelection,
  RevokedSelection,
} from "./selection/selection-schema.ts";
import * as store from "./selection/selection-store.ts";
import { noteKeys, revokeKeys } from "./store.ts";

export type SelectedKeys = ReturnType<typeof createSelectedKeys>;

interface Dependencies {
  database: Database;
  changes: AuditedChanges;
  extensions: Pick<Extensions, "look">;
  refunds: Refunds;
  now: Now;
}

/**
 * Changes many keys at once (rules.md: Selections): a reseller's own, or for an admin the admin keys and those of any
 * reseller. Throws `NOT_FOUND` for an id that is no reseller's, and `INVALID` for an unknown mark.
 */
export function createSelectedKeys({ database, changes, extensions, refunds, now }: Dependencies) {
  return {
    /**
     * Counts the selected keys by kind, and returns the mark that stands for them. With a mark, also counts how many
     * are left to change. Throws `INVALID_DAY_TIER`.
     */
    async look(caller: Caller, form: KeySelection | AdminKeySelection): Promise<KeySelectionView> {
      const { selection, whose, mark } = await selected(caller, form);
      const counts = await countsOf(caller, selection, nonBlank(form.note) ?? null);
      const { selected: all, revoked, expired } = counts;
      // A first look promises what could be revoked at the mark's instant, because `revoke` compares with that.
      const promised = all - revoked - (mayRevokeExpired(caller) ? 0 : expired);
      const toRevoke = form.mark === undefined ? promised : counts.toRevoke;
      const refund = await refunds.ofSelection(database.query(caller), whose.reseller?.id ?? null, selection);
      const extension = await extensions.look(caller, selection, form);
      return { mark, newestId: selection.lastId, ...counts, toRevoke, ...refund, ...extension };
    },

    /**
     * Revokes those keys that the caller may also revoke one by one. After an interruption, the same call continues.
     * Throws `COUNT_CHANGED` and revokes nothing if their number is not the promised one.
     */
    async revoke(caller: Caller, form: AdminSelectionRevocation): Promise<Omit<RevokedSelection, "message">> {
      const { selection, whose } = await selected(caller, form);
      const { owner, reseller, target } = whose;
      const evenExpired = mayRevokeExpired(caller);
      const by = { revokedBy: caller.id, evenExpired };
      const count = () => store.countRevocation(database.query(caller), selection, { ...by, at: now() });
      const { promised, left } = await count();
      if (promised !== form.count) throw countChanged(promised, "can be revoked", "revoked");
      // Later than the mark, so that a later look by this mark can tell which keys were revoked since.
      const at = () => Math.max(now(), selection.filter.at + 1);
      const told = await changeInBatches(changes, caller, {
        work: async (unit, ids, before) => {
          const revokedAt = at();
          const revoked = await revokeKeys(unit, ids, { owner, ...by, at: revokedAt });
          await refunds.give(unit.sql, revoked, { madeBy: caller.id, at: revokedAt });
          if (revoked.length === 0) return { changed: 0, event: before };
          const data = { by: caller.role };
          const event = { type: "key.revoked", resellerId: reseller?.id ?? null, at: now(), data } as const;
          return { changed: revoked.length, event: await recordPart(unit.sql, before, { event, ids: revoked }) };
        },
        next: (place) =>
          store.nextUndone(database.query(caller), selection, { revoking: { evenExpired, at: at() } }, place),
        record: {
          action: "key_revoked",
          target,
          details: { count: left, ...(reseller && { owner: reseller.username, resellerId: reseller.id }) },
        },
        total: left,
        done: "revoked",
      });
      if (told.event) await sendHeld(database.write, told.event, now());
      const { done, revokedOtherwise, expired } = await count();
      const refund = reseller ? await store.refundedFor(database.query(caller), selection, reseller.id, caller.id) : 0;
      return { revokedCount: done, passedOver: { revoked: revokedOtherwise, expired }, refund: creditsOf(refund) };
    },

    /**
     * Notes the caller's own keys. Throws `COUNT_CHANGED` and notes nothing if they are more than promised, or
     * `NOT_FOUND` if an admin selects a reseller's keys.
     */
    async note(caller: Caller, form: AdminSelectionNote): Promise<Omit<NotedSelection, "message">> {
      const { selection, whose } = await selected(caller, form);
      const { owner, reseller, target } = whose;
      if (caller.role === "admin" && reseller) {
        throw new Refusal("NOT_FOUND", "Only the reseller can change the notes on these keys.");
      }
      const note = nonBlank(form.note) ?? null;
      const { selected: found, toNote } = await countsOf(caller, selection, note);
      // A repeated call may find fewer: a search by note no longer finds the keys that have the new note.
      if (found > form.count) throw countChanged(found, "match", "noted");
      const { changed: notedCount } = await changeInBatches(changes, caller, {
        work: async (unit, ids) => {
          const changed = await noteKeys(unit, ids, { owner, note, madeBy: caller.id, at: now() });
          return { changed, event: null };
        },
        next: (place) => store.nextUndone(database.query(caller), selection, { noting: note }, place),
        record: {
          action: "note_changed",
          target,
          details: { count: toNote, ...(reseller && { resellerId: reseller.id }) },
        },
        total: toNote,
        done: "noted",
        batchesPerChange: keysPerNotedChange / keysPerBatch,
      });
      return { notedCount, unchangedCount: found - notedCount };
    },

    /** Returns the keys as a file. The download is in the audit log before its first line is sent. */
    async download(caller: Caller, form: AdminSelectionDownload) {
      const { selection, whose } = await selected(caller, form);
      const { selected: count } = await countsOf(caller, selection, null);
      const stream = form.format === "csv" ? selectedCsvStream : selectedTextStream;
      const content = await database.stream(stream, selection, caller);
      const record = { action: "data_downloaded", target: whose.target, details: { count } } as const;
      return {
        filename: `latchkey-keys-${isoOf(now()).slice(0, 10)}.${form.format}`,
        content: await notedDownload(changes, caller, record, content),
      };
    },
  };

  async function selected(caller: Caller, form: Omit<AdminSelectionDownload, "format">) {
    const whose = await whoseKeys(database.read, caller, form.resellerId);
    return { whose, ...(await selectionOf(database, caller, whose.owner, form, now())) };
  }

  function countsOf(caller: Caller, selection: store.Selection, note: string | null) {
    const evenExpired = mayRevokeExpired(caller);
    return store.countSelected(database.query(caller), selection, { evenExpired, at: now(), note });
  }
}

/** Admins may revoke a key that has expired, resellers may not (rules.md: Revoking). */
function mayRevokeExpired({ role }: Caller): boolean {
  return role === "admin";
}

function countChanged(count: number, fit: string, done: string): Refusal {
  const keys = count === 1 ? "1 key" : `${count} keys`;
  return new Refusal("COUNT_CHANGED", `${keys} in this selection ${fit}, so nothing was ${done}. Please check again.`);
}

/** Revoking a key takes two statements, so a batch blocks the server for about 2 ms. */
const keysPerBatch = 25;

/** Each begun hundred of notes counts as a change (rules.md: History of a key), because each note adds a row. */
const keysPerNotedChange = 100;

/** Ids that one query reads. */
const keysPerLook = 10_000;

/** How many keys changed, and their event, if it has one. */
interface Changed {
  changed: number;
  event: PartialEvent | null;
}

/** A change to many keys, each under its own condition. */
interface KeyByKey {
  /** `before` is the event of the batches before. */
  work: (unit: Unit, ids: readonly number[], before: PartialEvent | null) => Promise<Changed>;
  /** Returns the next keys to change. */
  next: (place: { after: number; limit: number }) => Promise<number[]>;
  record: Entry;
  /** For the refusal after an interruption: `3 of {total} keys were {done}`. */
  total: number;
  done: string;
  /** After so many batches the call counts as one more change; left out, it counts as one. */
  batchesPerChange?: number;
}

/**
 * Changes many keys batch by batch, so that no request waits long (rules.md: Selections), and returns how many changed.
 * The audit entry is written with the first batch that changes any, so no key changes without it. Each batch checks the
 * session again. If the session ends meanwhile, the server stops or the disk refuses, the refusal says how many keys
 * were done; the others are as they were.
 */
async function changeInBatches(
  changes: AuditedChanges,
  caller: Caller,
  { work, next, record, total, done, batchesPerChange = Number.POSITIVE_INFINITY }: KeyByKey,
): Promise<Changed> {
  let changed = 0;
  let batches = 0;
  let event: PartialEvent | null = null;
  try {
    await inBatches(batchesOf(next), async (ids) => {
      const isFirst = changed === 0;
      const isNext = batches > 0 && batches % batchesPerChange === 0;
      batches += 1;
      const before = event;
      const batch = await changes.carryOut(
        caller,
        async (unit) => {
          const result = await work(unit, ids, before);
          return { result, record: isFirst && result.changed > 0 ? { inParts: record } : null };
        },
        { isCounted: isFirst || (isNext && "if any are left") },
      );
      changed += batch.changed;
      event = batch.event;
    });
    return { changed, event };
  } catch (error) {
    if (changed === 0 || !(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, `${changed} of ${total} keys were ${done}; the others were not. ${error.message}`);
  }
}

async function* batchesOf(next: KeyByKey["next"]): AsyncGenerator<number[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const ids: number[] = await next({ after, limit: keysPerLook });
    for (let from = 0; from < ids.length; from += keysPerBatch) yield ids.slice(from, from + keysPerBatch);
    after = ids.length < keysPerLook ? undefined : ids.at(-1);
  }
}
