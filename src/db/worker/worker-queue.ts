import { getLogger } from "@logtape/logtape";
import { atMost } from "../../core/clock.ts";
import { busy, Refusal } from "../../core/refusal.ts";
import { createThread } from "../../core/thread.ts";
import type { Answered, Asked, WorkerData } from "./worker-messages.ts";

const log = getLogger(["latchkey", "database"]);

/** rules.md: Long answers. The next query is refused at once, because by its turn the caller would have given up. */
const waitingMax = 200;

/** How long a query waits for its turn, and how long it may run before the thread counts as dead. */
const turnMsMax = 15_000;
const answerMsMax = 60_000;

/** How long `close` waits for the query that is running. */
const closeMsMax = 2_000;

export interface WorkerQueue {
  /** Throws what the worker threw, `BUSY`, or `STORAGE_UNAVAILABLE` if the worker dies. */
  ask: Ask;
  /** Refuses everything from now on, including what waits and what is running. */
  refuseAll(): void;
  close(msMax: number): Promise<void>;
}

type Good = Exclude<Answered, { refused: unknown } | { failed: unknown }>;

export type Ask = (asked: Asked) => Promise<Good>;

interface QueuedQuery {
  asked: Asked;
  answer: (answered: Answered) => void;
  refuse: (refusal: Refusal) => void;
  tooLate: ReturnType<typeof setTimeout>;
}

/**
 * Starts the worker with the first query and sends it one message at a time, so that a waiting query can be called off. When
 * the worker dies, the running query is refused, and the next one starts a new worker.
 */
export function createWorkerQueue({ file, program }: { file: string; program: URL }): WorkerQueue {
  const waiting: QueuedQuery[] = [];
  let current: QueuedQuery | null = null;
  /** Called when the running query is over. */
  const whenOver: (() => void)[] = [];
  let lastAsked: Asked["ask"] = "rows";
  let closed = false;
  const thread = createThread<Asked, Answered>({
    program,
    data: { file } satisfies WorkerData,
    onTold(answered) {
      finish((query) => query.answer(answered));
    },
    onDeath(cause) {
      log.error("The worker has died: {cause}", { cause });
      finish((query) => query.refuse(unreachable()));
    },
  });

  return {
    async ask(asked) {
      const answered = await new Promise<Answered>((answer, refuse) => {
        if (closed || waiting.length >= waitingMax) return refuse(busy());
        const query: QueuedQuery = {
          asked,
          answer,
          refuse,
          tooLate: setTimeout(() => callOff(query), turnMsMax),
        };
        waiting.push(query);
        askNext();
      });
      if ("refused" in answered) throw new Refusal(answered.refused.code, answered.refused.message);
      if ("failed" in answered) throw new Error(answered.failed);
      return answered;
    },

    refuseAll() {
      refuseWaiting();
      // A result that comes later is ignored.
      current?.refuse(busy());
    },

    async close(msMax) {
      refuseWaiting();
      await atMost(msMax, end());
    },
  };

  async function end(): Promise<void> {
    if (current) await atMost(closeMsMax, new Promise<void>((resolve) => void whenOver.push(resolve)));
    await thread.end(closeMsMax);
  }

  function refuseWaiting(): void {
    closed = true;
    for (const query of [...waiting]) callOff(query);
  }

  function askNext(): void {
    const query = current ? undefined : takeNext();
    if (!query) return;
    clearTimeout(query.tooLate);
    query.tooLate = setTimeout(() => thread.bury(`no answer within ${answerMsMax} ms`), answerMsMax);
    current = query;
    lastAsked = query.asked.ask;
    thread.send(query.asked);
  }

  /** Queries and pieces of streams take turns, so that neither keeps the other waiting for long. */
  function takeNext(): QueuedQuery | undefined {
    const other = waiting.findIndex(({ asked }) => isAtOnce(asked.ask) !== isAtOnce(lastAsked));
    return waiting.splice(Math.max(0, other), 1)[0];
  }

  function finish(tell: (query: QueuedQuery) => void): void {
    const query = current;
    current = null;
    if (!query) return;
    clearTimeout(query.tooLate);
    tell(query);
    for (const over of whenOver.splice(0)) over();
    askNext();
  }

  function callOff(query: QueuedQuery): void {
    const index = waiting.indexOf(query);
    if (index === -1) return;
    waiting.splice(index, 1);
    clearTimeout(query.tooLate);
    query.refuse(busy());
  }
}

function isAtOnce(ask: Asked["ask"]): boolean {
  return ask === "rows" || ask === "snapshot";
}

export function unreachable(): Refusal {
  return new Refusal(
    "STORAGE_UNAVAILABLE",
    "The server cannot read its storage at the moment. Please try again later.",
  );
}
