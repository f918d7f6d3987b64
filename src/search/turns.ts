import { busy } from "../core/refusal.ts";

/** How many searches wait, of all and of one account. Who types fast has one or two that nobody wants any more. */
const waitingMax = 100;
const waitingPerAccountMax = 8;

export interface Asker {
  accountId: number;
  /** Told when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/**
 * Searches take turns, one at a time: they are carried out by one thread, and none is refused because the one before it is still at work.
 * One that nobody waits for any more is passed over.
 */
export interface Turns {
  /** `null` where nobody waited any more when its turn came. Throws `BUSY` where too many wait. */
  take<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result | null>;
}

export function createTurns(): Turns {
  const waiting: number[] = [];
  let last: Promise<unknown> = Promise.resolve();

  return {
    async take({ accountId, gone }, work) {
      const ofAccount = waiting.filter((id) => id === accountId).length;
      if (waiting.length >= waitingMax || ofAccount >= waitingPerAccountMax) throw busy();
      waiting.push(accountId);
      const turn = last.then(() => {
        waiting.splice(waiting.indexOf(accountId), 1);
        return gone.aborted ? null : work();
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}
