import type { KeyAsRead } from "./database.ts";

/** Tells one state of the database from the next: another number once anything has been committed, by whomever. */
export interface Instants {
  /** What is read after this call is of this instant, or of a later one. `null` where SQLite does not answer. */
  now(): number | null;
  /** Is told of each commit of our own, before it: one that failed may yet have happened. */
  committing(): void;
}

/** `look` answers a number that is another one once any other connection has committed (`data_version`), `null` where SQLite does not answer. */
export function createInstants(look: () => number | null): Instants {
  let instant = 0;
  let seen: number | null = null;

  return {
    now() {
      const looked = look();
      if (looked === null) return null;
      if (looked !== seen) instant += 1;
      seen = looked;
      return instant;
    },
    committing() {
      instant += 1;
    },
  };
}

/**
 * For the units of a commit that has begun at this instant, in their order: whether nothing of the key that a unit is about has changed since it was
 * read. From here on nobody else can commit, so what may have changed it are the units before.
 */
export function createAsRead(begunAt: number | null): (key: KeyAsRead | null) => boolean {
  const changed = new Set<number>();
  let isAllChanged = begunAt === null;

  return (key) => {
    const isAsRead = key !== null && !isAllChanged && key.readAt === begunAt && !changed.has(key.id);
    if (key === null) isAllChanged = true;
    else changed.add(key.id);
    return isAsRead;
  };
}
