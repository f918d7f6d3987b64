/**
 * SQLite tells a connection whether any other has committed, and that may be another process or a chore of our own. This tells one from the
 * other: a chore has the database's lock from its beginning to its commit, and its connection knows whether anybody has committed since.
 */
export interface VersionByOthers {
  /** As in the contract. `null` also from a chore's commit until it is known that it alone has written. */
  now(): number | null;
  /** Nobody else can commit until the chore does: what is seen now was written before it. */
  choreHasLock(): void;
  /** What is seen now was written by the chore, or by somebody since; `choreIsOver` says which. */
  choreHasWritten(): void;
  /** `wasAlone` where nobody has committed between the chore's lock and an instant after `choreHasWritten`: it has the lock again until then. */
  choreIsOver(wasAlone: boolean): void;
}

/** `look` answers what SQLite tells (`data_version`) in this turn of the event loop, `lookAgain` at this instant; `null` where it does not answer. */
export function createVersionByOthers({
  look,
  lookAgain,
}: {
  look: () => number | null;
  lookAgain: () => number | null;
}): VersionByOthers {
  let version = 0;
  let seen: number | null = null;
  let chore: { seenAfter: number | null } | null = null;

  return {
    now() {
      const looked = look();
      if (looked === null) return null;
      if (looked !== seen) {
        if (chore) return null;
        take(looked);
      }
      return version;
    },

    choreHasLock() {
      const looked = lookAgain();
      if (looked === null) return;
      if (looked !== seen) take(looked);
      chore = { seenAfter: null };
    },

    choreHasWritten() {
      if (chore) chore.seenAfter = lookAgain();
    },

    choreIsOver(wasAlone) {
      if (wasAlone && chore?.seenAfter != null) seen = chore.seenAfter;
      chore = null;
    },
  };

  function take(looked: number): void {
    seen = looked;
    version += 1;
  }
}
