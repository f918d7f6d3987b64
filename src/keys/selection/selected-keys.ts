import { type AuditedChanges, type Caller, notedDownload } from "../../accounts/audited-changes.ts";
import { isoOf, type Now } from "../../core/clock.ts";
import { nonBlank } from "../../core/field.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Database } from "../../db/contract.ts";
import { noteKeys, revokeKeys } from "../store.ts";
import { changeInBatches } from "./key-batches.ts";
import { selectedCsvStream, selectedTextStream, selectionOf, whoseKeys } from "./selection.ts";
import type {
  AdminKeySelection,
  AdminSelectionDownload,
  AdminSelectionNote,
  AdminSelectionRevocation,
  KeySelectionView,
  NotedSelection,
  RevokedSelection,
} from "./selection-schema.ts";
import * as store from "./selection-store.ts";

type Answer<Said> = Promise<Omit<Said, "message">>;

/**
 * What is done to many keys at once (rules.md: Selections): a reseller's own, or for an admin the admins' and those of any reseller. Throws
 * `NOT_FOUND` for who is no reseller, and `INVALID` for a mark that is none.
 */
export interface SelectedKeys {
  /** How many of what are selected, and the mark that stands for them. With a mark, how many are left to be acted on. */
  look(caller: Caller, form: AdminKeySelection): Promise<KeySelectionView>;
  /**
   * Revokes what the caller may revoke one by one, and answers what became of each. Asked again, it goes on where it was broken off. Throws
   * `COUNT_CHANGED`, and revokes nothing, where they are not as many as was said.
   */
  revoke(caller: Caller, form: AdminSelectionRevocation): Answer<RevokedSelection>;
  /** Notes one's own. Throws `COUNT_CHANGED`, and notes nothing, where they are more than was said; `NOT_FOUND` for a reseller's keys. */
  note(caller: Caller, form: AdminSelectionNote): Answer<NotedSelection>;
  /** A file of them, which is on record before its first line. */
  download(
    caller: Caller,
    form: AdminSelectionDownload,
  ): Promise<{ filename: string; content: ReadableStream<Uint8Array<ArrayBuffer>> }>;
}

export function createSelectedKeys({
  database,
  changes,
  now,
}: {
  database: Database;
  changes: AuditedChanges;
  now: Now;
}): SelectedKeys {
  return {
    async look(caller, form) {
      const { selection, mark } = await selected(caller, form);
      const { evenExpired } = rightsOf(caller);
      const note = nonBlank(form.note) ?? null;
      const newestId = selection.lastId;
      return {
        mark,
        newestId,
        ...(await store.countSelected(database.query, selection, { evenExpired, at: now(), note })),
      };
    },

    async revoke(caller, form) {
      const { selection, whose } = await selected(caller, form);
      const { owner, reseller, target } = whose;
      const { evenExpired } = rightsOf(caller);
      const count = () => store.countRevocation(database.query, selection, { ...by, at: now() });
      const by = { revokedBy: caller.id, evenExpired };
      const { promised, left } = await count();
      if (promised !== form.count) throw countChanged(promised, "can be revoked", "revoked");
      // Later than the mark, so that whoever looks by it again sees which were revoked since.
      const at = () => Math.max(now(), selection.filter.at + 1);
      await changeInBatches(changes, caller, {
        work: (unit, ids) => revokeKeys(unit, ids, { owner, ...by, at: at() }),
        next: (place) => store.nextUndone(database.query, selection, { revoking: { evenExpired, at: at() } }, place),
        record: {
          action: "key_revoked",
          target,
          details: { count: left, ...(reseller && { owner: reseller.username, resellerId: reseller.id }) },
        },
        total: left,
        done: "revoked",
      });
      const { done, revokedOtherwise, expired } = await count();
      return { revokedCount: done, passedOver: { revoked: revokedOtherwise, expired } };
    },

    async note(caller, form) {
      const { selection, whose } = await selected(caller, form);
      const { owner, reseller, target } = whose;
      if (caller.role === "admin" && reseller) {
        throw new Refusal("NOT_FOUND", "The notes on a reseller's keys are the reseller's.");
      }
      const note = nonBlank(form.note) ?? null;
      const { selected: there, toNote } = await store.countSelected(database.query, selection, {
        ...{ note, at: now() },
        ...rightsOf(caller),
      });
      // Fewer may be there when it is asked again: those that a search found by the note that they had.
      if (there > form.count) throw countChanged(there, "fit", "noted");
      const notedCount = await changeInBatches(changes, caller, {
        work: (unit, ids) => noteKeys(unit, ids, { owner, note, madeBy: caller.id, at: now() }),
        next: (place) => store.nextUndone(database.query, selection, { noting: note }, place),
        record: {
          action: "note_changed",
          target,
          details: { count: toNote, ...(reseller && { resellerId: reseller.id }) },
        },
        total: toNote,
        done: "noted",
      });
      return { notedCount, unchangedCount: there - notedCount };
    },

    async download(caller, form) {
      const { selection, whose } = await selected(caller, form);
      const { selected: count } = await store.countSelected(database.query, selection, {
        ...{ note: null, at: now() },
        ...rightsOf(caller),
      });
      const stream = form.format === "csv" ? selectedCsvStream : selectedTextStream;
      const content = await database.stream(stream, selection, caller.id);
      return {
        filename: `latchkey-keys-${isoOf(now()).slice(0, 10)}.${form.format}`,
        content: await notedDownload(changes, caller, { target: whose.target, details: { count } }, content),
      };
    },
  };

  async function selected(caller: Caller, form: Omit<AdminSelectionDownload, "format">) {
    const whose = await whoseKeys(database.read, caller, form.resellerId);
    return { whose, ...(await selectionOf(database, whose.owner, form, now())) };
  }
}

/** An admin may revoke a key that has merely expired, a reseller may not (rules.md: Revoking). */
function rightsOf({ role }: Caller) {
  return { evenExpired: role === "admin" };
}

function countChanged(count: number, fit: string, done: string): Refusal {
  const keys = count === 1 ? "1 key" : `${count} keys`;
  return new Refusal("COUNT_CHANGED", `${keys} of this selection ${fit}, so none was ${done}. Please look again.`);
}
