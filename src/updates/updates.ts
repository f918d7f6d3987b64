import type { AuditedChanges, Caller, Done } from "../accounts/audited-changes.ts";
import { isoOf, type Now } from "../core/clock.ts";
import { nonBlank } from "../core/field.ts";
import { Refusal, refuseProblems } from "../core/refusal.ts";
import type { Database, Sql } from "../db/contract.ts";
import { isIdCursor, pageOf, pageOfRows } from "../db/paging.ts";
import { remember } from "../db/remembered.ts";
import { problemsInUpdate, type Update, type UpdateForm, type UpdateListQuery } from "./schema.ts";
import * as store from "./store.ts";

export type Updates = ReturnType<typeof createUpdates>;

/** Announcements that admins publish and that game clients fetch. */
export function createUpdates({ database, changes, now }: { database: Database; changes: AuditedChanges; now: Now }) {
  const whole = remember(database, () => list({}, true));

  return {
    list: (query: UpdateListQuery) => list(query, false),
    /**
     * The active ones, which game clients see, newest first. The whole list is the same array until something changes.
     */
    published: (query: UpdateListQuery) =>
      query.limit === undefined && query.cursor === undefined ? whole.value() : list(query, true),

    /** Throws `INVALID`. */
    async create(admin: Caller, form: UpdateForm): Promise<Update> {
      const content = contentOf(form);
      return changing(admin, async (sql) => {
        const result = updateView(await store.insertUpdate(sql, content, now()));
        return { result, record: { action: "update_created", target: targetOf(result), details: detailsOf(result) } };
      });
    },

    /** Throws `INVALID` or `NOT_FOUND`. */
    async change(admin: Caller, id: number, form: UpdateForm): Promise<Update> {
      const content = contentOf(form);
      return changing(admin, async (sql) => {
        const changed = await store.changeUpdate(sql, id, content, now());
        if (!changed) throw noSuchUpdate();
        const result = updateView(changed);
        return { result, record: { action: "update_changed", target: targetOf(result), details: detailsOf(result) } };
      });
    },

    /** Throws `NOT_FOUND`. */
    remove: (admin: Caller, id: number) =>
      changing(admin, async (sql) => {
        const title = await store.deleteUpdate(sql, id);
        if (title === null) throw noSuchUpdate();
        return {
          result: undefined,
          record: { action: "update_deleted", target: targetOf({ id }), details: { title } },
        };
      }),
  };

  function changing<Result>(admin: Caller, work: (sql: Sql) => Promise<Done<Result>>): Promise<Result> {
    return whole.changing(() => changes.carryOut(admin, ({ sql }) => work(sql)));
  }

  async function list(query: UpdateListQuery, onlyActive: boolean) {
    const page = pageOf(query, isIdCursor);
    const rows = await store.listUpdates(database.read, onlyActive, page);
    const shown = pageOfRows(rows, page.limit, (last) => [last.id]);
    return { rows: shown.rows.map(updateView), nextCursor: shown.nextCursor };
  }
}

function contentOf(form: UpdateForm): store.UpdateContent {
  refuseProblems(problemsInUpdate(form));
  return {
    title: form.title.trim(),
    message: form.message.trim(),
    buttonText: nonBlank(form.buttonText) ?? null,
    linkUrl: nonBlank(form.linkUrl) ?? null,
    isActive: form.isActive === false ? 0 : 1,
  };
}

function targetOf({ id }: Pick<Update, "id">): string {
  return `update ${id}`;
}

function detailsOf({ title, isActive }: Update) {
  return { title, isActive };
}

function updateView(row: store.UpdateRow): Update {
  return {
    id: row.id,
    title: row.title,
    message: row.message,
    ...(row.buttonText !== null && { buttonText: row.buttonText }),
    ...(row.linkUrl !== null && { linkUrl: row.linkUrl }),
    isActive: row.isActive === 1,
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
  };
}

function noSuchUpdate(): Refusal {
  return new Refusal("NOT_FOUND", "There is no such update.");
}
