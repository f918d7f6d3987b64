import type { KeyAsRead } from "../contract.ts";

/**
 * Tells one state of the database from the next by a number that only grows: what is read after it was told is of this instant, or of a later one.
 * `look` answers another number once any other connection has committed (`data_version`), and `null` where SQLite does not answer, as this does then;
 * `commits` counts our own, also those that failed and may yet have happened.
 */
export function createInstants({ look, commits }: { look: () => number | null; commits: () => number }) {
  let timesOthersSeen = 0;
  let seen: number | null = null;

  return function now(): number | null {
    const looked = look();
    if (looked === null) return null;
    if (looked !== seen) timesOthersSeen += 1;
    seen = looked;
    return commits() + timesOthersSeen;
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
