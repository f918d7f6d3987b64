import type { Chore, Database, Question, Reading, SqlArgument } from "../contract.ts";
import type { VersionByOthers } from "../sqlite/version-by-others.ts";
import { createComposer } from "../statements.ts";
import { createStreams, type Piece } from "../streams.ts";
import type { Asked } from "./scan-messages.ts";
import { type Ask, createScanQueue, type ScanQueue } from "./scan-queue.ts";

/** How long a chore rests after each slice, at the least. Our own writer, which waits for the lock meanwhile, asks for it every 10 ms. */
const restMsMin = 15;

/** And how many times as long as the slice took: where everybody waits for the processor, what nobody waits for takes a fifth of the time. */
const restTimes = 4;

/** `scan`, `ask`, `stream` and `aside` of the contract, carried out by the scanning thread; `scan-thread.ts` is its end of them. */
export function createScans({
  others,
  ...options
}: {
  file: string;
  program: URL;
  others: VersionByOthers;
}): Pick<Database, "scan" | "ask" | "stream" | "aside"> & Pick<ScanQueue, "choreUnderWay" | "refuseAll" | "close"> {
  const { ask, choreUnderWay, refuseAll, close } = createScanQueue(options);
  const streams = createStreams();
  const compose = createComposer();
  let begun = 0;
  let rested: Promise<unknown> = Promise.resolve();

  return {
    async scan<Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) {
      const answered = await ask({ ask: "rows", ...compose({ strings, values }) });
      return ("rows" in answered ? answered.rows : []) as Row[];
    },

    async ask<Given, Answer>({ name }: Question<Given, Answer>, given: Given) {
      const answered = await ask({ ask: "answer", question: name, given });
      return ("result" in answered ? answered.result : undefined) as Answer;
    },

    stream<Given>({ name }: Reading<Given>, given: Given, accountId: number) {
      begun += 1;
      const stream = begun;
      let asked: Asked = { ask: "begin", stream, reading: name, given };
      return streams.open(accountId, async () => ({
        next: () => {
          const piece = pieceOf(ask, asked);
          asked = { ask: "next", stream };
          return piece;
        },
        end: async () => void (await ask({ ask: "end", stream })),
      }));
    },

    async aside<Given, Result>({ name }: Chore<Given, Result>, given: Given, forget = () => {}) {
      await rested;
      let lockedAt = 0;
      let result: unknown;
      let isOver = false;
      const over = (wasAlone: boolean) => {
        isOver = true;
        forget();
        others.choreIsOver(wasAlone);
      };
      try {
        await ask({ ask: "lock" }, (answered) => {
          if ("hasLock" in answered && answered.hasLock) {
            lockedAt = performance.now();
            others.choreHasLock();
            return { ask: "write", chore: name, given };
          }
          if ("written" in answered) {
            result = answered.written;
            others.choreHasWritten();
            over(answered.isAlone);
            return { ask: "release" };
          }
          return null;
        });
      } finally {
        if (!isOver) over(false);
      }
      const restMs = Math.max(restMsMin, restTimes * (performance.now() - lockedAt));
      rested = new Promise((resolve) => setTimeout(resolve, restMs));
      return result as Result;
    },

    choreUnderWay,
    refuseAll,
    close,
  };
}

async function pieceOf(ask: Ask, asked: Asked): Promise<Piece | null> {
  const answered = await ask(asked);
  return "piece" in answered ? answered.piece : null;
}
