import type { Chore, Database, Reading, SqlArgument } from "./database.ts";
import type { Asked } from "./scan-messages.ts";
import { type Ask, busy, createScanQueue, unreachable } from "./scan-queue.ts";
import { compose } from "./statements.ts";

/** Readings under way at once, of all and of one account. Each holds an instant of the database, and a connection with its pages. */
const streamsMax = 8;
const streamsPerAccountMax = 2;

/** rules.md: Long answers. While a reading lasts, the log of what is written meanwhile grows, because none of it may be written back. */
const streamMsMax = 10 * 60_000;
const pieceMsMax = 30_000;

/** How long a chore rests after each slice. Our own writer, which waits for the lock meanwhile, asks for it every 10 ms. */
const restMs = 15;

type Piece = Uint8Array<ArrayBuffer>;

/** `scan`, `stream` and `aside` of the contract, carried out by the scanning thread; `scan-thread.ts` is its end of them. */
export function createScans(options: {
  file: string;
  program: URL;
}): Pick<Database, "scan" | "stream" | "aside" | "close"> {
  const { ask, close } = createScanQueue(options);
  /** The accounts that readings under way are for. */
  const underWay: number[] = [];
  let begun = 0;
  let rested: Promise<unknown> = Promise.resolve();

  return {
    async scan<Row>(strings: TemplateStringsArray, ...values: SqlArgument[]) {
      const answered = await ask({ ask: "rows", ...compose({ strings, values }) });
      return ("rows" in answered ? answered.rows : []) as Row[];
    },

    async stream<Given>({ name }: Reading<Given>, given: Given, accountId: number) {
      const ofAccount = underWay.filter((id) => id === accountId).length;
      if (underWay.length >= streamsMax || ofAccount >= streamsPerAccountMax) throw busy();
      underWay.push(accountId);
      begun += 1;
      const stream = begun;
      const whenOver = () => void underWay.splice(underWay.indexOf(accountId), 1);
      try {
        const first = await pieceOf(ask, { ask: "begin", stream, reading: name, given });
        return readable({ ask, stream, first, whenOver });
      } catch (error) {
        whenOver();
        throw error;
      }
    },

    async aside<Given, Result>({ name }: Chore<Given, Result>, given: Given) {
      await rested;
      const answered = await ask({ ask: "write", chore: name, given });
      rested = new Promise((resolve) => setTimeout(resolve, restMs));
      return ("result" in answered ? answered.result : undefined) as Result;
    },

    close,
  };
}

/** The pieces as they are taken: the thread reads the next one when somebody waits for it. */
function readable({
  ask,
  stream,
  first,
  whenOver,
}: {
  ask: Ask;
  stream: number;
  first: Piece | null;
  whenOver: () => void;
}): ReadableStream<Piece> {
  let nextPiece = async () => first;
  let isOver = false;
  let tooLong: ReturnType<typeof setTimeout>;
  let notTaken: ReturnType<typeof setTimeout>;
  let cutOff: () => void;

  return new ReadableStream<Piece>(
    {
      start(controller) {
        cutOff = () => {
          giveUp();
          controller.error(unreachable());
        };
        tooLong = setTimeout(cutOff, streamMsMax);
        notTaken = setTimeout(cutOff, pieceMsMax);
      },
      async pull(controller) {
        clearTimeout(notTaken);
        const piece = await nextPiece().catch((error) => {
          giveUp();
          throw error;
        });
        nextPiece = () => pieceOf(ask, { ask: "next", stream });
        if (isOver) return;
        if (piece === null) {
          over();
          controller.close();
          return;
        }
        controller.enqueue(piece);
        notTaken = setTimeout(cutOff, pieceMsMax);
      },
      cancel: giveUp,
    },
    // Nothing is read ahead of whoever takes it.
    { highWaterMark: 0 },
  );

  function giveUp(): void {
    if (isOver) return;
    over();
    ask({ ask: "end", stream }).catch(() => {});
  }

  function over(): void {
    isOver = true;
    clearTimeout(tooLong);
    clearTimeout(notTaken);
    whenOver();
  }
}

async function pieceOf(ask: Ask, asked: Asked): Promise<Piece | null> {
  const answered = await ask(asked);
  return "piece" in answered ? answered.piece : null;
}
