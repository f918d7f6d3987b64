import { type Caller, transactionOf } from "../accounts/caller.ts";
import { isoOf, type Now } from "../clock.ts";
import type { Database, Sql } from "../database/database.ts";
import { isIdCursor, pageOf, pageOfRows } from "../database/paging.ts";
import { remember } from "../database/remembered.ts";
import { nonBlank } from "../field.ts";
import { Refusal, refuseProblems } from "../refusal.ts";
import { problemsInUpdate, type Update, type UpdateForm, type UpdateListQuery } from "./schema.ts";
import * as store from "./store.ts";

/** Announcements that admins publish and that game clients fetch. */
export interface Updates {
  list(query: UpdateListQuery): Promise<{ rows: Update[]; nextCursor: string | null }>;
  /** What game clients see: active ones, newest first. The whole list is the very same array until something changes. */
  published(query: UpdateListQuery): Promise<{ rows: Update[]; nextCursor: string | null }>;
  /** Throws `INVALID`. */
  create(admin: Caller, form: UpdateForm): Promise<Update>;
  /** Throws `INVALID` or `NOT_FOUND`. */
  change(admin: Caller, id: number, form: UpdateForm): Promise<Update>;
  /** Throws `NOT_FOUND`. */
  remove(admin: Caller, id: number): Promise<void>;
}

export function createUpdates({ database, now }: { database: Database; now: Now }): Updates {
  const whole = remember(database, () => list({}, true));

  return {
    list: (query) => list(query, false),
    published: (query) => (query.limit === undefined && query.cursor === undefined ? whole.value() : list(query, true)),

    async create(admin, form) {
      const content = contentOf(form);
      return updateView(await changing(admin, (sql) => store.insertUpdate(sql, content, now())));
    },

    async change(admin, id, form) {
      const content = contentOf(form);
      const changed = await changing(admin, (sql) => store.changeUpdate(sql, id, content, now()));
      if (!changed) throw noSuchUpdate();
      return updateView(changed);
    },

    async remove(admin, id) {
      const removed = await changing(admin, (sql) => store.deleteUpdate(sql, id));
      if (!removed) throw noSuchUpdate();
    },
  };

  function changing<Result>(admin: Caller, work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return whole.changing(() => transactionOf(database, admin, work));
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
